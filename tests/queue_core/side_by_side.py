"""Do a queue and its model agree, in what they answer and in what they hold?"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hypothesis.stateful import RuleBasedStateMachine, invariant
from sqlalchemy import text

from queue_core import ManualClock, Queue, QueueError, Task, TaskState

from .model import Model
from .plans import GROUPS, NAMES, RULES
from .records import DISCARDED, OPEN, PROCESSING, Record
from .workers import Held

_examples = itertools.count()
_MATTERS_IN = {
    "effective_priority": OPEN,
    "blockers": OPEN,
    "worker_id": OPEN,
    "is_cancel_requested": OPEN,
    "is_paused": (*OPEN, DISCARDED),
    "alive_at": (PROCESSING,),
    "started_at": (PROCESSING,),
}
"""The states in which the contract says what a field holds; all others it says of every state."""


class SideBySide(RuleBasedStateMachine):
    """A queue and its model, compared after each move."""

    def __init__(self, queue: Queue, clock: ManualClock) -> None:
        super().__init__()
        self.queue, self.clock = queue, clock
        self.model = Model(RULES, clock.now_ms)
        self.handouts: list[Task] = []
        """Every task that was ever claimed, as its worker got it."""
        self.remembered: dict[str, int] = {}
        """What a bare id stands for: the lease last handed out, until it ended."""
        self.example, self.numbers = next(_examples), itertools.count()
        queue.purge()
        with queue.transaction() as connection:  # as in a new store: what was purged raised it
            connection.execute(text("UPDATE lease_floor SET lease = 0"))
        self.counted = queue.snapshot().counters

    def teardown(self) -> None:
        for name in NAMES:
            self.queue.unpause(name=name)
            self.queue.limit(name, per_minute=None)
        for group_id in GROUPS:
            self.queue.unpause(group_id=group_id)

    @invariant()
    def every_task_is_as_it_should_be(self):
        real = {task.id: seen(task) for task in self.queue.list(limit=1000)}
        assert real == {record.id: expected(record, self.model) for record in self.model.tasks.values()}

    @invariant()
    def counts_agree(self):
        assert self.queue.counts() == self.model.counts()
        assert self.queue.counts("g") == self.model.counts("g")

    @invariant()
    def snapshot_agrees(self):
        snapshot, right = self.queue.snapshot(), self.model.snapshot()
        assert snapshot.model_dump(include=set(right)) == right
        counted = {name: total - self.counted.get(name, 0) for name, total in snapshot.counters.items()}
        assert _without_zeros(counted) == _without_zeros(self.model.counters)

    def next_id(self, letter: str) -> str:
        """Make an id that no other example uses, and that does not sort by age."""
        return f"{letter}-{self.example}-{next(self.numbers):03}"

    def held(self) -> list[Task]:
        return [task for task in self.handouts if self.model.holds(task.id, task.lease)]

    def late(self) -> list[Task]:
        """Return what workers may think that they hold, though it was taken from them."""
        known = [task for task in self.handouts if task.id in self.model.tasks]
        return [t for t in known if not self.model.holds(t.id, t.lease) and not self.model.is_done(t.id, t.lease)]

    def drop(self, ended: Iterable[Task]) -> None:
        for task in ended:
            if self.remembered.get(task.id) == task.lease:
                del self.remembered[task.id]


def outcome(call: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[Any, Any]:
    """Return (None, what came back), or the error's type and what it knows."""
    try:
        return None, call(*arguments, **named)
    except QueueError as error:
        return type(error), {name: fact for name, fact in vars(error).items() if name != "reason"}


def seen(task: Task) -> dict[str, Any]:
    """Return what the contract promises about a task."""
    return _promised(
        state=task.state,
        lease=task.lease,
        attempt_count=task.attempt_count,
        priority=task.priority,
        effective_priority=task.effective_priority,
        due_at=task.due_at,
        blockers=task.blockers,
        worker_id=task.worker_id,
        alive_at=task.schedule_at,
        started_at=task.attempted_at,
        is_cancel_requested=task.cancel_requested_at is not None,
        is_paused=task.paused,
        errors=[(error.attempt, error.type, error.at) for error in task.errors],
        result=task.result,
        finalized_at=task.finalized_at,
    )


def expected(record: Record, model: Model) -> dict[str, Any]:
    """Return the same about a task of the model."""
    return _promised(
        state=record.state,
        lease=record.lease,
        attempt_count=record.attempt_count,
        priority=record.priority,
        effective_priority=record.effective_priority,
        due_at=record.due_at,
        blockers=len(record.unmet),
        worker_id=record.worker_id,
        alive_at=record.alive_at,
        started_at=record.started_at,
        is_cancel_requested=record.is_cancel_requested,
        is_paused=record.group_id in model.paused_groups,
        errors=record.errors,
        result=record.result,
        finalized_at=record.finalized_at,
    )


def chosen(things: Sequence[Any], pick: int) -> Any:
    return things[pick % len(things)]


def pairs(tasks: Iterable[Task]) -> Held:
    return [(task.id, task.lease) for task in tasks]


def _promised(*, state: TaskState, **facts: Any) -> dict[str, Any]:
    kept = {name: fact for name, fact in facts.items() if state in _MATTERS_IN.get(name, TaskState)}
    return {"state": state, **kept}


def _without_zeros(counters: dict[str, int]) -> dict[str, int]:
    return {name: total for name, total in counters.items() if total}
