"""Does every store do what the contract says, whatever is done to it and in whatever order?"""

from functools import partial

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from queue_core import ManualClock, Queue

from .moves import OperatorMoves
from .plans import CONFIG

EXAMPLES = {"memory": 300, "sqlite": 100, "postgresql": 60}
"""How many plays each store gets: about as many as run in 20 seconds."""
STEPS = 50


@pytest.mark.timeout(600)  # a play that fails is made smaller for up to five minutes
def test_every_store_behaves_like_the_model(url: str, clock: ManualClock):
    how = settings(
        max_examples=EXAMPLES[url.partition(":")[0]],
        stateful_step_count=STEPS,
        suppress_health_check=list(HealthCheck),
    )
    with Queue.open(url, config=CONFIG, clock=clock) as queue:
        run_state_machine_as_test(partial(OperatorMoves, queue, clock), settings=how)
