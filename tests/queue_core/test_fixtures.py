"""What a program's own tests can use."""

import pytest

pytest_plugins = ["pytester"]

PROGRAM = """
import pytest
from queue_core import Queue, Task
from queue_core.execution import LAST_EXCEPTIONS
from queue_core.testing import drain

def fail(task):
    raise ValueError("no voice")

@pytest.mark.parametrize("again", range(2))
def test_it_fails(last_exceptions, again):
    assert last_exceptions == []
    with Queue.open("memory://") as queue:
        (task_id,) = queue.enqueue([Task(name="render")])
        drain(queue, {"render": fail})
    assert last_exceptions == [{"task_id": task_id, "name": "render", "error": "no voice", "type": "ValueError"}]
    assert last_exceptions is LAST_EXCEPTIONS

def test_nothing_is_left():
    assert LAST_EXCEPTIONS == []
"""


def test_the_last_exceptions_of_each_test_are_its_own(pytester: pytest.Pytester):
    pytester.makeconftest('pytest_plugins = ["queue_core.fixtures"]')
    pytester.makepyfile(PROGRAM)
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=3)
