"""How is a shell command run, and ended with all that it started?"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from queue_core.captured import Captured
from queue_core.guard import Guard

GRACE_SECONDS = 2.0
"""How long a command may tidy up between SIGTERM and SIGKILL."""
_DRAIN_SECONDS = 0.5
"""How long to read on after the end, where something that left the group goes on writing."""
_TICK = 0.02
_CHUNK = 64 * 1024
_PROCESSES = Path("/proc")
"""Where Linux shows them; other systems do not."""
_BEGIN = 'echo $$ >&0; exec /bin/sh -c "$1" <"$2"'
"""Names its group to the guard, then becomes the command: whatever is killed when, none is left without a guard."""


class Shell:
    """A command in a process group of its own, whose output is read as it comes."""

    def __init__(
        self, command: str, cwd: str | None = None, env: Mapping[str, str] | None = None, stdin: str = os.devnull
    ) -> None:
        """Start it, with a file to read from; raises OSError where that is not possible: no such folder, perhaps."""
        self._guard = Guard()
        try:
            self._process = _started([command, stdin], cwd, env, self._guard)
        except BaseException:
            self._guard.dismiss()
            raise
        assert self._process.stdout is not None
        self._pipe = self._process.stdout
        self._poll = select.poll()
        self._poll.register(self._pipe, select.POLLIN)
        self._is_open = True
        self.output = Captured()

    @property
    def group(self) -> int:
        """The process group, which all that it starts belongs to unless it leaves on purpose."""
        return self._process.pid

    def wait(self, seconds: float) -> int | None:
        """Take in output for some seconds at most; return the exit code as soon as there is one.

        The end of the output is not waited for: what the command left behind may hold the pipe for ever.
        """
        if not self._read(seconds):
            self._wait_closed(seconds)
        return self._process.poll()

    def _read(self, seconds: float) -> bool:
        """Return whether something came."""
        if not self._is_open or not self._poll.poll(seconds * 1000):
            return False
        chunk = os.read(self._pipe.fileno(), _CHUNK)
        self._is_open = bool(chunk)
        self.output.add(chunk)
        return self._is_open

    def _wait_closed(self, seconds: float) -> None:
        """Wait for one that closed its output, and runs on perhaps."""
        if not self._is_open:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                return

    def end(self) -> None:
        """End what is left of the group, take in what was written, and return when the command is gone."""
        try:
            if self._signal(signal.SIGTERM):
                self._outlast()
                self._signal(signal.SIGKILL)
            self._process.wait()
            self._drain()
        finally:
            self._guard.dismiss()
            self._pipe.close()

    def _drain(self) -> None:
        deadline = time.monotonic() + _DRAIN_SECONDS
        while time.monotonic() < deadline and self._read(0):
            pass

    def _outlast(self) -> None:
        """Wait until the group is gone, for as long as the grace lasts."""
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline:
            self._process.poll()
            if not self._signal(0) or not _is_alive(self.group):
                return
            if not self._read(_TICK):
                time.sleep(_TICK)

    def _signal(self, number: int) -> bool:
        """Return whether anybody was there to get it."""
        try:
            os.killpg(self.group, number)
        except ProcessLookupError:
            return False
        except PermissionError:  # a program that runs as another user
            return True
        return True


def _is_alive(group: int) -> bool:
    """Return whether one of the group is more than a zombie: where nobody reaps orphans, those stay for long."""
    if not _PROCESSES.exists():
        return True
    return any(_is_alive_in(group, process / "stat") for process in _PROCESSES.iterdir() if process.name.isdecimal())


def _is_alive_in(group: int, stat: Path) -> bool:
    try:
        state, _, its_group = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:3]
    except OSError:  # it ended meanwhile
        return False
    return int(its_group) == group and state not in "ZX"


def _started(
    arguments: Sequence[str], cwd: str | None, env: Mapping[str, str] | None, guard: Guard
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 (to run what it is told is its purpose)
        ["/bin/sh", "-c", _BEGIN, "sh", *arguments],
        stdin=guard.pipe,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        start_new_session=True,
        cwd=cwd,
        env={**os.environ, **env} if env else None,
    )
