"""Help has examples, errors are one line, exit codes can be trusted."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result

from queue_core.cli.main import cli
from tests.queue_core.crew import wait_until

SCRIPT = Path(sys.executable).parent / "queuectl"


def commands(group: click.Group = cli, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command and group."""
    yield path
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_help_text_has_an_example(queuectl, path):
    shown = queuectl(*path, "--help").stdout
    assert "Examples:\n    " in shown
    assert " ".join(["queuectl", *path]) in shown.partition("Examples:")[2]


@pytest.mark.parametrize("path", [path for path in commands() if len(path) < 2], ids=" ".join)
def test_no_summary_is_cut(queuectl, path):
    assert "..." not in queuectl(*path, "--help").stdout.partition("Commands:")[2]


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_option_is_described(path):
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    undescribed = [option.name for option in command.params if isinstance(option, click.Option) and not option.help]
    assert undescribed == []


def test_the_version_is_told(queuectl):
    assert queuectl("--version").stdout.startswith("queuectl, version ")


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from queue_core.cli.main import cli; cli(['--help'], standalone_mode=False);"
        "sys.exit(bool({'sqlalchemy', 'rich', 'tomlkit', 'pydantic_settings', 'structlog'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, stdout=subprocess.DEVNULL).returncode == 0


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("oracle://x", "'oracle://x' is no URL of a queue"),
        ("nonsense", "'nonsense' is no URL of a queue"),
        ("postgresql://me:secret@host:port/db", "'postgresql://me:***@host:port/db' is no URL of a queue"),
        ("memory://", "a queue in memory would end with this command"),
        ("sqlite://", "a queue in memory would end with this command"),
    ],
)
def test_a_value_that_is_no_store_is_one_line_without_its_password(queuectl, url, words):
    one_line(queuectl("--database", url, "list", exit_code=2), words)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("sqlite:////proc/none/queue.db", "there is no queue at /proc/none/queue.db yet"),
        ("postgresql://me:secret@nowhere.invalid/db", "nowhere.invalid"),
    ],
)
def test_a_store_that_can_not_be_used_is_one_line_without_its_password(queuectl, url, words):
    one_line(queuectl("--database", url, "list", exit_code=1), words)


def one_line(result: Result, words: str) -> None:
    assert words in result.stderr
    assert result.stderr.startswith("queuectl: ")
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr
    assert result.stdout == ""


LOOKING = [
    ["list"], ["show", "x"], ["status"], ["cancel", "x"], ["cleanup"], ["dlq", "list"], ["dlq", "show", "x"],
    ["worker", "list"], ["worker", "stop"],
]  # fmt: skip


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_who_looks_at_a_queue_does_not_make_it(queuectl, folder, words):
    said = queuectl(*words, exit_code=1).stderr
    assert said == "queuectl: there is no queue at data/queue.db yet: queuectl enqueue makes it\n"
    assert list(folder.iterdir()) == []


def test_a_newer_schema_is_one_line(queuectl, queue):
    with queue.transaction() as connection:
        connection.exec_driver_sql("UPDATE schema_versions SET version = version + 900")
    assert "upgrade tts-pipeline" in queuectl("list", exit_code=1).stderr


def test_an_interrupt_is_exit_code_130(folder):
    os.mkfifo(folder / "commands")
    process = subprocess.Popen([SCRIPT, "enqueue", "--file", "commands"], stderr=subprocess.PIPE)
    with (folder / "commands").open("w"):  # opened as soon as it is read
        wait_until(lambda: "State:\tS" in Path(f"/proc/{process.pid}/status").read_text(), 60, "it to read")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.strip() == b""


@pytest.mark.parametrize(
    "words", [["list"], ["list", "--json"], ["config", "list"], ["completion", "bash"], ["--help"]]
)
def test_a_reader_that_goes_away_is_no_reason_to_complain(enqueued, words):
    enqueued("true")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([SCRIPT, *words], stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_each_shell(queuectl, shell):
    shown = queuectl("completion", shell).stdout
    assert "_QUEUECTL_COMPLETE" in shown


def completed(*words: str) -> list[str]:
    """Ask as bash does, at the end of a line."""
    asked = {"_QUEUECTL_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(["queuectl", *words])}
    asked["COMP_CWORD"] = str(len(words))
    done = subprocess.run([SCRIPT], env=os.environ | asked, capture_output=True, text=True, check=True, timeout=60)
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_a_shell_completes_commands_settings_states_and_priorities():
    assert completed("dlq", "p") == ["purge"]
    assert completed("config", "set", "max-re") == ["max-retries", "max-retry-delay"]
    assert completed("list", "--state", "c") == ["completed", "cancelled"]
    assert completed("enqueue", "--priority", "") == ["high", "normal", "medium", "low"]
