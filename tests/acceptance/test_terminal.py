"""On a terminal people see each book move, and what is given up as it happens."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from tests.acceptance.reader import COMMAND, Reader, book, environment, sentence

STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def seen(reader: Reader, *words: str, size: tuple[int, int] = (24, 140)) -> tuple[list[str], int]:
    """Run a command at a terminal; return all lines that were ever seen there, and how it ended."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    with subprocess.Popen(
        [COMMAND, *words],
        cwd=reader.folder,
        env={**environment(), "TERM": "xterm-256color"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = bytearray()
        try:
            while data := os.read(ours, 4096):
                shown += data
        except OSError:
            pass  # Linux says so where nobody is left at the other end
    os.close(ours)
    return STEERING.sub("", shown.decode()).replace("\r", "\n").splitlines(), process.returncode


def test_each_book_and_all_of_them_move_and_a_sentence_given_up_is_told(reader):
    bad = sentence(1, 4)
    reader.writes("fails.txt", bad)
    reader.writes("tts-pipeline.toml", f"engine = {reader.speaker!r}\nretry-delay = 0.01\nattempts = 2\nbatch = 2\n")
    for name in ("walk", "sail", "ride"):
        reader.writes(f"{name}.txt", book(1, 9, name))
    lines, code = seen(reader, "run", "walk.txt", "sail.txt", "ride.txt", "--workers", "1", size=(8, 140))
    assert code == 1
    told = [line for line in lines if "will be tried again: " in line or "given up: " in line]
    assert [line.partition(":")[0] for line in told] == ["The Walk", "The Walk"]
    assert all(f"sentence 7, {bad!r}" in line for line in told)
    in_all = [line for line in lines if line.startswith("in all")]
    assert any(re.search(r"\d+ of 36 sentences, \d+ × real time, \d+:\d\d left", line) for line in in_all)
    assert any("━" in line for line in in_all)
    assert any(re.match(r"The \w+ .*\d+ of 12 sentences", line) for line in lines)
    assert any(re.search(r"and \d books?: ", line) for line in lines), "two of them do not fit"
    assert any("The Sail.m4b  (" in line for line in lines)
