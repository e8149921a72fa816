"""What does a supervisor know of a child process, and what can it do to it?"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext
from multiprocessing.reduction import ForkingPickler
from typing import Any

from queue_core.board import Board, Phase, Run
from queue_core.child import DRAIN, Order, main
from queue_core.errors import InvalidRequest
from queue_core.groups import end_groups
from queue_core.piped_logs import relay
from queue_core.presence import new_worker_id
from queue_core.process import start_time
from queue_core.signals import held

_METHODS = ("forkserver", "spawn")
"""How children start, by preference; never by a fork of this process, which may have threads and connections."""
_TICK = 0.001
_LAST_RECORDS = 10_000
"""Of the log of one that is gone: more than its pipe holds, but processes that it left may write on."""
_LINGER_SECONDS = 5.0
"""How long a process may go on after its work is done: threads and processes that a handler left keep it alive."""


def context() -> BaseContext:
    """Return how processes are started here."""
    method = next(each for each in _METHODS if each in multiprocessing.get_all_start_methods())
    chosen = multiprocessing.get_context(method)
    if method == "forkserver":
        chosen.set_forkserver_preload(["queue_core.preload"])
    return chosen


def check_sendable(order: Order) -> None:
    """Raise InvalidRequest where a child could not be told what to do."""
    try:
        ForkingPickler.dumps(order)
    except InvalidRequest:
        raise
    except Exception as error:
        reason = f"can't be sent to a child process ({error}): define functions at the top of a module"
        raise InvalidRequest("handlers", reason) from error


class Child:
    """One worker in a process of its own."""

    def __init__(self, start_method: BaseContext, order: Order) -> None:
        self.worker_id = new_worker_id()
        self.board = Board(start_method, order.settings.concurrency)
        self.last_words: str | None = None
        self._pipe, its_end = start_method.Pipe()
        own = replace(order, worker_id=self.worker_id)
        process_class: Any = start_method.Process  # type: ignore[attr-defined]
        self._process = process_class(target=main, args=(own, self.board, its_end), name="worker", daemon=False)
        _start(self._process)
        its_end.close()
        self._started = start_time(self._process.pid)
        self._is_hearing = True
        self._done_since: float | None = None

    @property
    def pid(self) -> int:
        """Of the process."""
        return int(self._process.pid)

    def listened_to(self) -> list[Any]:
        """Return what becomes ready when there is something to hear of this child."""
        return [self._process.sentinel, *([self._pipe] if self._is_hearing else [])]

    def relay_logs(self, most: int = _LAST_RECORDS) -> None:
        """Hand on what it said so far."""
        try:
            for _ in range(most):
                if not self._is_hearing or not self._pipe.poll():
                    return
                record = relay(self._pipe.recv_bytes())
                if record.levelno >= logging.CRITICAL:
                    self.last_words = record.getMessage()
        except (EOFError, OSError):
            self._is_hearing = False

    def drain(self) -> None:
        """Tell it to finish what runs, give the rest back, and end."""
        with suppress(OSError):  # it is ending already
            self._pipe.send_bytes(DRAIN)

    def overdue(self) -> list[Run]:
        """Return what runs for longer than it may."""
        now = time.monotonic()
        return [run for run in self.board.runs() if run.kill_at <= now]

    def has_ended(self) -> bool:
        """Return whether the process is gone."""
        return not self._process.is_alive()

    def is_done(self) -> bool:
        """Return whether its work ended, in order."""
        return self.board.phase >= Phase.DONE

    def lingers(self) -> bool:
        """Return whether it should have been gone for some time."""
        if self._done_since is None and self.is_done():
            self._done_since = time.monotonic()
        return self._done_since is not None and time.monotonic() - self._done_since > _LINGER_SECONDS

    def kill(self) -> None:
        """End the process, whatever it does, and all that it started for its tasks; return when it is gone."""
        self._process.kill()
        # Where the process that forks them died, multiprocessing believes that all children did.
        while self._is_there():
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(_TICK)
        self._process.join()
        end_groups(self.board)

    def _is_there(self) -> bool:
        return self._started is not None and start_time(self.pid) == self._started

    def how_it_ended(self) -> str:
        """Say of what the process died."""
        code = self._process.exitcode
        if code is None or code >= 0:
            return f"exited with {code}: {self.last_words}" if self.last_words else f"exited with {code}"
        return f"was killed by {_signal_name(-code)}"

    def close(self) -> None:
        """Let go of everything that is left of it."""
        self.relay_logs()
        self._pipe.close()
        self._process.close()


def _start(process: Any) -> None:
    """Start a process, and at first the one that forks it: a Ctrl-C reaches them when they can bear it."""
    if os.name == "posix":
        resource_tracker.ensure_running()  # when this starts, it admits signals, held or not
    with held():
        process.start()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
