"""Does every store do what the contract says, whatever is done to it and in whatever order?"""

from functools import partial

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from queue_core import ManualClock, Queue, Task, TaskState

pytest.register_assert_rewrite(*(f"{__package__}.{name}" for name in ("crew_moves", "moves", "side_by_side")))

from .crew_moves import CrewMoves  # noqa: E402 (its assertions are to explain themselves)
from .plans import CONFIG  # noqa: E402

EXAMPLES = {"memory": 150, "sqlite": 60, "postgresql": 50}
"""How many plays each store gets: about as many as run in 10 seconds."""
STEPS = 50


@pytest.mark.timeout(600)  # a play that fails is made smaller for up to five minutes
def test_every_store_behaves_like_the_model(url: str, clock: ManualClock):
    how = settings(
        max_examples=EXAMPLES[url.partition(":")[0]],
        stateful_step_count=STEPS,
        suppress_health_check=list(HealthCheck),
    )
    with Queue.open(url, config=CONFIG, clock=clock) as queue:
        run_state_machine_as_test(partial(CrewMoves, queue, clock), settings=how)


@pytest.mark.parametrize("report", ["complete", "release"])
def test_a_refused_report_leaves_the_newer_lease_known(queue: Queue, clock: ManualClock, report: str):
    """A bare id means the lease last handed out, whatever a late worker of the same process reports meanwhile."""
    (task_id,) = queue.enqueue([Task()])
    (late,) = queue.claim()
    clock.advance(3601)
    queue.rescue()
    queue.claim()
    assert getattr(queue, report)([late]) == [task_id]
    queue.mark_as_complete(task_id)
    assert queue.get(task_id).state is TaskState.COMPLETED


def test_tasks_of_very_many_names_can_be_claimed(queue: Queue):
    ids = queue.enqueue([Task(name=f"name {number}") for number in range(1000)])
    assert [task.id for task in queue.claim(3)] == ids[:3]
