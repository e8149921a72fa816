"""What ends a command whose worker was killed, and can't end it any more?"""

from __future__ import annotations

import subprocess
from typing import IO

_WATCH = 'read -r group && { read -r _; kill -s KILL -- "-$group"; }'


class Guard:
    """A tiny process that reads from a pipe which only this process, and a command before it begins, holds open.

    The command names its group there first. When the pipe closes after that, whoever looked after the
    command is gone, and so shall be the group.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 (our own words)
            ["/bin/sh", "-c", _WATCH],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )

    @property
    def pipe(self) -> IO[bytes]:
        """Where a command names its group."""
        assert self._process.stdin is not None
        return self._process.stdin

    def dismiss(self) -> None:
        """End the guard, now that there is nobody left to watch."""
        # Killed before its pipe closes: it would take that for our death.
        self._process.kill()
        self._process.wait()
        self.pipe.close()
