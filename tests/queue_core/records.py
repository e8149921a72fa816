"""What does the model of the queue know about its tasks, and how do they end?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from queue_core import TaskNotFound, TaskState

PENDING, PROCESSING, COMPLETED, RETRYABLE, CANCELLED, DISCARDED = TaskState
WAITING = (PENDING, RETRYABLE)
OPEN = (PENDING, RETRYABLE, PROCESSING)
_MINUTE = 60_000


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
    alive_at: int = 0
    started_at: int | None = None
    """None: only held."""
    deaths: int = 0
    """Of workers that ran it, since it was resumed."""
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


class Records:
    """The tasks of the model by id, and what all of its verbs need."""

    def __init__(self, rules: Rules, now: Callable[[], int]) -> None:
        self.rules, self._clock = rules, now
        self.tasks: dict[str, Record] = {}
        self.paused_names: set[str] = set()
        self.paused_groups: set[str] = set()
        self.limits: dict[str, int] = {}
        """How many of a name may be claimed in a minute."""
        self.spent: dict[str, list[int]] = {}
        """The seconds in which tasks of a limited name were claimed."""
        self.counters: Counter[str] = Counter()
        self.lease_floor = 0

    @property
    def now(self) -> int:
        return self._clock()

    def find(self, task_id: str) -> Record:
        if task_id not in self.tasks:
            raise TaskNotFound(task_id)
        return self.tasks[task_id]

    def in_state(self, *states: TaskState) -> list[Record]:
        return [record for record in self.tasks.values() if record.state in states]

    def of_group(self, group_id: str) -> list[Record]:
        return [record for record in self.tasks.values() if record.group_id == group_id]

    def waiting_for(self, task_id: str) -> list[Record]:
        return [record for record in self.in_state(PENDING) if task_id in record.unmet]

    def unhindered(self) -> list[Record]:
        """What waits for nothing but its time, or the unpausing of its name."""
        return [r for r in self.in_state(*WAITING) if not r.unmet and r.group_id not in self.paused_groups]

    def ready(self) -> list[Record]:
        return [r for r in self.unhindered() if r.name not in self.paused_names and r.due_at <= self.now]

    def is_within_limit(self, name: str) -> bool:
        """Say whether one more may be claimed; a claim counts until its whole second is a minute old."""
        counted = [second for second in self.spent.get(name, ()) if (second + 61) * 1000 > self.now]
        return name not in self.limits or len(counted) < self.limits[name]

    def blame(self, record: Record, kind: str) -> None:
        record.errors.append((record.attempt_count, kind, self.now))

    def try_again(self, record: Record, reason: str) -> TaskState:
        """Make it wait for another attempt; a promotion by age is lost."""
        self.blame(record, reason)
        record.state, record.effective_priority, record.worker_id = RETRYABLE, record.priority, None
        self.counters[f"retried:{reason}"] += 1
        return RETRYABLE

    def finish(self, record: Record, state: TaskState, error: str | None = None) -> TaskState:
        if error:
            self.blame(record, error)
        record.state, record.finalized_at = state, self.now
        self.counters[state.name.lower()] += 1
        return state

    def call_off(self, record: Record, error: str | None = None) -> TaskState:
        """Cancel it, and all that waits for it."""
        self.finish(record, CANCELLED, error)
        for other in self.waiting_for(record.id):
            if other.state is PENDING:
                self.call_off(other)
        return CANCELLED

    def forget(self, gone: Collection[str]) -> int:
        """Delete tasks; whoever comes after them begins at the highest of their leases."""
        self.lease_floor = max([self.lease_floor, *(self.tasks[task_id].lease for task_id in gone)])
        self.tasks = {task_id: record for task_id, record in self.tasks.items() if task_id not in gone}
        return len(gone)

    def counts(self, group_id: str | None = None) -> dict[TaskState, int]:
        found = Counter(r.state for r in self.tasks.values() if group_id in (None, r.group_id))
        return {state: found[state] for state in TaskState}

    def snapshot(self) -> dict[str, object]:
        waiting, ready = self.in_state(*WAITING), self.ready()
        free = [record for record in waiting if not record.unmet]
        unpaused = [record for record in self.unhindered() if record.name not in self.paused_names]
        oldest = max((self.now - record.due_at for record in ready), default=None)
        return {
            "depth": len(waiting),
            "ready": len(ready),
            "scheduled": len(unpaused) - len(ready),
            "blocked": len(waiting) - len(free),
            "paused": len(free) - len(unpaused),
            "by_state": self.counts(),
            "by_priority": dict(Counter(record.effective_priority for record in waiting)),
            "oldest_age_seconds": oldest if oldest is None else oldest / 1000,
            "completed_last_minute": self._ended_lately(COMPLETED),
            "failed_last_minute": self._ended_lately(DISCARDED),
        }

    def _ended_lately(self, state: TaskState) -> int:
        return sum((record.finalized_at or 0) > self.now - _MINUTE for record in self.in_state(state))
