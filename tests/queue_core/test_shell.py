"""A command runs in a group of its own, and nothing of it is left when it has ended."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from queue_core.captured import Captured
from queue_core.shell import GRACE_SECONDS, Shell

from .crew import wait_until
from .processes import is_running, pid_in

RUN = "import sys; from queue_core.shell import Shell; shell = Shell(sys.argv[1])\nwhile shell.wait(1) is None: pass"


def run(command: str, seconds: float = 30, **where) -> tuple[int | None, str]:
    """Run a command to its end, or for so long; return its exit code and its output."""
    shell = Shell(command, **where)
    deadline = time.monotonic() + seconds
    exit_code = None
    while exit_code is None and time.monotonic() < deadline:
        exit_code = shell.wait(0.05)
    shell.end()
    return exit_code, shell.output.text()


def open_files() -> set[str]:
    """Return what this process has open, where the system shows it."""
    return {file.name for file in Path("/proc/self/fd").glob("*")}


def test_output_and_errors_come_in_the_order_of_writing():
    assert run("echo one; echo two >&2; echo three") == (0, "one\ntwo\nthree\n")


@pytest.mark.parametrize(("command", "exit_code"), [("exit 3", 3), ("kill -KILL $$", -9), ("no-such-command", 127)])
def test_the_exit_code_is_told(command, exit_code):
    assert run(command)[0] == exit_code


def test_it_reads_nothing():
    assert run("cat; read word || echo end") == (0, "end\n")


def test_its_arguments_are_those_of_a_plain_shell():
    assert run('echo "$0 $#"') == (0, "/bin/sh 0\n")


def test_it_runs_in_its_folder_with_its_variables(tmp_path, monkeypatch):
    monkeypatch.setenv("KEPT", "yes")
    assert run('pwd; echo "$KEPT $OWN"', cwd=str(tmp_path), env={"OWN": "é"}) == (0, f"{tmp_path}\nyes é\n")


def test_a_folder_that_does_not_exist_is_an_error_that_leaves_nothing_behind(tmp_path):
    before = open_files()
    with pytest.raises(FileNotFoundError):
        Shell("pwd", cwd=str(tmp_path / "nowhere"))
    assert open_files() == before


def test_one_that_closes_its_output_is_waited_for(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    shell = Shell(f"exec >&- 2>&-; read word < {fifo}; exit 5")
    assert shell.wait(0.2) is None
    fifo.write_text("go\n")
    wait_until(lambda: shell.wait(0.05) == 5, 10, "its end")
    shell.end()


def test_a_child_that_keeps_the_output_open_is_not_waited_for(tmp_path):
    started_at = time.monotonic()
    exit_code, output = run(f"sleep 600 & echo $! > {tmp_path / 'pid'}; echo done")
    assert (exit_code, output) == (0, "done\n")
    assert time.monotonic() - started_at < 10
    assert not is_running(pid_in(tmp_path / "pid"))


def test_a_child_that_writes_for_ever_is_not_listened_to_for_ever():
    exit_code, output = run("yes & sleep 0.2")
    assert exit_code == 0
    assert output.startswith("y\n")


def test_the_end_is_the_end_of_grandchildren_too(tmp_path):
    nested = f"sh -c 'sh -c \"echo \\$\\$ > {tmp_path / 'pid'}; exec sleep 600\" & wait' & wait"
    shell = Shell(nested)
    pid = pid_in(tmp_path / "pid")
    asked_at = time.monotonic()
    shell.end()
    assert not is_running(pid)
    assert time.monotonic() - asked_at < GRACE_SECONDS, "a zombie that nobody reaps was waited for"


def test_whoever_ignores_the_first_signal_gets_one_that_nobody_ignores(tmp_path):
    shell = Shell(f"trap '' TERM; sh -c 'echo $$ > {tmp_path / 'pid'}; while :; do sleep 1; done'; sleep 600")
    pid, asked_at = pid_in(tmp_path / "pid"), time.monotonic()
    shell.end()
    assert GRACE_SECONDS <= time.monotonic() - asked_at < GRACE_SECONDS + 5
    wait_until(lambda: not is_running(pid), 10, "the end of a child")
    assert not is_running(shell.group)


def test_it_may_tidy_up(tmp_path):
    shell = Shell(f"trap 'echo tidy; exit 0' TERM; echo $$ > {tmp_path / 'pid'}; while :; do sleep 0.05; done")
    pid_in(tmp_path / "pid")
    shell.end()
    assert shell.output.text().endswith("tidy\n")


def test_one_that_stopped_itself_is_ended(tmp_path):
    shell = Shell(f"echo $$ > {tmp_path / 'pid'}; kill -STOP $$")
    pid = pid_in(tmp_path / "pid")
    shell.end()
    assert not is_running(pid)


@pytest.mark.parametrize("command", ["sleep 600", "trap '' TERM HUP INT; sleep 600 & wait", "exec >&- 2>&-; sleep 600"])
def test_it_does_not_outlive_a_process_that_was_killed(tmp_path, command):
    words = f"echo $$ > {tmp_path / 'pid'}; {command}"
    owner = subprocess.Popen([sys.executable, "-c", RUN, words], start_new_session=True)
    pid = pid_in(tmp_path / "pid")
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    wait_until(lambda: not is_running(pid), 10, "the end of an orphan")


def test_no_guard_is_left_when_a_command_has_ended(tmp_path):
    shell = Shell("exit 0")
    guard = shell._guard._process.pid
    shell.end()
    assert not is_running(guard)


def test_the_middle_of_a_long_output_is_left_out():
    exit_code, output = run("echo first; yes | head -c 1000000; echo last")
    assert exit_code == 0
    assert output.startswith("first\ny\n")
    assert output.endswith("y\nlast\n")
    assert "bytes left out" in output
    assert len(output) < 70_000


def test_bytes_that_are_no_text_are_shown_as_such():
    assert run(r"printf 'a\377\376b\0c'") == (0, "a��b\0c")


def test_what_is_captured_is_whole_up_to_its_cap_and_no_larger_beyond():
    captured = Captured(most_bytes=10)
    for number in range(10):
        captured.add(str(number).encode())
    assert captured.text() == "0123456789"
    captured.add(b"abc")
    assert captured.dropped_bytes == 3
    assert captured.text() == "01234\n… 3 bytes left out …\n89abc"


def test_one_chunk_may_be_longer_than_the_cap():
    captured = Captured(most_bytes=4)
    captured.add(b"abcdefgh")
    captured.add(b"")
    assert captured.text() == "ab\n… 4 bytes left out …\ngh"


def test_a_character_that_came_in_two_parts_is_whole():
    captured = Captured()
    for byte in "é".encode():
        captured.add(bytes([byte]))
    assert captured.text() == "é"
