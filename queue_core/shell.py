"""How is a shell command run, and ended with all that it started?"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping

from queue_core.captured import Captured

GRACE_SECONDS = 2.0
"""How long a command may tidy up between SIGTERM and SIGKILL."""
_DRAIN_SECONDS = 0.5
"""How long to read on after the end, where something else goes on writing."""
_TICK = 0.02
_CHUNK = 64 * 1024


class Shell:
    """A command in a process group of its own, whose output is read as it comes."""

    def __init__(self, command: str, cwd: str | None = None, env: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (to run what it is told is its purpose)
            ["/bin/sh", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            start_new_session=True,
            cwd=cwd,
            env={**os.environ, **env} if env else None,
        )
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
        """Take in what was written, end what is left of the group, and return when the command is gone."""
        try:
            if self._process.poll() is not None:
                self._drain()
            if self._signal(signal.SIGTERM):
                self._outlast()
                self._signal(signal.SIGKILL)
            self._process.wait()
        finally:
            self._pipe.close()

    def _drain(self) -> None:
        deadline = time.monotonic() + _DRAIN_SECONDS
        while time.monotonic() < deadline and self._read(0):
            pass

    def _outlast(self) -> None:
        """Wait until the group is gone, for as long as the grace lasts."""
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline:
            # Reaped here: a zombie would count as one of the group.
            self._process.poll()
            if not self._signal(0):
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
