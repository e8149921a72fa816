"""Of one task all is shown, how it stands first."""

from queue_core import Task, WorkerRecord
from queue_core.commands import handlers


def fail(queue, task_id: str, **options) -> None:
    """Let a worker run one task whose command fails."""
    (task,) = queue.claim(size=1, worker_id="w1")
    assert task.id == task_id
    try:
        handlers()["command"].function(task)
    except Exception as error:  # noqa: BLE001 (whatever it is, a worker would report it)
        queue.mark_as_retry(task, error, **options)


def test_show_tells_all_of_a_task(queuectl, enqueued, queue, folder):
    first = enqueued("true")
    task_id = enqueued(
        "echo said; exit 3",
        "--group",
        "night",
        "--tag",
        "shelf=top",
        "--priority",
        "high",
        "--env",
        "A=1",
        "--cwd",
        ".",
    )
    enqueued("true", "--after", first, "--after", task_id, "--id", "last")
    fail(queue, task_id)
    shown = queuectl("show", task_id).stdout
    facts = facts_of(shown)
    wanted = {"state": "RETRYABLE", "group": "night", "tags": "shelf=top", "env": "A=1", "attempts": "1 of 4"}
    assert wanted.items() <= facts.items()
    assert (facts["cwd"], facts["exit code"]) == (str(folder.resolve()), "3")
    assert "took" in facts
    assert "attempt 1 exited with 3" in shown
    assert shown.endswith("ago):\n  said\n")
    assert "Traceback" not in shown
    assert facts_of(queuectl("show", "last").stdout)["waits for"] == f"{first} (PENDING), {task_id} (RETRYABLE)"


def facts_of(shown: str) -> dict[str, str]:
    """Read what `show` says before its blocks; of facts with the same name the first counts."""
    facts: dict[str, str] = {}
    for line in shown.partition("\n\n")[0].splitlines():
        name, _, text = line.partition("  ")
        facts.setdefault(name, text.strip())
    return facts


def test_show_begins_with_how_it_stands_and_the_newest_error(queuectl, enqueued, queue):
    task_id = enqueued("echo said; exit 3")
    fail(queue, task_id, delay=0)
    queue.mark_as_discarded(queue.retry()[0], error=ValueError("one\ntwo"))
    shown = queuectl("show", task_id).stdout
    facts = facts_of(shown)
    assert list(facts)[:3] == ["id", "state", "error"]
    assert facts["error"] == "ValueError: two"
    assert shown.index("attempt 2 failed") < shown.index("attempt 1 exited with 3")


def test_a_traceback_is_shown_of_functions_and_for_programs_of_all(queuectl, told, enqueued, queue):
    task_id = enqueued("exit 3")
    fail(queue, task_id)
    assert "Traceback" not in queuectl("show", task_id).stdout
    assert "Traceback" in told("show", task_id)["errors"][0]["traceback"]
    queue.enqueue([call := Task(name="child")])
    try:
        {}["number"]
    except KeyError as error:
        queue.mark_as_discarded(*queue.claim(), error=error)
    assert "KeyError" in queuectl("show", call.id).stdout.partition("Traceback")[2]


def test_what_was_called_off_reads_so(queuectl, enqueued, queue):
    task_id = enqueued("true")
    queuectl("cancel", task_id, "--reason", "no more needed")
    shown = queuectl("show", task_id).stdout
    assert facts_of(shown)["state"] == "CANCELLED"
    assert facts_of(shown)["reason"] == "no more needed"
    assert "failed" not in shown


def test_show_says_what_holds_a_task_back(queuectl, enqueued, queue):
    grouped, named = enqueued("true", "--group", "g"), enqueued("true")
    lacking = enqueued("true", "--needs", "gpu")
    queuectl("pause", "--group", "g")
    assert "waits for  group g, which is paused" in queuectl("show", grouped).stdout
    assert "is paused" not in queuectl("show", named).stdout
    assert "waits for  a worker with gpu: none is there" in queuectl("show", lacking).stdout
    queuectl("pause", "--name", "command")
    assert "waits for  name command, which is paused" in queuectl("show", named).stdout
    queue.record_worker(
        WorkerRecord(id="w", host="h", pid=1, started_at=queue.clock.now_ms(), capabilities=frozenset({"gpu"}))
    )
    assert "a worker" not in queuectl("show", lacking).stdout


def test_show_tells_what_a_command_said(queuectl, told, enqueued, queue):
    task_id = enqueued("echo one; echo two")
    (task,) = queue.claim()
    queue.mark_as_complete(task, result=handlers()["command"].function(task))
    assert "output:\n  one\n  two\n" in queuectl("show", task_id).stdout
    assert told("show", task_id)["result"]["output"] == "one\ntwo\n"


def test_a_command_of_several_lines_is_shown_as_it_was_written(queuectl, enqueued):
    task_id = enqueued("cd work\nmake \x1b[2J")
    assert "command    cd work\n           make \\x1b[2J\n" in queuectl("show", task_id).stdout
