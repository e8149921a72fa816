"""Which process is this, and is that one still there?

A pid alone does not say: it is used again, and other machines and containers have the same.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PROC = Path("/proc")


@cache
def machine() -> str | None:
    """Return what names this boot of this machine and its space of pids; None where the system does not tell."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return None


def start_time(pid: int) -> str | None:
    """Return when a process started, as its system counts; None where it is gone, or nothing but a zombie."""
    try:
        # The name stands in brackets and may hold anything, brackets too.
        stat = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    state, started = fields[0], fields[19]
    return None if state in "ZX" else started


def is_gone(on_machine: str | None, pid: int, started: str | None) -> bool:
    """Return whether a process certainly ended; False where this machine can't know."""
    return _is_ours(on_machine, started) and start_time(pid) != started


def is_there(on_machine: str | None, pid: int, started: str | None) -> bool:
    """Return whether a process certainly is still there; False where this machine can't know."""
    return _is_ours(on_machine, started) and start_time(pid) == started


def _is_ours(on_machine: str | None, started: str | None) -> bool:
    return on_machine is not None and started is not None and on_machine == machine()
