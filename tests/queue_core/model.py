"""What should the queue do? Its contract as plain Python over a dict, to judge the real one by.

Nothing here knows how tasks are stored. Each verb has the name that it has on the queue, returns
what the queue should return and raises what the queue should raise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from queue_core import IllegalTransition, InvalidTask, LeaseLost, Task, TaskNotFound, TaskState
from queue_core.states import Event

PENDING, PROCESSING, COMPLETED, RETRYABLE, CANCELLED, DISCARDED = TaskState
WAITING = (PENDING, RETRYABLE)
OPEN = (PENDING, RETRYABLE, PROCESSING)
MINUTE = 60_000

Held = Sequence[tuple[str, int]]


@dataclass(frozen=True)
class Rules:
    """The settings that the contract depends on; times are in milliseconds."""

    levels: dict[str, int]
    max_attempts: int
    patience: int
    """How long a worker may be silent."""
    first_delay: int
    delay_factor: int
    longest_delay: int
    promotions: tuple[tuple[int, int, int], ...]
    """From which level, to which level, after how long."""
    key_window: int
    retention: dict[TaskState, int]


@dataclass
class Record:
    """All that the contract says about one task."""

    id: str
    name: str
    group_id: str | None
    needs: frozenset[str]
    key: str | None
    priority: int
    effective_priority: int
    due_at: int
    created_at: int
    max_attempts: int
    patience: int
    unmet: set[str] = field(default_factory=set)
    """The dependencies that are not done."""
    awaited: frozenset[str] = frozenset()
    """Those that were not done when it came in."""
    state: TaskState = PENDING
    lease: int = 0
    attempt_count: int = 0
    alive_at: int | None = None
    worker_id: str | None = None
    is_cancel_requested: bool = False
    errors: list[tuple[int, str, int]] = field(default_factory=list)
    """Attempt, type, instant."""
    result: object = None
    finalized_at: int | None = None

    @property
    def place(self) -> tuple[int, int, str]:
        """Where it stands in the order of claims."""
        return (self.effective_priority, self.due_at, self.id)


class Model:
    """A queue that holds everything in a dict."""

    def __init__(self, rules: Rules, now: Callable[[], int]) -> None:
        self.rules, self._clock = rules, now
        self.tasks: dict[str, Record] = {}
        self.paused_names: set[str] = set()
        self.paused_groups: set[str] = set()
        self.counters: Counter[str] = Counter()

    @property
    def now(self) -> int:
        return self._clock()

    # What comes in

    def enqueue(self, new: Sequence[Task]) -> list[str]:
        _refuse_cycles({task.id: task.depends_on for task in new if task.depends_on})
        draft, ids, fresh = dict(self.tasks), {}, []
        for task in new:
            first = task.id if task.id in draft else self._key_holder(draft, task.idempotency_key)
            ids[task.id] = first or task.id
            if first is None:
                draft[task.id] = self._record(task)
                fresh.append(task)
        waits = {task.id: {ids.get(name, name) for name in task.depends_on} for task in fresh}
        self._refuse_impossible(draft, waits)
        for task_id, names in waits.items():
            draft[task_id].unmet = {name for name in names if draft[name].state is not COMPLETED}
            draft[task_id].awaited = frozenset(draft[task_id].unmet)
        self.tasks = draft
        return [ids[task.id] for task in new]

    def _key_holder(self, draft: dict[str, Record], key: str | None) -> str | None:
        opened = self.now - self.rules.key_window
        found = (r.id for r in draft.values() if key is not None and r.key == key and r.created_at > opened)
        return next(found, None)

    def _record(self, task: Task) -> Record:
        level = self.rules.levels[task.priority] if isinstance(task.priority, str) else task.priority
        return Record(
            id=task.id,
            name=task.name,
            group_id=task.group_id,
            needs=task.needs,
            key=task.idempotency_key,
            priority=level,
            effective_priority=level,
            due_at=self.now if task.schedule_at is None else task.schedule_at,
            created_at=self.now,
            max_attempts=task.max_attempts or self.rules.max_attempts,
            patience=round(task.visibility_timeout * 1000) if task.visibility_timeout else self.rules.patience,
        )

    @staticmethod
    def _refuse_impossible(draft: dict[str, Record], waits: dict[str, set[str]]) -> None:
        _refuse_cycles(waits)
        for task_id, names in waits.items():
            if any(name not in draft or draft[name].state is CANCELLED for name in names):
                raise InvalidTask(task_id, "depends_on", "it will never be done")

    # What workers do

    def claim(
        self,
        size: int,
        *,
        worker_id: str,
        names: Collection[str] | None,
        capabilities: Collection[str],
        states: Collection[TaskState] = WAITING,
        max_attempts: int | None = None,
    ) -> list[str]:
        claimed: list[str] = []
        for record in sorted(self.ready(), key=lambda record: record.place):
            fits = (names is None or record.name in names) and record.needs <= set(capabilities)
            if len(claimed) < size and record.state in states and fits:
                record.lease += 1
                if record.attempt_count >= (max_attempts or record.max_attempts):
                    self._finish(record, DISCARDED, "Exhausted")
                else:
                    self._hand_out(record, worker_id)
                    claimed.append(record.id)
        return claimed

    def retry(
        self,
        size: int,
        visibility_timeout: int | None,
        max_attempts: int | None,
        *,
        worker_id: str,
        names: Collection[str] | None,
        capabilities: Collection[str],
    ) -> list[str]:
        self.rescue(visibility_timeout, max_attempts)
        filters = {"worker_id": worker_id, "names": names, "capabilities": capabilities}
        return self.claim(size, **filters, states=[RETRYABLE], max_attempts=max_attempts)

    def _hand_out(self, record: Record, worker_id: str) -> None:
        record.state, record.worker_id, record.alive_at = PROCESSING, worker_id, self.now
        record.attempt_count += 1

    def mark_as_complete(self, task_id: str, lease: int | None, result: object = None) -> None:
        if lease is None or not self._is_done(task_id, lease):
            self._complete(self._held(task_id, lease, Event.COMPLETE), result)

    def complete(self, held: Held) -> list[str]:
        refused = [pair[0] for pair in held if not self.holds(*pair) and not self._is_done(*pair)]
        for task_id, lease in held:
            if self.holds(task_id, lease):
                self._complete(self.tasks[task_id], None)
        return refused

    def _is_done(self, task_id: str, lease: int) -> bool:
        """Whether this very lease completed the task already."""
        record = self.tasks.get(task_id)
        return record is not None and record.state is COMPLETED and record.lease == lease

    def _complete(self, record: Record, result: object) -> None:
        record.result = result
        self._finish(record, COMPLETED)
        for other in self._waiting_for(record.id):
            other.unmet.remove(record.id)

    def mark_as_retry(self, task_id: str, lease: int | None, delay: int | None) -> TaskState:
        record = self._held(task_id, lease, Event.FAIL)
        if record.is_cancel_requested:
            return self._cancel(record, "Error")
        if record.attempt_count >= record.max_attempts:
            return self._finish(record, DISCARDED, "Error")
        self._blame(record, "Error")
        record.due_at = self.now + (self._backoff(record.attempt_count) if delay is None else delay)
        return self._try_again(record, "Error")

    def _backoff(self, attempt: int) -> int:
        rules = self.rules
        return min(rules.first_delay * rules.delay_factor ** (attempt - 1), rules.longest_delay)

    def _try_again(self, record: Record, reason: str) -> TaskState:
        record.state, record.effective_priority, record.worker_id = RETRYABLE, record.priority, None
        self.counters[f"retried:{reason}"] += 1
        return RETRYABLE

    def mark_as_discarded(self, task_id: str, lease: int | None, error: str | None) -> None:
        self._finish(self._held(task_id, lease, Event.DISCARD), DISCARDED, error and "Error")

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
            self._cancel(record)
            return
        record.state, record.worker_id = PENDING, None
        record.attempt_count -= 1
        record.due_at = self.now + delay if delay else record.due_at

    def holds(self, task_id: str, lease: int | None) -> bool:
        """Whether who reports under this lease is the one who works on the task; None is an operator."""
        record = self.tasks.get(task_id)
        return record is not None and record.state is PROCESSING and lease in (None, record.lease)

    def _held(self, task_id: str, lease: int | None, event: Event) -> Record:
        record = self.find(task_id)
        if self.holds(task_id, lease):
            return record
        if lease is None:
            raise IllegalTransition(task_id, record.state, event)
        raise LeaseLost(task_id, lease, record.state, record.lease)

    # What operators do

    def mark_as_cancelled(self, task_id: str, reason: str | None) -> TaskState:
        record = self.find(task_id)
        if record.state not in OPEN:
            raise IllegalTransition(task_id, record.state, Event.CANCEL)
        if reason:
            self._blame(record, "Cancelled")
        self._call_off(record)
        return record.state

    def cancel(self, group_id: str) -> set[str]:
        before = {r.id for r in self.tasks.values() if r.state is CANCELLED}
        asked = [r for r in self._of_group(group_id) if r.state in OPEN]
        for record in asked:
            self._call_off(record)
        return ({r.id for r in self.tasks.values() if r.state is CANCELLED} | {r.id for r in asked}) - before

    def _call_off(self, record: Record) -> None:
        if record.state is PROCESSING:
            record.is_cancel_requested = True
        elif record.state in WAITING:
            self._cancel(record)

    def mark_as_resume(self, task_id: str) -> None:
        record = self.find(task_id)
        if record.state is not DISCARDED:
            raise IllegalTransition(task_id, record.state, Event.RESUME)
        record.state, record.attempt_count, record.due_at = PENDING, 0, self.now
        record.effective_priority = record.priority
        record.worker_id, record.finalized_at, record.is_cancel_requested = None, None, False

    def resume(self, group_id: str) -> set[str]:
        resumed = {record.id for record in self._of_group(group_id) if record.state is DISCARDED}
        for task_id in resumed:
            self.mark_as_resume(task_id)
        return resumed

    def reprioritize(self, level: int, *, task_id: str | None = None, group_id: str | None = None) -> set[str]:
        chosen = [r for r in self.tasks.values() if r.id == task_id or (group_id and r.group_id == group_id)]
        waiting = [record for record in chosen if record.state in WAITING]
        for record in waiting:
            record.priority = record.effective_priority = level
        return {record.id for record in waiting}

    def rescue(self, visibility_timeout: int | None = None, max_attempts: int | None = None) -> set[str]:
        stale = [r for r in self.tasks.values() if r.state is PROCESSING and self._is_silent(r, visibility_timeout)]
        for record in stale:
            if record.is_cancel_requested:
                self._cancel(record, "Stale")
            elif record.attempt_count >= (max_attempts or record.max_attempts):
                self._finish(record, DISCARDED, "Stale")
            else:
                self._blame(record, "Stale")
                self._try_again(record, "Stale")
            record.effective_priority = record.priority
        return {record.id for record in stale}

    def _is_silent(self, record: Record, patience: int | None) -> bool:
        return record.alive_at + (patience or record.patience) < self.now

    def promote(self) -> int:
        steps = 0
        for source, target, after in self.rules.promotions:
            for record in self._unhindered():
                if target < record.effective_priority <= source and record.due_at <= self.now - after:
                    record.effective_priority = target
                    steps += 1
        self.counters["promoted"] += steps
        return steps

    def cleanup(self, older_than: int | None) -> int:
        gone = {r.id for r in self.tasks.values() if r.state not in OPEN and self._is_old(r, older_than)}
        self._forget(gone)
        return len(gone)

    def _is_old(self, record: Record, older_than: int | None) -> bool:
        kept_for = self.rules.retention[record.state] if older_than is None else older_than
        is_open_key = record.key is not None and record.created_at > self.now - self.rules.key_window
        is_awaited = any(r.state is PENDING and r.unmet and record.id in r.awaited for r in self.tasks.values())
        return record.finalized_at <= self.now - kept_for and not is_open_key and not is_awaited

    def purge_discarded(self) -> int:
        gone = {record.id for record in self.tasks.values() if record.state is DISCARDED}
        for task_id in gone:
            for other in self._waiting_for(task_id):
                self._cancel(other)
        self._forget(gone)
        return len(gone)

    def _forget(self, gone: Collection[str]) -> None:
        self.tasks = {task_id: record for task_id, record in self.tasks.items() if task_id not in gone}

    # What happens to a task in the end

    def _finish(self, record: Record, state: TaskState, error: str | None = None) -> TaskState:
        if error:
            self._blame(record, error)
        record.state, record.finalized_at = state, self.now
        self.counters[state.name.lower()] += 1
        return state

    def _cancel(self, record: Record, error: str | None = None) -> TaskState:
        self._finish(record, CANCELLED, error)
        for other in self._waiting_for(record.id):
            if other.state is PENDING:
                self._cancel(other)
        return CANCELLED

    def _blame(self, record: Record, kind: str) -> None:
        record.errors.append((record.attempt_count, kind, self.now))

    # What can be asked

    def find(self, task_id: str) -> Record:
        if task_id not in self.tasks:
            raise TaskNotFound(task_id)
        return self.tasks[task_id]

    def ready(self) -> list[Record]:
        return [r for r in self._unhindered() if r.name not in self.paused_names and r.due_at <= self.now]

    def _unhindered(self) -> list[Record]:
        """What waits for nothing but its time, or the unpausing of its name."""
        return [r for r in self.waiting() if not r.unmet and r.group_id not in self.paused_groups]

    def waiting(self) -> Iterator[Record]:
        return (record for record in self.tasks.values() if record.state in WAITING)

    def _waiting_for(self, task_id: str) -> list[Record]:
        return [r for r in self.tasks.values() if r.state is PENDING and task_id in r.unmet]

    def _of_group(self, group_id: str) -> list[Record]:
        return [record for record in self.tasks.values() if record.group_id == group_id]

    def counts(self, group_id: str | None = None) -> dict[TaskState, int]:
        found = Counter(r.state for r in self.tasks.values() if group_id in (None, r.group_id))
        return {state: found[state] for state in TaskState}

    def snapshot(self) -> dict[str, object]:
        blocked = [record for record in self.waiting() if record.unmet]
        free = [record for record in self.waiting() if not record.unmet]
        unpaused = [r for r in free if r.group_id not in self.paused_groups and r.name not in self.paused_names]
        ready = self.ready()
        return {
            "depth": len(blocked) + len(free),
            "ready": len(ready),
            "scheduled": len(unpaused) - len(ready),
            "blocked": len(blocked),
            "paused": len(free) - len(unpaused),
            "by_state": self.counts(),
            "by_priority": dict(Counter(record.effective_priority for record in self.waiting())),
            "oldest_age_seconds": max((self.now - record.due_at for record in ready), default=None),
            "completed_last_minute": self._ended_lately(COMPLETED),
            "failed_last_minute": self._ended_lately(DISCARDED),
        }

    def _ended_lately(self, state: TaskState) -> int:
        ended = (record.finalized_at for record in self.tasks.values() if record.state is state)
        return sum(instant > self.now - MINUTE for instant in ended)


def _refuse_cycles(graph: dict[str, Iterable[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise InvalidTask(error.args[1][0], "depends_on", "a cycle") from error
