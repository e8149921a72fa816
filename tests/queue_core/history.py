"""Did the claimers of a queue get into each other's way? A judgement over what each of them wrote down.

A claimer writes a line before each call and one after it. One that was killed in between leaves a
call without an answer: whether it counted is not known, and both must be right. All instants are
of the one monotonic clock that the processes of a machine share.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from queue_core import TaskState

Lease = tuple[str, int]
"""A task's id, and which of its claims this is."""
_ENDINGS = ("complete", "fail")


@dataclass(frozen=True)
class Call:
    """What one claimer asked of the queue, and what came back."""

    claimer: str
    verb: str
    """claim, heartbeat, complete or fail."""
    began_at: float
    ended_at: float | None = None
    """None where the claimer was killed first."""
    leases: tuple[Lease, ...] = ()
    """What a claim got, or what a report was about."""
    refused: frozenset[Lease] = frozenset()

    @property
    def accepted(self) -> list[Lease]:
        """What surely counted."""
        return [lease for lease in self.leases if lease not in self.refused] if self.ended_at is not None else []


@dataclass(frozen=True)
class Row:
    """How the store says that a task ended."""

    state: TaskState
    lease: int
    attempt_count: int


class History:
    """All calls, sorted by what they were about."""

    def __init__(self, calls: Iterable[Call]) -> None:
        self.calls = list(calls)
        self.claims: defaultdict[Lease, list[Call]] = defaultdict(list)
        self.accepted: defaultdict[Lease, list[Call]] = defaultdict(list)
        """Reports that counted, by lease."""
        self.unanswered: defaultdict[Lease, list[Call]] = defaultdict(list)
        """Endings of which nobody knows whether they counted."""
        for call in self.calls:
            self._sort_in(call)

    def _sort_in(self, call: Call) -> None:
        for lease in call.accepted:
            (self.claims if call.verb == "claim" else self.accepted)[lease].append(call)
        if call.ended_at is None and call.verb in _ENDINGS:
            for lease in call.leases:
                self.unanswered[lease].append(call)

    def handed_out(self) -> Iterator[tuple[str, list[int]]]:
        """Return for each task its known leases, in their order."""
        numbers: defaultdict[str, list[int]] = defaultdict(list)
        for task_id, number in sorted(self.claims):
            numbers[task_id].append(number)
        yield from numbers.items()

    def endings(self, lease: Lease) -> list[Call]:
        return [call for call in self.accepted[lease] if call.verb in _ENDINGS]

    def last_sign_at(self, lease: Lease) -> float:
        """Return from when on the lease's owner was surely heard for the last time."""
        beats = [call for call in self.accepted[lease] if call.verb == "heartbeat"]
        return max((call.began_at for call in [*self.claims[lease], *beats]), default=float("-inf"))


def read_log(claimer: str, lines: Iterable[str]) -> list[Call]:
    """Read what a claimer wrote; the last line may be torn."""
    calls: dict[int, Call] = {}
    for line in lines:
        entry = _entry(line)
        if "verb" in entry:
            calls[entry["n"]] = Call(claimer, entry["verb"], entry["at"], leases=_leases(entry["leases"]))
        elif entry:
            begun = calls[entry["n"]]
            got = _leases(entry["got"]) if begun.verb == "claim" else begun.leases
            refused = frozenset(_leases(entry["refused"]))
            calls[entry["n"]] = replace(begun, ended_at=entry["at"], leases=got, refused=refused)
    return list(calls.values())


def _entry(line: str) -> dict[str, Any]:
    """Return what a line says; one without an end was torn by a kill, and says nothing."""
    return json.loads(line) if line.endswith("\n") else {}


def _leases(pairs: Iterable[tuple[str, int]]) -> tuple[Lease, ...]:
    return tuple((task_id, number) for task_id, number in pairs)


def handed_out_twice(history: History) -> list[str]:
    """No lease is given to two claims."""
    return [f"{lease} was handed out {len(calls)} times" for lease, calls in history.claims.items() if len(calls) > 1]


def too_many_at_once(history: History, batch: int) -> list[str]:
    """No claim gets more than it asked for."""
    claims = (call for call in history.calls if call.verb == "claim" and len(call.leases) > batch)
    return [f"{call.claimer} asked for {batch} and got {len(call.leases)}" for call in claims]


def never_handed_out(history: History) -> list[str]:
    """Nobody reports on what no claim returned."""
    reported = {lease for call in history.calls if call.verb != "claim" for lease in call.leases}
    return [f"{lease} was reported on, but never handed out" for lease in sorted(reported - set(history.claims))]


def leases_going_back(history: History) -> list[str]:
    """A later claim of a task has a higher lease."""
    return [
        f"{task_id}: lease {newer} was handed out before lease {older}"
        for task_id, numbers in history.handed_out()
        for older, newer in pairwise(numbers)
        if _first(history, (task_id, newer)).ended_at < _first(history, (task_id, older)).began_at
    ]


def two_owners(history: History, patience: float) -> list[str]:
    """A task is handed out again only after its owner ended it, or was silent for the visibility timeout."""
    return [
        f"{task_id}: lease {newer} was handed out while lease {older} was alive"
        for task_id, numbers in history.handed_out()
        for older, newer in pairwise(numbers)
        if not _may_be_over(history, (task_id, older), _first(history, (task_id, newer)).ended_at, patience)
    ]


