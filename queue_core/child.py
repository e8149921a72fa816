"""What does a child process do, from its start to its end?"""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from queue_core.board import Board, Phase
from queue_core.config import QueueConfig
from queue_core.errors import BackendUnavailable
from queue_core.failure import words_of
from queue_core.groups import end_groups
from queue_core.handlers import Function, Handler
from queue_core.logs import log
from queue_core.piped_logs import PipeHandler
from queue_core.queue import Queue
from queue_core.settings import WorkerSettings
from queue_core.signals import admit
from queue_core.worker import Watched, Worker

logger = logging.getLogger(__name__)
DRAIN = b"drain"
Source = Mapping[str, Handler | Function] | Callable[[], Mapping[str, Handler | Function]]
"""Handlers, or a function that makes them in the child: what is heavy is loaded there."""
_OPEN_AGAIN_SECONDS = 1.0
_ABANDONED = 70
"""The exit code of a child whose supervisor is gone."""


@dataclass(frozen=True)
class Order:
    """What a child is told at its start."""

    url: str
    config: QueueConfig
    handlers: Source
    settings: WorkerSettings
    worker_id: str
    supervisor_pid: int
    log_level: int


def main(order: Order, board: Board, pipe: Connection) -> None:
    """Work as ordered, until the work or the supervisor ends, or until told to drain."""
    orders = _Orders(board, pipe)
    logging.basicConfig(handlers=[PipeHandler(pipe)], level=order.log_level, force=True)
    try:
        _work(order, board, orders)
    except Exception as error:
        logger.critical("%s: %s", type(error).__name__, words_of(error), exc_info=True)
        raise SystemExit(1) from error


def _work(order: Order, board: Board, orders: _Orders) -> None:
    made = order.handlers() if callable(order.handlers) else order.handlers
    queue = _opened(order, orders.is_asked)
    if queue is None:
        board.phase = Phase.DONE
        return
    with queue:
        watched = Watched(order.supervisor_pid, board.slots(), board.set_counts)
        worker = Worker(queue, made, order.settings, worker_id=order.worker_id, watched=watched)
        orders.obey(worker.drain)
        board.phase = Phase.READY
        worker.run()
    board.phase = Phase.SPENT if worker.is_spent else Phase.DONE


def _opened(order: Order, is_asked: threading.Event) -> Queue | None:
    """Open the queue, as soon as the store is there; None where it is asked to stop before that."""
    is_said = False
    while not is_asked.is_set():
        try:
            return Queue.open(order.url, _config(order))
        except BackendUnavailable as error:
            if not error.can_retry:
                raise
            if not is_said:
                log(logger, logging.WARNING, "the store is away", reason=str(error))
            is_said = True
            is_asked.wait(_OPEN_AGAIN_SECONDS)
    return None


def _config(order: Order) -> QueueConfig:
    interval = order.settings.poll_interval_seconds
    return order.config if interval is None else order.config.model_copy(update={"poll_interval": interval})


class _Orders:
    """Hears what the supervisor says by its pipe, and what the system says by a signal."""

    def __init__(self, board: Board, pipe: Connection) -> None:
        self._board, self._pipe = board, pipe
        self._drain: Callable[[], None] | None = None
        self.is_asked = threading.Event()
        """Whether it is time to stop."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        self._signals = reading
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, lambda *_: None)  # it arrives by the pipe, where locks can be taken
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to all; the supervisor decides
        admit()
        os.register_at_fork(before=_hold_signals, after_in_parent=_admit_signals, after_in_child=_forget_signals)
        threading.Thread(target=self._listen, name="orders", daemon=True).start()

    def obey(self, drain: Callable[[], None]) -> None:
        """Say how to drain; an order that came before is followed now."""
        self._drain = drain
        if self.is_asked.is_set():
            drain()

    def _listen(self) -> None:
        while True:
            for heard in wait([self._pipe, self._signals]):
                if heard is self._pipe:
                    self._hear_supervisor()
                else:
                    os.read(self._signals, 100)
                self._ask()

    def _hear_supervisor(self) -> None:
        try:
            self._pipe.recv_bytes()
        except (EOFError, OSError):
            # Nobody is left to end what hangs here, or to say how this process died: the others take over.
            end_groups(self._board)
            os._exit(_ABANDONED)

    def _ask(self) -> None:
        self.is_asked.set()
        if self._drain:
            self._drain()


def _forget_signals() -> None:
    """Let a process that a handler forks be ended by a signal, and not end this worker by it."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _admit_signals()


def _hold_signals() -> None:
    """Let a signal wait that comes to the new process in the instant before it has forgotten ours."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])


def _admit_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
