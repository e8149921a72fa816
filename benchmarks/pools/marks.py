"""When did a process run its first job and its last one, and which jobs did it run?

Each process writes what it did into a small file of its own, mapped into memory: a microsecond a job, the same for
every queue, and readable from outside while it works.
"""

import mmap
import os
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 120.0
_LOOK_SECONDS = 0.001
_HEAD = struct.Struct("ddQ")  # first, last, how many; then one byte per job
_SUFFIX = ".marks"
_GATE = "gate"


class Marks:
    """What this process has run; opening it waits until the parent lets all processes begin together."""

    def __init__(self, folder: Path, job_count: int) -> None:
        self._bytes = _mapped(folder, job_count)
        self._count = 0
        _await_gate(folder)
        self._first = time.monotonic()

    def note(self, text: str) -> None:
        """Note that a job ran: the one whose number stands in its text."""
        self._count += 1
        self._bytes[_HEAD.size + int(text.split(" ", 2)[1])] += 1
        _HEAD.pack_into(self._bytes, 0, self._first, time.monotonic(), self._count)


def _mapped(folder: Path, job_count: int) -> mmap.mmap:
    """Make the file of this process; it gets its name, by which it counts as arrived, when it is complete."""
    file = folder / f"{os.getpid()}.new"
    file.write_bytes(bytes(_HEAD.size + job_count))
    with file.open("r+b") as opened:
        mapped = mmap.mmap(opened.fileno(), 0)
    file.rename(file.with_suffix(_SUFFIX))
    return mapped


def _await_gate(folder: Path) -> None:
    """Wait in the first job until every process has one: who starts later must not be a pause of the others."""
    gate, deadline = folder / _GATE, time.monotonic() + PATIENCE_SECONDS
    while not gate.exists():
        if time.monotonic() > deadline:
            raise RuntimeError("nobody opened the gate")
        time.sleep(_LOOK_SECONDS)


@dataclass(frozen=True)
class Shift:
    """What one process did; the clock is the machine's, so shifts of processes compare."""

    first: float
    last: float
    count: int
    runs: bytes
    """How often each job ran here."""


def arrived_count(folder: Path) -> int:
    """Count the processes that hold their first job."""
    return len(list(folder.glob(f"*{_SUFFIX}")))


def open_gate(folder: Path) -> None:
    """Let all of them begin."""
    (folder / _GATE).touch()


def shifts(folder: Path) -> list[Shift]:
    """Read what every process has done so far."""
    known = [file.read_bytes() for file in folder.glob(f"*{_SUFFIX}")]
    return [Shift(*_HEAD.unpack_from(one), one[_HEAD.size :]) for one in known]


def rate_of(worked: Sequence[Shift], job_count: int) -> float:
    """Return the jobs per second of all processes together; raises RuntimeError where one did not run just once."""
    times = [sum(each) for each in zip(*(shift.runs for shift in worked), strict=True)]
    if any(count != 1 for count in times):
        missing, often = times.count(0), sum(count > 1 for count in times)
        raise RuntimeError(f"{missing} of {job_count} jobs did not run, {often} ran more than once")
    return job_count / (max(shift.last for shift in worked) - min(shift.first for shift in worked))
