"""What do workers do? Their half of the model, from the claim to the report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from queue_core import IllegalTransition, LeaseLost, TaskNotFound, TaskState
from queue_core.endings import Ending, Settled
from queue_core.states import Event

from .records import COMPLETED, DISCARDED, PENDING, PROCESSING, RETRYABLE, WAITING, Record, Records

Held = Sequence[tuple[str, int]]
MOST_DEATHS = 3
"""Of workers that a task may cost."""


@dataclass(frozen=True)
class Wish:
    """What a worker asks for."""

    size: int
    worker_id: str
    names: frozenset[str] | None
    capabilities: frozenset[str]

    def fits(self, record: Record) -> bool:
        return (self.names is None or record.name in self.names) and record.needs <= self.capabilities


class Workers(Records):
    """What workers do. Where a lease is asked for, None stands for an operator who forces it."""

    def dequeue(self, wish: Wish) -> list[str]:
        return self._claim(wish, (PENDING,))

    def claim(self, wish: Wish, start: int | None = None) -> list[str]:
        claimed = self._claim(wish, WAITING)
        for task_id in () if start is None else claimed[start:]:
            self.tasks[task_id].started_at = None  # only held
        return claimed

    def retry(self, wish: Wish, visibility_timeout: int | None, max_attempts: int | None) -> list[str]:
        self._rescue(filter(wish.fits, self._silent(visibility_timeout)), max_attempts)
        return self._claim(wish, (RETRYABLE,), max_attempts)

    def _claim(self, wish: Wish, states: Collection[TaskState], max_attempts: int | None = None) -> list[str]:
        claimed: list[str] = []
        for record in sorted(self.ready(), key=lambda record: record.place):
            is_wanted = record.state in states and wish.fits(record) and self.is_within_limit(record.name)
            if is_wanted and len(claimed) < wish.size:
                record.lease += 1
                if record.attempt_count >= (max_attempts or record.max_attempts):
                    self.finish(record, DISCARDED, "Exhausted")
                else:
                    self._hand_out(record, wish.worker_id)
                    claimed.append(record.id)
        return claimed

    def _hand_out(self, record: Record, worker_id: str) -> None:
        record.state, record.worker_id, record.alive_at, record.started_at = PROCESSING, worker_id, self.now, self.now
        record.attempt_count += 1
        if record.name in self.limits:
            self.spent[record.name].append(self.now // 1000)

    def rescue(self, visibility_timeout: int | None = None) -> set[str]:
        stale = self._silent(visibility_timeout)
        self._rescue(stale)
        return {record.id for record in stale}

    def _rescue(self, stale: Iterable[Record], max_attempts: int | None = None) -> None:
        for record in stale:
            if record.is_cancel_requested:
                self.call_off(record, "Stale")
            elif record.attempt_count >= (max_attempts or record.max_attempts):
                self.finish(record, DISCARDED, "Stale")
            else:
                self.try_again(record, "Stale")

    def _silent(self, patience: int | None) -> list[Record]:
        return [r for r in self.in_state(PROCESSING) if r.alive_at + (patience or r.patience) < self.now]

    def mark_as_complete(self, task_id: str, lease: int | None, result: object = None) -> None:
        if lease is None or not self.is_done(task_id, lease):
            self._complete(self._held(task_id, lease, Event.COMPLETE), result)

    def complete(self, held: Held) -> list[str]:
        refused = [pair[0] for pair in held if not self.holds(*pair) and not self.is_done(*pair)]
        for task_id, lease in held:
            if self.holds(task_id, lease):
                self._complete(self.tasks[task_id], None)
        return refused

    def is_done(self, task_id: str, lease: int) -> bool:
        """Whether this very lease completed the task already."""
        record = self.tasks.get(task_id)
        return record is not None and record.state is COMPLETED and record.lease == lease

    def _complete(self, record: Record, result: object) -> None:
        record.result = result
        self.finish(record, COMPLETED)
        for other in self.waiting_for(record.id):
            other.unmet.remove(record.id)

    def mark_as_retry(self, task_id: str, lease: int | None, delay: int | None) -> TaskState:
        return self._fail(self._held(task_id, lease, Event.FAIL), "Error", delay)

    def _fail(self, record: Record, error: str, delay: int | None) -> TaskState:
        if record.is_cancel_requested:
            return self.call_off(record, error)
        if record.attempt_count >= record.max_attempts:
            return self.finish(record, DISCARDED, error)
        record.due_at = self.now + (self._backoff(record.attempt_count) if delay is None else delay)
        return self.try_again(record, error)

    def _backoff(self, attempt: int) -> int:
        return min(self.rules.first_delay * self.rules.delay_factor ** (attempt - 1), self.rules.longest_delay)

    def mark_as_discarded(self, task_id: str, lease: int | None, error: str | None) -> None:
        record = self._held(task_id, lease, Event.DISCARD)
        if record.is_cancel_requested:
            self.call_off(record, error and "Error")
        else:
            self.finish(record, DISCARDED, error and "Error")

    def heartbeat(self, held: Held) -> list[str]:
        mine = [self.tasks[task_id] for task_id, lease in held if self.holds(task_id, lease)]
        for record in mine:
            record.alive_at = self.now
        wanted = {record.id for record in mine if not record.is_cancel_requested}
        return [task_id for task_id, _ in held if task_id not in wanted]

    def release(self, held: Held, delay: int) -> list[str]:
        refused = [task_id for task_id, lease in held if not self.holds(task_id, lease)]
        for task_id, lease in held:
            if self.holds(task_id, lease):
                self._give_back(self.tasks[task_id], delay)
        return refused

    def _give_back(self, record: Record, delay: int) -> None:
        if record.is_cancel_requested:
            self.call_off(record)
            return
        record.state, record.worker_id = PENDING, None
        record.attempt_count -= 1
        record.due_at = self.now + delay if delay else record.due_at

    def settle(self, endings: Sequence[Ending], starting: Held) -> Settled:
        states, refused = {}, set()
        for ending in endings:
            try:
                states[ending.task_id] = self._end(ending)
            except (LeaseLost, TaskNotFound):
                refused.add(ending.task_id)
        begun = [self.tasks[task_id] for task_id, lease in starting if self.holds(task_id, lease)]
        begun = [record for record in begun if not record.is_cancel_requested]
        for record in begun:
            record.started_at = record.alive_at = self.now
        return Settled(states, tuple(sorted(refused)), tuple(record.id for record in begun))

    def _end(self, ending: Ending) -> TaskState:
        task_id, lease, delay = ending.task_id, ending.lease, ending.delay and round(ending.delay * 1000)
        if ending.event is Event.COMPLETE:
            self.mark_as_complete(task_id, lease, ending.result)
        elif ending.event is Event.DISCARD:
            self.mark_as_discarded(task_id, lease, str(ending.error))
        elif ending.event is Event.FAIL:
            self.mark_as_retry(task_id, lease, delay)
        elif ending.event is Event.CANCEL:
            self.call_off(self._held(task_id, lease, Event.CANCEL), "Error")
        else:
            self._give_back(self._held(task_id, lease, Event.RELEASE), delay or 0)
        return self.tasks[task_id].state

    def recover(
        self, worker_id: str, kind: str, running: Collection[str] | None, keep: Collection[str], delay: int | None
    ) -> dict[str, TaskState]:
        lost = [r for r in self.in_state(PROCESSING) if r.worker_id == worker_id and r.id not in keep]
        for record in lost:
            if record.started_at is not None if running is None else record.id in running:
                self._survive(record, kind, delay)
            else:
                self._give_back(record, 0)
        return {record.id: record.state for record in lost}

    def _survive(self, record: Record, kind: str, delay: int | None) -> None:
        record.deaths += kind == "WorkerDied"
        if kind == "WorkerDied" and record.deaths >= MOST_DEATHS and not record.is_cancel_requested:
            self.finish(record, DISCARDED, kind)
        else:
            self._fail(record, kind, delay)

    def holds(self, task_id: str, lease: int | None) -> bool:
        """Whether who reports under this lease is the one who works on the task."""
        record = self.tasks.get(task_id)
        return record is not None and record.state is PROCESSING and lease in (None, record.lease)

    def _held(self, task_id: str, lease: int | None, event: Event) -> Record:
        record = self.find(task_id)
        if self.holds(task_id, lease):
            return record
        if lease is None:
            raise IllegalTransition(task_id, record.state, event)
        raise LeaseLost(task_id, lease, record.state, record.lease)
