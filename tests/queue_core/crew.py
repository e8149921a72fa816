"""How are processes started, killed and replaced by a test?"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .history import Call, read_log

_ROOT = Path(__file__).parents[2]


def start(role: Callable[..., None], **arguments: Any) -> subprocess.Popen[str]:
    """Run a role of `claimers` in a process of its own."""
    command = [sys.executable, "-m", "tests.queue_core.claimers", role.__name__, json.dumps(arguments)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=_ROOT, text=True, **pipes)


@contextmanager
def started(count: int, role: Callable[..., None], **arguments: Any) -> Iterator[list[subprocess.Popen[str]]]:
    """Run a role in several processes, none of which outlives the test."""
    processes = [start(role, **arguments) for _ in range(count)]
    try:
        yield processes
    finally:
        for process in processes:
            _kill(process)


def wait_until(condition: Callable[[], bool], seconds: float, what: str) -> None:
    """Return as soon as the condition holds; fail after the deadline."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"after {seconds} s still not: {what}"
        time.sleep(0.01)


class Crew:
    """Claimers at work on one store: who is killed is replaced."""

    def __init__(self, role: Callable[..., None], url: str, folder: Path, randomness: random.Random) -> None:
        self._role, self._url, self._folder, self._randomness = role, url, folder, randomness
        self._stop = folder / "stop"
        self._logs: list[Path] = []
        self._alive: dict[subprocess.Popen[str], Path] = {}
        self.kill_count = 0

    def hire(self) -> None:
        log = self._folder / f"claimer-{len(self._logs):03}.log"
        self._logs.append(log)
        seed = self._randomness.randrange(1 << 32)
        process = start(self._role, url=self._url, log=str(log), stop=str(self._stop), seed=seed)
        self._alive[process] = log

    def replace_one(self) -> None:
        """Kill a claimer, as `kill -9` does, and hire another; by preference one that waits for an answer."""
        at_work = [process for process, log in self._alive.items() if log.exists()]
        if at_work:
            asking = [process for process in at_work if is_asking(self._alive[process])]
            victim = self._randomness.choice(asking or at_work)
            del self._alive[victim]
            _kill(victim)
            self.kill_count += 1
            self.hire()

    def died(self) -> list[str]:
        """Return what those said last who ended without being asked to."""
        return [process.communicate()[1] for process in self._alive if process.poll() is not None]

    def dismiss(self, seconds: float) -> list[str]:
        """Let all end by themselves; return what those said last who did not end well."""
        self._stop.touch()
        said = {process: process.communicate(timeout=seconds)[1] for process in self._alive}
        return [words for process, words in said.items() if process.returncode]

    def calls(self) -> Iterator[Call]:
        for log in self._logs:
            if log.exists():
                with log.open() as lines:
                    yield from read_log(log.stem, lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._alive:
            _kill(process)


def is_asking(log: Path) -> bool:
    """Say whether a claimer is in the middle of a call: it has begun one, and not written what came back."""
    with log.open("rb") as lines:
        lines.seek(max(0, log.stat().st_size - 10_000))
        return b'"verb"' in lines.read().rstrip().rpartition(b"\n")[2]


def _kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()
