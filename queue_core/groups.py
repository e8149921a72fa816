"""How are the processes ended that a dead or hanging worker left behind?"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from queue_core.board import Board


def end_groups(board: Board) -> None:
    """Kill the groups of processes that worked for the tasks on a board."""
    for run in board.runs():
        if run.group:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(run.group, signal.SIGKILL)
