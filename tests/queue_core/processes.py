"""Which processes are there?"""

from __future__ import annotations

import os
from pathlib import Path

from .crew import wait_until


def is_running(pid: int) -> bool:
    """Say whether a process is there, and not just its name in the list of those that nobody asked after."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not Path("/proc/self").exists()


def pid_in(file: Path) -> int:
    """Wait until a command has written its pid there."""
    wait_until(lambda: file.exists() and file.read_text().endswith("\n"), 20, f"a pid in {file.name}")
    return int(file.read_text())
