"""Who keeps the queue healthy, without being set up?

Every worker looks after it. Dead workers are noticed by whoever looks first; each chore is done by one
worker at a time.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from queue_core.errors import BackendUnavailable, WorkerDied
from queue_core.journal import tell_recovered
from queue_core.logs import log
from queue_core.process import is_gone, is_there, start_time
from queue_core.queue import Queue
from queue_core.reports import WorkerRecord, WorkerStatus
from queue_core.settings import WorkerSettings

logger = logging.getLogger(__name__)
_CLEANUP_SECONDS = 600.0
_FORGET_SECONDS = 86_400.0
"""How long a dead worker stays in the registry."""


@dataclass(frozen=True)
class Chore:
    """Something that one worker at a time does, again and again."""

    name: str
    every: float
    step: Callable[[Queue], object]


class Upkeep:
    """A thread that looks after the queue while its worker works."""

    def __init__(
        self, queue: Queue, worker_id: str, settings: WorkerSettings, on_stop_asked: Callable[[], None]
    ) -> None:
        self._queue, self._worker_id, self._settings = queue, worker_id, settings
        self._on_stop_asked = on_stop_asked
        self._chores = (
            Chore("rescue", settings.upkeep_seconds, Queue.rescue),
            Chore("promote", settings.upkeep_seconds, Queue.promote),
            Chore("cleanup", _CLEANUP_SECONDS, _cleanup),
        )
        self._done: dict[str, float] = {}
        self._in_touch_since = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Begin, with a first look at once."""
        self._thread.start()

    def stop(self) -> None:
        """End, after the step that is under way."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self.look()
            except BackendUnavailable as error:
                self._in_touch_since = time.monotonic()
                logger.debug("upkeep waits for the store: %s", error)
            except Exception:  # one bad look must not be the last
                logger.exception("upkeep stumbled")
            self._over.wait(self._settings.upkeep_seconds * random.uniform(0.75, 1))

    def look(self) -> None:
        """Hear who was asked to stop, bury the dead, and do the chores that are due and nobody else's."""
        workers = self._queue.workers()
        if any(worker.id == self._worker_id and worker.stop_requested_at for worker in workers):
            self._on_stop_asked()
        bury_the_dead(self._queue, workers, self._longest_silence())
        for chore in self._chores:
            if self._is_due(chore) and self._queue.take_turn(chore.name, self._worker_id, seconds=chore.every):
                self._done[chore.name] = time.monotonic()
                chore.step(self._queue)

    def _longest_silence(self) -> float:
        """Return from when on silence means death: not before all had the time to be heard again after an outage."""
        is_in_touch = time.monotonic() - self._in_touch_since > self._settings.heartbeat_seconds
        return self._settings.dead_after_seconds if is_in_touch else float("inf")

    def _is_due(self, chore: Chore) -> bool:
        # Half: the looks are jittered, and a turn that is another's costs no more than a look.
        return time.monotonic() - self._done.get(chore.name, float("-inf")) >= chore.every / 2


def bury_the_dead(queue: Queue, workers: Iterable[WorkerRecord], after_seconds: float) -> list[str]:
    """Make what dead workers held claimable; return the ids of the workers that were found dead."""
    now, buried = queue.clock.now_ms(), []
    for worker in workers:
        how = _how_it_died(worker, now, after_seconds)
        if worker.status is WorkerStatus.DEAD or how is None:
            continue
        states = queue.bury(worker, WorkerDied(worker.id, how))
        if states is not None:
            buried.append(worker.id)
            log(logger, logging.WARNING, "worker died", worker_id=worker.id, how=how, task_count=len(states))
            for task_id, state in states.items():
                tell_recovered(worker.id, task_id, state, f"worker {how}")
    return buried


def _how_it_died(worker: WorkerRecord, now: int, after_seconds: float) -> str | None:
    if is_gone(worker.machine, worker.pid, worker.process_start) and not _is_looked_after(worker):
        return f"is gone: its process {worker.pid} on {worker.host} ended"
    if is_there(worker.machine, worker.pid, worker.process_start):
        return None  # what it works on may become stale, but it is not dead
    silent = (now - (worker.heartbeat_at or worker.started_at)) / 1000
    return f"on {worker.host} fell silent for {silent:.0f} s" if silent > after_seconds else None


def _is_looked_after(worker: WorkerRecord) -> bool:
    """Return whether somebody is there who knows better how it ended, and does what is to be done about it."""
    pid, start = worker.supervisor_pid, worker.supervisor_start
    return pid is not None and start is not None and start_time(pid) == start


def _cleanup(queue: Queue) -> None:
    queue.cleanup()
    now = queue.clock.now_ms()
    for worker in queue.workers():
        if worker.status is WorkerStatus.DEAD and now - (worker.heartbeat_at or 0) > _FORGET_SECONDS * 1000:
            queue.forget_worker(worker.id)
