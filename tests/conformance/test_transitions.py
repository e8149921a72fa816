"""Every pair of state and event: the legal ones move, the others change nothing."""

import itertools

import pytest

from queue_core import IllegalTransition, TaskState
from queue_core.states import TRANSITIONS, WAITING, Event, next_state
from tests.conformance.steps import HAPPEN, in_state

LEGAL = [(t.state, t.event) for t in TRANSITIONS]
# One call asks for both: a waiting task is cancelled by it at once.
SAME_CALL = {(state, Event.REQUEST_CANCEL) for state in WAITING}
ILLEGAL = [pair for pair in itertools.product(TaskState, Event) if next_state(*pair) is None and pair not in SAME_CALL]
RAISING = {Event.COMPLETE, Event.FAIL, Event.DISCARD, Event.REQUEST_CANCEL, Event.CANCEL, Event.RESUME}
REFUSING = {Event.HEARTBEAT, Event.RELEASE}


@pytest.mark.parametrize(("state", "event"), LEGAL)
def test_legal_event_moves_the_task(queue, clock, state, event):
    task = in_state(queue, state)
    clock.advance(1300)
    before = queue.get(task)
    HAPPEN[event](queue, task)
    after = queue.get(task)
    assert after.state is next_state(state, event)
    assert after.updated_at == clock.now_ms()
    assert before.updated_at < after.updated_at


@pytest.mark.parametrize(("state", "event"), ILLEGAL)
def test_illegal_event_changes_nothing(queue, clock, state, event):
    task = in_state(queue, state)
    clock.advance(1300)
    before = queue.get(task)
    if event in RAISING:
        with pytest.raises(IllegalTransition, match=f"{task.id} is {state.name}: "):
            HAPPEN[event](queue, task)
    elif event in REFUSING and task.lease:
        assert HAPPEN[event](queue, task) == [task.id]
    elif event not in REFUSING:
        HAPPEN[event](queue, task)
    assert queue.get(task) == before


def test_every_transition_ends_where_the_table_says():
    """A claimed task reaches exactly the states that the table lets it reach."""
    reachable = {t.next_state for t in TRANSITIONS if t.state is TaskState.PROCESSING}
    assert reachable == set(TaskState)


def test_a_final_state_is_left_only_by_resume():
    leaving = {(t.state, t.event) for t in TRANSITIONS if t.state.is_final}
    assert leaving == {(TaskState.DISCARDED, Event.RESUME)}
