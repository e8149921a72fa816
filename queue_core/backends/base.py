"""What must a store be able to do to carry the queue?

A backend speaks in domain verbs. Each method is one atomic step: it happens as a whole or not at
all, whatever dies on the way. Arguments were checked by the queue; a store that can't be reached,
read or written raises BackendUnavailable from any of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, ClassVar

from queue_core.backends.signal import Signal
from queue_core.clock import Clock
from queue_core.endings import Ending, Settled
from queue_core.reports import GroupReport, Outlook, Snapshot, WorkerRecord
from queue_core.states import WAITING, TaskState
from queue_core.task import Task

Held = Sequence[tuple[str, int]]
"""Ids with the lease that they are held under."""
Blame = BaseException | str | Mapping[str, BaseException | str]
"""One error for all that was marked as started, or by its id the error of each task that was running."""


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """What a worker asks for."""

    size: int
    worker_id: str | None = None
    names: frozenset[str] | None = None
    """None: any name."""
    capabilities: frozenset[str] = frozenset()
    states: tuple[TaskState, ...] = tuple(sorted(WAITING))
    max_attempts: int | None = None
    """None: each task's own, else the configured."""
    start: int | None = None
    """How many of them start at once; the others are held until they are started. None: all."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """Whose tasks are taken back, and at what price."""

    worker_id: str
    error: Blame
    keep: frozenset[str] = frozenset()
    """What the worker still holds."""
    delay: float | None = None
    """Until what was running is tried again; None: the usual backoff."""

    def error_of(self, task_id: str, *, is_started: bool) -> BaseException | str | None:
        """Return the error that a task pays an attempt for; None where it was not running."""
        if isinstance(self.error, Mapping):
            return self.error.get(task_id)
        return self.error if is_started else None


@dataclass(frozen=True)
class Filter:
    """Which tasks a list shows, a page at a time."""

    state: TaskState | None = None
    name: str | None = None
    group_id: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    """All of these must match."""
    limit: int = 100
    after: str | None = None
    """The id of the last task that was seen."""


@dataclass(frozen=True)
class Capabilities:
    """What differs between stores, for callers and tests to ask instead of a store's name."""

    is_shared: bool
    """Other processes can open the same store."""
    survives_close: bool
    """What was acknowledged is there when the store is opened again."""
    speaks_sql: bool
    """The caller's own statements can join a transaction."""


