"""What should the queue do? Its contract as plain Python over a dict, to judge the real one by.

Nothing here knows how tasks are stored. Each verb has the name that it has on the queue, returns
what the queue should return and raises what the queue should raise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from queue_core import IllegalTransition, InvalidTask, Task, TaskState
from queue_core.states import Event

from .records import (
    CANCELLED,
    COMPLETED,
    DISCARDED,
    OPEN,
    PENDING,
    PROCESSING,
    WAITING,
    Record,
    Records,
)
from .workers import Workers


class Intake(Records):
    """How tasks get in, all or none, and none of them twice."""

    def enqueue(self, new: Sequence[Task]) -> list[str]:
        firsts = {task.id: task for task in reversed(new)}
        _refuse_cycles({task.id: task.depends_on for task in firsts.values()})
        before, ids, fresh = dict(self.tasks), {}, []
        for task in (task for task in new if task is firsts[task.id]):
            ids[task.id] = self._stands_for(task) or task.id
            if ids[task.id] not in self.tasks:
                self.tasks[task.id] = self._record(task)
                fresh.append(task)
        try:
            self._tie(fresh, ids)
        except InvalidTask:
            self.tasks = before
            raise
        return [ids[task.id] for task in new]

    def _stands_for(self, task: Task) -> str | None:
        """Find the task that was there first: by id, else by a key whose window is open."""
        if task.id in self.tasks:
            return task.id
        opened_at, key = self.now - self.rules.key_window, task.idempotency_key
        holders = (r.id for r in self.tasks.values() if key and r.key == key and r.created_at > opened_at)
        return next(holders, None)

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
            lease=self.lease_floor,
            max_attempts=task.max_attempts or self.rules.max_attempts,
            patience=round(task.visibility_timeout * 1000) if task.visibility_timeout else self.rules.patience,
        )

    def _tie(self, fresh: Iterable[Task], ids: Mapping[str, str]) -> None:
        waits = {task.id: {ids.get(name, name) for name in task.depends_on} for task in fresh}
        _refuse_cycles(waits)
        for task_id, names in waits.items():
            if any(name not in self.tasks or self.tasks[name].state is CANCELLED for name in names):
                raise InvalidTask(task_id, "depends_on", "will never be done")
            unmet = {name for name in names if self.tasks[name].state is not COMPLETED}
            self.tasks[task_id].unmet, self.tasks[task_id].awaited = unmet, frozenset(unmet)


class Operators(Records):
    """What operators do."""

    def mark_as_cancelled(self, task_id: str, reason: str | None) -> TaskState:
        record = self.find(task_id)
        if record.state not in OPEN:
            raise IllegalTransition(task_id, record.state, Event.CANCEL)
        if reason:
            self.blame(record, "Cancelled")
        self._ask_or_call_off(record)
        return record.state

    def cancel(self, group_id: str) -> set[str]:
        before = {record.id for record in self.in_state(CANCELLED)}
        concerned = [record for record in self.of_group(group_id) if record.state in OPEN]
        for record in concerned:
            self._ask_or_call_off(record)
        return {record.id for record in [*self.in_state(CANCELLED), *concerned]} - before

    def _ask_or_call_off(self, record: Record) -> None:
        if record.state is PROCESSING:
            record.is_cancel_requested = True
        elif record.state in WAITING:
            self.call_off(record)

    def mark_as_resume(self, task_id: str) -> None:
        record = self.find(task_id)
        if record.state is not DISCARDED:
            raise IllegalTransition(task_id, record.state, Event.RESUME)
        record.state, record.attempt_count, record.due_at = PENDING, 0, self.now
        record.effective_priority = record.priority
        record.worker_id, record.finalized_at, record.is_cancel_requested = None, None, False
        record.deaths = 0

    def resume(self, group_id: str) -> set[str]:
        resumed = {record.id for record in self.of_group(group_id) if record.state is DISCARDED}
        for task_id in resumed:
            self.mark_as_resume(task_id)
        return resumed

    def reprioritize(self, level: int, *, task_id: str | None = None, group_id: str | None = None) -> set[str]:
        chosen = self.of_group(group_id) if group_id else [self.tasks[task_id]]
        waiting = [record for record in chosen if record.state in WAITING]
        for record in waiting:
            record.priority = record.effective_priority = level
        return {record.id for record in waiting}

    def limit(self, name: str, per_minute: int | None) -> None:
        if per_minute is None:
            self.limits.pop(name, None)
            self.spent.pop(name, None)
        else:
            self.limits[name] = per_minute
            self.spent.setdefault(name, [])

    def promote(self) -> int:
        steps = 0
        for source, target, after in self.rules.promotions:
            for record in self.unhindered():
                if target < record.effective_priority <= source and record.due_at <= self.now - after:
                    record.effective_priority = target
                    steps += 1
        self.counters["promoted"] += steps
        return steps

    def cleanup(self, older_than: int) -> int:
        ended = self.in_state(COMPLETED, CANCELLED, DISCARDED)
        return self.forget({record.id for record in ended if self._is_superfluous(record, older_than)})

    def _is_superfluous(self, record: Record, older_than: int) -> bool:
        is_old = record.finalized_at <= self.now - older_than
        has_open_key = record.key is not None and record.created_at > self.now - self.rules.key_window
        is_awaited = any(other.unmet and record.id in other.awaited for other in self.in_state(PENDING))
        return is_old and not has_open_key and not is_awaited

    def purge_discarded(self) -> int:
        gone = {record.id for record in self.in_state(DISCARDED)}
        for other in [other for task_id in gone for other in self.waiting_for(task_id)]:
            if other.state is PENDING:
                self.call_off(other)
        return self.forget(gone)


class Model(Intake, Workers, Operators):
    """A queue that holds everything in a dict."""


def _refuse_cycles(graph: Mapping[str, Iterable[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise InvalidTask(error.args[1][0], "depends_on", "a cycle") from error