def ended_twice(history: History) -> list[str]:
    """A lease ends once, and a task is completed once."""
    completions: defaultdict[str, list[int]] = defaultdict(list)
    problems = []
    for lease in history.accepted:
        endings = history.endings(lease)
        completions[lease[0]] += [lease[1] for call in endings if call.verb == "complete"]
        if len(endings) > 1:
            problems.append(f"{lease} ended {len(endings)} times")
    return problems + [f"{t} was completed under leases {n}" for t, n in completions.items() if len(n) > 1]


def handed_out_when_done(history: History) -> list[str]:
    """A completed task stays completed."""
    done = {t: n for (t, n), calls in history.accepted.items() if any(call.verb == "complete" for call in calls)}
    return [
        f"{task_id} was completed under lease {done[task_id]} and handed out under lease {newer}"
        for task_id, newer in history.claims
        if newer > done.get(task_id, newer)
    ]


def accepted_late(history: History) -> list[str]:
    """Nothing counts that is reported under an older lease."""
    newest_first = {task_id: numbers[::-1] for task_id, numbers in history.handed_out()}
    return [
        f"{call.verb} under {lease} counted after lease {newer} was handed out"
        for lease, calls in history.accepted.items()
        for call in calls
        for newer in newest_first.get(lease[0], [])
        if newer > lease[1] and _first(history, (lease[0], newer)).ended_at < call.began_at
    ]


def refused_in_time(history: History, patience: float) -> list[str]:
    """Nobody is refused who holds the task and was heard of lately."""
    return [
        f"{call.verb} under {lease} was refused though its owner was alive"
        for call in history.calls
        for lease in call.refused
        if not _may_be_over(history, lease, call.ended_at, patience)
    ]


def _may_be_over(history: History, lease: Lease, at: float, patience: float) -> bool:
    ended = any(call.began_at < at for call in [*history.endings(lease), *history.unanswered[lease]])
    return ended or at >= history.last_sign_at(lease) + patience


def claimed_too_early(history: History, dependencies: Mapping[str, Iterable[str]]) -> list[str]:
    """What waits for others is handed out after all of them were completed."""
    done_at = {
        task_id: call.began_at
        for calls in (history.accepted, history.unanswered)
        for (task_id, _), ends in calls.items()
        for call in ends
        if call.verb == "complete"
    }
    first_at = {task_id: _first(history, (task_id, numbers[0])).ended_at for task_id, numbers in history.handed_out()}
    return [
        f"{task_id} was handed out before {name} was done"
        for task_id, names in dependencies.items()
        for name in names
        if task_id in first_at and first_at[task_id] < done_at.get(name, float("inf"))
    ]


def lost(tasks: Iterable[str], rows: Mapping[str, Row], doomed: Mapping[str, int]) -> list[str]:
    """Every task is completed; those that always fail are discarded after their last attempt."""
    problems = [f"{task_id} is not in the store" for task_id in tasks if task_id not in rows]
    for task_id, row in rows.items():
        right = TaskState.DISCARDED if task_id in doomed else TaskState.COMPLETED
        if row.state is not right:
            problems.append(f"{task_id} is {row.state.name}, not {right.name}")
        elif task_id in doomed and row.attempt_count != doomed[task_id]:
            problems.append(f"{task_id} was discarded after {row.attempt_count} of {doomed[task_id]} attempts")
    return problems


def store_disagrees(history: History, rows: Mapping[str, Row]) -> list[str]:
    """What the store says about each task is what its claimers saw."""
    newest = {task_id: numbers[-1] for task_id, numbers in history.handed_out()}
    problems = []
    for task_id, row in rows.items():
        if row.lease != row.attempt_count:
            problems.append(f"{task_id} has lease {row.lease} but {row.attempt_count} attempts")
        if newest.get(task_id, 0) > row.lease:
            problems.append(f"{task_id}: lease {newest[task_id]} was handed out, the store says {row.lease}")
        if row.state is TaskState.COMPLETED and not _has_completed(history, (task_id, row.lease)):
            problems.append(f"{task_id} is completed under lease {row.lease}, which nobody reported")
    return problems + [
        f"{lease} was completed, the store says {rows.get(lease[0])}"
        for lease, calls in history.accepted.items()
        if any(call.verb == "complete" for call in calls) and not _is_completed(rows.get(lease[0]), lease)
    ]


def unexplained_leases(history: History, rows: Mapping[str, Row], batch: int) -> list[str]:
    """A lease that no claimer saw was handed to one that was killed before the answer came."""
    seen = dict(history.handed_out())
    unseen = sum(row.lease - len(seen.get(task_id, [])) for task_id, row in rows.items())
    unanswered = sum(call.verb == "claim" and call.ended_at is None for call in history.calls)
    is_explained = unseen <= batch * unanswered
    return [] if is_explained else [f"{unseen} leases are unseen, but only {unanswered} claims unanswered"]


def _has_completed(history: History, lease: Lease) -> bool:
    return any(call.verb == "complete" for call in [*history.accepted[lease], *history.unanswered[lease]])


def _is_completed(row: Row | None, lease: Lease) -> bool:
    return row is not None and (row.state, row.lease) == (TaskState.COMPLETED, lease[1])


def _first(history: History, lease: Lease) -> Call:
    return history.claims[lease][0]
