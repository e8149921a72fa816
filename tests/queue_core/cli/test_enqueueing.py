"""A command goes on the queue as it was typed."""

import pytest

from queue_core import TaskState


def test_its_id_is_printed_alone(queuectl, queue):
    result = queuectl("enqueue", "echo hi")
    task = queue.get(result.stdout.removesuffix("\n"))
    assert task.name == "command"
    assert task.items[0].command == "echo hi"
    assert result.stderr == ""


def test_every_option_reaches_the_task(enqueued, queue, folder):
    first = enqueued("echo first")
    task_id = enqueued(
        "echo second", "--priority", "HIGH", "--delay", "1h30m", "--timeout", "90", "--retries", "4", "--after", first,
        "--tag", "shelf=top", "--tag", "a=b=c", "--group", "night", "--needs", "gpu", "--key", "k", "--cwd", "sub",
        "--env", "A=1", "--env", "B=", "--id", "mine",
    )  # fmt: skip
    task = queue.get(task_id)
    assert task_id == "mine"
    assert (task.priority, task.timeout_seconds, task.max_attempts) == (0, 90, 5)
    assert 5395 < (task.due_at - queue.clock.now_ms()) / 1000 <= 5400
    assert task.depends_on == (first,)
    assert task.tags == {"shelf": "top", "a": "b=c"}
    assert (task.group_id, task.needs, task.idempotency_key) == ("night", {"gpu"}, "k")
    assert task.items[0].model_dump() == {
        "command": "echo second", "cwd": str(folder.resolve() / "sub"), "env": {"A": "1", "B": ""}, "stdin": None
    }  # fmt: skip


def test_what_is_not_said_is_left_to_the_queue(enqueued, queue):
    task = queue.get(enqueued("true"))
    assert (task.max_attempts, task.timeout_seconds, task.group_id) == (None, None, None)


@pytest.mark.parametrize(("word", "level"), [("high", 0), ("7", 7), ("Low", 10)])
def test_a_priority_is_a_label_or_a_number(enqueued, queue, word, level):
    assert queue.get(enqueued("true", "--priority", word)).priority == level


def test_a_known_key_or_id_enqueues_nothing(enqueued, queue):
    assert enqueued("true", "--key", "k") == enqueued("false", "--key", "k")
    assert enqueued("true", "--id", "x") == enqueued("false", "--id", "x") == "x"
    assert queue.counts()[TaskState.PENDING] == 2


def test_many_commands_come_from_a_file(queuectl, queue, folder):
    (folder / "commands.txt").write_text("# of tonight\necho one\n\n  echo two  \necho three\n")
    ids = queuectl("enqueue", "--file", "commands.txt", "--group", "night").stdout.split()
    assert [queue.get(task_id).items[0].command for task_id in ids] == ["echo one", "echo two", "echo three"]
    assert queue.counts("night")[TaskState.PENDING] == 3


def test_many_commands_come_from_standard_input(told, queue):
    ids = told("enqueue", "--file", "-", input="echo one\necho two\n")["ids"]
    assert [queue.get(task_id).items[0].command for task_id in ids] == ["echo one", "echo two"]


def test_of_many_commands_all_are_enqueued_or_none(queuectl, queue):
    lines = "".join(f"echo {number}\n" for number in range(1000))
    result = queuectl("enqueue", "--file", "-", input=f"{lines}echo \0\n", exit_code=2)
    assert "line 1001: a NUL character can't be stored\n" in result.stderr
    assert queue.snapshot().depth == 0


def test_a_line_that_is_no_text_is_named(queuectl, queue, folder):
    (folder / "commands.txt").write_bytes(b"\xef\xbb\xbfecho one\necho \xff\n")
    said = queuectl("enqueue", "--file", "commands.txt", exit_code=2).stderr
    assert "Invalid value for --file commands.txt, line 2: it is not UTF-8\n" in said
    assert queue.snapshot().depth == 0


@pytest.mark.parametrize("words", [["echo", "hi"], ["ls", "-l"]])
def test_who_forgets_the_quotes_is_told_about_them(queuectl, words):
    assert 'quote the whole command: queuectl enqueue "echo hi"' in queuectl("enqueue", *words, exit_code=2).stderr


def test_no_lines_are_no_tasks(queuectl):
    assert queuectl("enqueue", "--file", "-", input="").stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["echo", "two words"],
        ["echo", "--file", "-"],
        ["--file", "-", "--key", "k"],
        ["--file", "-", "--id", "k"],
        ["--file", "nowhere.txt"],
        ["echo", "--priority", "soon"],
        ["echo", "--priority", "99"],
        ["echo", "--delay", "5 parsecs"],
        ["echo", "--delay", "-1"],
        ["echo", "--retries", "-1"],
        ["echo", "--tag", "no value"],
        ["echo", "--env", "=1"],
        [""],
        [" \n"],
        ["echo", "--timeout", "0"],
        ["echo", "--id", "x" * 300],
        *(["echo", option, ""] for option in ("--id", "--key", "--group", "--needs", "--after")),
    ],
)
def test_wrong_use_is_exit_code_2_and_enqueues_nothing(queuectl, queue, words):
    assert "Error: " in queuectl("enqueue", *words, exit_code=2, input="").stderr
    assert queue.snapshot().depth == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["true", "--after", "nobody"], "--after: task nobody does not exist"),
        (["true", *(f"--needs={number}{'x' * 250}" for number in range(9))], "--needs: together they are longer"),
    ],
)
def test_what_the_queue_refuses_is_exit_code_1_and_names_the_option(queuectl, queue, words, said):
    result = queuectl("enqueue", *words, exit_code=1)
    assert result.stderr.startswith(f"queuectl: {said}")
    assert result.stderr.count("\n") == 1
    assert queue.snapshot().depth == 0


def test_a_full_queue_says_so(queuectl, folder):
    (folder / "queuectl.toml").write_text("max-pending = 1\n")
    queuectl("enqueue", "true")
    assert "1 tasks wait already, and max-pending is 1" in queuectl("enqueue", "true", exit_code=1).stderr
