"""Which states can a task be in, and which events move it between them?"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum


class TaskState(IntEnum):
    """The state of a task, stored as its number."""

    PENDING = 0
    PROCESSING = 1
    COMPLETED = 2
    RETRYABLE = 3
    CANCELLED = 4
    DISCARDED = 5

    @property
    def is_final(self) -> bool:
        """Whether nothing happens to the task any more unless somebody asks for it."""
        return self in FINAL


class Event(Enum):
    """What can happen to a task."""

    CLAIM = "claim"
    HEARTBEAT = "heartbeat"
    COMPLETE = "complete"
    FAIL = "fail"
    EXHAUST = "exhaust"
    DISCARD = "discard"
    RELEASE = "release"
    RESCUE = "rescue"
    REQUEST_CANCEL = "request_cancel"
    CANCEL = "cancel"
    PROMOTE = "promote"
    RESUME = "resume"


@dataclass(frozen=True)
class Transition:
    """One legal move, and the words that the diagram says it with."""

    state: TaskState
    event: Event
    next_state: TaskState
    note: str


_S, _E = TaskState, Event

TRANSITIONS: tuple[Transition, ...] = (
    Transition(_S.PENDING, _E.CLAIM, _S.PROCESSING, "a worker takes it: attempt and lease + 1"),
    Transition(_S.RETRYABLE, _E.CLAIM, _S.PROCESSING, "a worker takes it again, once it is due"),
    Transition(_S.PROCESSING, _E.HEARTBEAT, _S.PROCESSING, "its worker is alive: the visibility clock restarts"),
    Transition(_S.PROCESSING, _E.COMPLETE, _S.COMPLETED, "the work is done; dependents are unblocked"),
    Transition(_S.PROCESSING, _E.FAIL, _S.RETRYABLE, "the attempt failed and others are left: due after a backoff"),
    Transition(_S.PROCESSING, _E.EXHAUST, _S.DISCARDED, "the last attempt failed, or went stale"),
    Transition(_S.RETRYABLE, _E.EXHAUST, _S.DISCARDED, "found with no attempt left"),
    Transition(_S.PROCESSING, _E.DISCARD, _S.DISCARDED, "its worker says that trying again can't help"),
    Transition(_S.PROCESSING, _E.RELEASE, _S.PENDING, "given back untried: the attempt is refunded"),
    Transition(_S.PROCESSING, _E.RESCUE, _S.RETRYABLE, "its worker fell silent for the visibility timeout"),
    Transition(
        _S.PROCESSING, _E.REQUEST_CANCEL, _S.PROCESSING, "an operator asks; its worker hears at the next heartbeat"
    ),
    Transition(_S.PROCESSING, _E.CANCEL, _S.CANCELLED, "its worker stopped because it was asked to"),
    Transition(_S.PENDING, _E.CANCEL, _S.CANCELLED, "called off, and its dependents with it"),
    Transition(_S.RETRYABLE, _E.CANCEL, _S.CANCELLED, "called off between two attempts"),
    Transition(_S.PENDING, _E.PROMOTE, _S.PENDING, "it waited long: its effective priority rises"),
    Transition(_S.RETRYABLE, _E.PROMOTE, _S.RETRYABLE, "it waited long: its effective priority rises"),
    Transition(_S.DISCARDED, _E.RESUME, _S.PENDING, "brought back: attempts renewed, errors and lease kept"),
)

FINAL = frozenset({TaskState.COMPLETED, TaskState.CANCELLED, TaskState.DISCARDED})
WAITING = frozenset({TaskState.PENDING, TaskState.RETRYABLE})

_NEXT = {(t.state, t.event): t.next_state for t in TRANSITIONS}
_SOURCES = {event: frozenset(t.state for t in TRANSITIONS if t.event is event) for event in Event}


def next_state(state: TaskState, event: Event) -> TaskState | None:
    """Return where the event leads from the state, or None where it is illegal."""
    return _NEXT.get((state, event))


def sources(event: Event) -> frozenset[TaskState]:
    """Return the states in which the event is legal."""
    return _SOURCES[event]


def target(event: Event) -> TaskState:
    """Return the one state that the event leads to; only for events that have one."""
    (only,) = {t.next_state for t in TRANSITIONS if t.event is event}
    return only


def diagram() -> str:
    """Draw the table of transitions as a Mermaid state diagram."""
    lines = ["stateDiagram-v2", "    [*] --> PENDING: enqueue"]
    lines += [f"    {t.state.name} --> {t.next_state.name}: {t.event.value}" for t in TRANSITIONS]
    lines += [f"    {state.name} --> [*]: cleanup" for state in sorted(FINAL)]
    return "\n".join(lines)


def table() -> str:
    """Write the table of transitions as Markdown."""
    lines = ["| state | event | next state | when |", "|---|---|---|---|"]
    lines += [f"| {t.state.name} | {t.event.value} | {t.next_state.name} | {t.note} |" for t in TRANSITIONS]
    return "\n".join(lines)