class Backend(ABC):
    """A store of tasks."""

    capabilities: ClassVar[Capabilities]
    url: str
    """Where the store is, without its password."""
    clock: Clock
    signal: Signal

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Any]:
        """Open a transaction of the caller's and yield its connection; commits, or rolls back on an exception."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Any]:
        """Open a transaction for the caller's queries and yield its connection.

        It sees one state of the store, and the store refuses every write in it. It waits for no writer and
        keeps none waiting, but for a store of one connection: there they take turns.
        """

    @abstractmethod
    def enqueue(self, tasks: Iterable[Task], connection: Any = None) -> list[str]:
        """Insert all tasks or none; return for each the id under which it is known.

        A known id, or a key whose window is open, inserts nothing. Inside the caller's transaction a
        refusal undoes this call alone. Raises InvalidRequest for what is no task, InvalidTask (which task,
        which field) and QueueFull.
        """

    @abstractmethod
    def claim(self, request: ClaimRequest) -> list[Task]:
        """Move at most `size` due tasks to PROCESSING, each with a new lease; return them in the queue's order.

        Every test of eligibility happens inside. Tasks with no attempt left and rows that can't be
        read are discarded on the way, and don't count against `size`.
        """

    @abstractmethod
    def retry(self, request: ClaimRequest, visibility_timeout: float | None) -> list[Task]:
        """Rescue what is stale and claim what is to be tried again, in one step."""

    @abstractmethod
    def next_due_at(self, request: ClaimRequest) -> int | None:
        """Return from when on the request could be served, read-only; None where nothing stands in line."""

    @abstractmethod
    def complete_one(self, task_id: str, lease: int | None, result: Any) -> None:
        """Complete a task; raises LeaseLost unless this lease holds it, or has completed it already."""

    @abstractmethod
    def complete_many(self, held: Held) -> list[str]:
        """Complete what is held; return the ids of what is not."""

    @abstractmethod
    def fail(self, task_id: str, lease: int | None, error: BaseException | str, delay: float | None) -> TaskState:
        """Record a failed attempt and return where it led: RETRYABLE, DISCARDED, or CANCELLED if asked for."""

    @abstractmethod
    def discard(self, task_id: str, lease: int | None, error: BaseException | str | None) -> None:
        """Give up what is held, or cancel it where that was asked for; raises LeaseLost unless this lease holds it."""

    @abstractmethod
    def fence(self, task_id: str, lease: int, connection: Any) -> None:
        """Keep a task with its holder until the caller's transaction ends.

        Raises LeaseLost where it is not held under this lease, TaskNotFound.
        """

    @abstractmethod
    def settle(self, endings: Sequence[Ending], starting: Held) -> Settled:
        """End tasks, each as it says and under its lease, and mark others as started."""

    @abstractmethod
    def exchange(self, endings: Sequence[Ending], starting: Held, request: ClaimRequest) -> tuple[Settled, list[Task]]:
        """Settle and claim in one step: what ended makes room for what comes."""

    @abstractmethod
    def lost(self, held: Held) -> list[str]:
        """Return the ids of what is not held any more, or asked to cancel; reads only."""

    @abstractmethod
    def heartbeat(self, held: Held, progress: Mapping[str, Any]) -> list[str]:
        """Restart the visibility clock of what is held; return the ids that are lost or asked to cancel.

        What is known of the progress of some of them is written beside it.
        """

    @abstractmethod
    def release(self, held: Held, delay: float) -> list[str]:
        """Give back what is held, its attempt refunded; return the ids of what is not."""

    @abstractmethod
    def recover(self, recovery: Recovery) -> dict[str, TaskState]:
        """Take back what a worker holds: what ran pays an attempt, the rest is released; return where each went."""

    @abstractmethod
    def bury(self, worker: WorkerRecord, error: BaseException | str) -> dict[str, TaskState] | None:
        """Mark a worker as dead and recover its tasks; None where it is dead already, or gave another sign of life."""

    @abstractmethod
    def cancel_one(self, task_id: str, reason: str | None) -> TaskState:
        """Cancel a waiting task and its dependents, or ask the worker of a running one; return its state now."""

    @abstractmethod
    def cancel_group(self, group_id: str) -> list[str]:
        """Cancel what waits in a group and ask what runs; return all that this concerns."""

    @abstractmethod
    def resume_one(self, task_id: str) -> None:
        """Bring a discarded task back."""

    @abstractmethod
    def resume_group(self, group_id: str) -> list[str]:
        """Bring the discarded tasks of a group back; return them."""

    @abstractmethod
    def reprioritize(self, level: int, task_id: str | None, group_id: str | None) -> list[str]:
        """Give a waiting task, or those of a group, another priority; return which."""

    @abstractmethod
    def set_pause(self, kind: str, key: str, paused: bool) -> None:
        """Pause or unpause a "name" or a "group"."""

    @abstractmethod
    def set_limit(self, name: str, per_minute: int | None) -> None:
        """Bound the claims of a name in any 60 seconds, over all workers; None unbinds it."""

    @abstractmethod
    def get(self, task_id: str) -> Task:
        """Return a task; raises TaskNotFound."""

    @abstractmethod
    def list(self, wanted: Filter) -> list[Task]:
        """Return one page of tasks in the order of their ids."""

    @abstractmethod
    def counts(self, group_id: str | None) -> dict[TaskState, int]:
        """Return how many tasks are in each state."""

    @abstractmethod
    def is_at_rest(self, group_id: str) -> bool:
        """Return whether no task of a group runs, or can be claimed now or later as things stand."""

    @abstractmethod
    def groups(self, group_ids: Sequence[str]) -> dict[str, GroupReport]:
        """Return how each of these groups stands."""

    @abstractmethod
    def position(self, task_id: str) -> int | None:
        """Return how many claimable tasks stand before a waiting one; None where it does not wait."""

    @abstractmethod
    def snapshot(self, shutdown: bool) -> Snapshot:
        """Return the queue at one instant."""

    @abstractmethod
    def record_worker(self, worker: WorkerRecord) -> bool:
        """Write a worker's sign of life; return whether it was asked to stop."""

    @abstractmethod
    def forget_worker(self, worker_id: str) -> None:
        """Delete a worker from the registry."""

    @abstractmethod
    def stop_worker(self, worker_id: str) -> bool:
        """Ask a worker to stop; return whether there is such a one, and alive."""

    @abstractmethod
    def take_turn(self, name: str, holder: str, seconds: float) -> bool:
        """Let one holder at a time do something; return whether it is this one's turn, for so many seconds."""

    @abstractmethod
    def outlook(self, request: ClaimRequest) -> Outlook:
        """Return what is left for a worker, now and later, and what no worker can take."""

    @abstractmethod
    def workers(self) -> Sequence[WorkerRecord]:
        """Return the known workers."""

    @abstractmethod
    def rescue(self, visibility_timeout: float | None) -> Sequence[str]:
        """Free one batch of stale tasks; return their ids."""

    @abstractmethod
    def promote(self, source: int, target: int, after_seconds: float) -> int:
        """Lift one batch of long-waiting tasks from above `target` up to `source` to it; return how many."""

    @abstractmethod
    def cleanup(self, state: TaskState, older_than: float) -> int:
        """Delete one batch of tasks that ended long ago, sparing what is waited for and open keys."""

    @abstractmethod
    def purge(self, state: TaskState) -> int:
        """Delete one batch of tasks in a state, cancelling what waits for them."""

    @abstractmethod
    def versions(self) -> tuple[str, int]:
        """Return the version of the database and of the schema."""

    @abstractmethod
    def close(self) -> None:
        """Close every connection."""
