"""How does a worker report many endings, of every kind, and start what comes next, in one step?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from queue_core.backends import finishing
from queue_core.backends.base import Held
from queue_core.backends.dialect import Transaction
from queue_core.backends.starting import start
from queue_core.endings import Ending, Settled
from queue_core.errors import IllegalTransition, LeaseLost, TaskNotFound
from queue_core.states import Event, TaskState, target

_REFUSALS = (LeaseLost, TaskNotFound, IllegalTransition)


def settle(tx: Transaction, endings: Sequence[Ending], starting: Held) -> Settled:
    """End what ended, each under its lease; then mark what starts. One refusal keeps no other from counting."""
    done = [ending for ending in endings if ending.event is Event.COMPLETE]
    refused = {*_complete(tx, done)}
    states = {ending.task_id: target(Event.COMPLETE) for ending in done if ending.task_id not in refused}
    for ending in endings:
        if ending.event is not Event.COMPLETE:
            try:
                states[ending.task_id] = _STEPS[ending.event](tx, ending)
            except _REFUSALS:
                refused.add(ending.task_id)
    return Settled(states, tuple(sorted(refused)), tuple(start(tx, starting)))


def _complete(tx: Transaction, done: Sequence[Ending]) -> Iterator[str]:
    plain = [(ending.task_id, ending.lease) for ending in done if ending.result is None]
    if plain:
        yield from finishing.complete_many(tx, plain)
    with_result = [(ending.task_id, ending.lease, ending.result) for ending in done if ending.result is not None]
    if with_result:
        yield from finishing.complete_results(tx, with_result)


def _fail(tx: Transaction, ending: Ending) -> TaskState:
    return finishing.fail(tx, ending.task_id, ending.lease, ending.error, ending.delay)


def _discard(tx: Transaction, ending: Ending) -> TaskState:
    return finishing.discard(tx, ending.task_id, ending.lease, ending.error)


def _cancel(tx: Transaction, ending: Ending) -> TaskState:
    return finishing.cancel(tx, ending.task_id, ending.lease, ending.error)


def _release(tx: Transaction, ending: Ending) -> TaskState:
    due_at = tx.now + round(ending.delay * 1000) if ending.delay else None
    state = finishing.give_back(tx, ending.task_id, ending.lease, due_at)
    if state is None:
        raise finishing.refusal(tx, ending.task_id, ending.lease, Event.RELEASE)
    tx.wakes = True
    return state


_STEPS: dict[Event, Callable[[Transaction, Ending], TaskState]] = {
    Event.FAIL: _fail,
    Event.DISCARD: _discard,
    Event.CANCEL: _cancel,
    Event.RELEASE: _release,
}
