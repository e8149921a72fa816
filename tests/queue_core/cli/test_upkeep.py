"""The queue is tidied and held still on request."""

import pytest

from queue_core import TaskState


def test_cleanup_keeps_what_the_settings_say(queuectl, dead):
    dead()
    assert queuectl("cleanup").stdout == "0 deleted\n"
    queuectl("config", "set", "retention-discarded", "0")
    assert queuectl("cleanup").stdout == "1 deleted\n"


def test_cleanup_takes_an_age_and_states(told, dead, enqueued, queue):
    dead()
    done = enqueued("true")
    queue.mark_as_complete(queue.claim()[0])
    assert told("cleanup", "--older-than", "7d") == {"deleted": 0}
    assert told("cleanup", "--older-than", "0", "--state", "completed") == {"deleted": 1}
    assert told("list", "--state", "completed") == []
    assert done not in [task["id"] for task in told("list")]
    assert told("cleanup", "--older-than", "0", "--state", "dead", "--state", "cancelled") == {"deleted": 1}


def test_cleanup_never_takes_what_is_not_over(queuectl):
    said = queuectl("cleanup", "--state", "pending", exit_code=2).stderr
    assert "'--state': 'pending' is not over: say completed, cancelled or dead" in said


@pytest.mark.parametrize("which", [["--name", "command"], ["--group", "g"]])
def test_what_is_paused_waits_until_it_is_let_go(queuectl, enqueued, queue, which):
    task_id = enqueued("true", "--group", "g")
    queuectl("pause", *which)
    assert queue.claim() == []
    assert queue.snapshot().paused == 1
    queuectl("unpause", *which)
    assert [task.id for task in queue.claim()] == [task_id]
    assert queue.get(task_id).state is TaskState.PROCESSING


def test_programs_are_told_what_is_held(told):
    assert told("pause", "--group", "g") == {"name": None, "group": "g", "paused": True}
    assert told("unpause", "--name", "command") == {"name": "command", "group": None, "paused": False}


@pytest.mark.parametrize("command", ["pause", "unpause"])
@pytest.mark.parametrize("words", [[], ["--name", "a", "--group", "b"], ["--name", ""], ["--group", " "]])
def test_it_must_be_said_what_to_hold(queuectl, command, words):
    queuectl(command, *words, exit_code=2)
