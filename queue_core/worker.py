"""How does one process work off a queue?"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from queue_core.board import BoardSlot
from queue_core.claims import Claims
from queue_core.endings import Ending
from queue_core.errors import BackendUnavailable
from queue_core.execution import Loop, run, timeout_of
from queue_core.handlers import Function, Handler, handlers_of
from queue_core.journal import tell
from queue_core.ledger import LATEST, Ledger
from queue_core.logs import log
from queue_core.presence import Presence, new_worker_id
from queue_core.pulse import Pulse
from queue_core.queue import Queue
from queue_core.reports import Outlook, Stuck, WorkSummary
from queue_core.running import Running
from queue_core.settings import WorkerSettings
from queue_core.states import TaskState
from queue_core.task import Task
from queue_core.upkeep import Upkeep

logger = logging.getLogger(__name__)
_LOOK_SECONDS = 0.2
"""How often an idle worker looks whether the others have finished what may bring it more to do."""
_OUTAGE_SECONDS = 1.0
_PARTING_SECONDS = 10.0
"""How long a worker that stops waits for a store that is away, to report what it did."""


@dataclass(frozen=True)
class Watched:
    """How a worker is looked after from outside its process."""

    supervisor_pid: int
    slots: list[BoardSlot]
    """Where each of the tasks that it runs at once is shown."""
    show_counts: Callable[[Mapping[TaskState, int]], None]


class Worker:
    """Claims tasks, runs them one after another or some at once, and reports each under its lease.

    By itself it can't end a plain function that takes too long, nor survive one that takes its process
    down: a Supervisor can.
    """

    def __init__(
        self,
        queue: Queue,
        handlers: Mapping[str, Handler | Function],
        settings: WorkerSettings | None = None,
        *,
        worker_id: str | None = None,
        watched: Watched | None = None,
    ) -> None:
        self._queue, self._settings = queue, settings or WorkerSettings()
        self._handlers, self._watched = handlers_of(handlers), watched
        self.id = worker_id or new_worker_id()
        # A board shows what runs as well, and a quick task has ended before its start needs to be written.
        self._claims = Claims(queue, self.id, self._handlers, self._settings, starts=watched is None)
        self._ledger = Ledger(queue, partial(tell, self.id), LATEST if watched else 0.0)
        if watched:
            self._ledger.show_counts = watched.show_counts
        self._presence = Presence(queue, self.id, self._settings, watched.supervisor_pid if watched else None)
        self._pulse = Pulse(self._ledger, self._sign, self._settings.heartbeat_seconds)
        self._upkeep = Upkeep(queue, self.id, self._settings, self.drain)
        self._loop = Loop()
        self._claiming = threading.Lock()
        self._left = self._settings.max_tasks
        self._is_stopping = self._is_draining = False
        self._patience = 0.0
        self._stuck: tuple[Stuck, ...] = ()
        self._fatal: BaseException | None = None

    @property
    def is_spent(self) -> bool:
        """Whether it ended because it ran as many tasks as it may."""
        return self._left == 0 and not self._is_draining

    def run(self) -> WorkSummary:
        """Work until drained, or until nothing is left where the settings say so."""
        self._sign_on()
        self._pulse.start()
        self._upkeep.start()
        try:
            self._work_in_lanes()
        finally:
            self._leave()
        return WorkSummary(counts=dict(self._ledger.counts), stuck=self._stuck)

    def drain(self) -> None:
        """Finish what runs, give the rest back, and stop; safe to call from any thread, not from a signal handler."""
        if self._is_draining:
            return
        self._is_draining = self._is_stopping = True
        self._patience = 0.0  # of a claim that is about to be made
        self._queue.interrupt()
        self._ledger.drain()
        self._pulse.hurry()

    def _sign_on(self) -> None:
        """Register before anything is claimed: nobody would notice the death of who is not known."""
        is_said = False
        while not self._is_stopping:
            try:
                self._sign()
            except BackendUnavailable as error:
                if not is_said:
                    log(logger, logging.WARNING, "the store is away", reason=str(error))
                is_said = True
                self._pause()
            else:
                return

    def _sign(self) -> None:
        if self._presence.sign(self._ledger.load(), is_draining=self._is_draining):
            self.drain()

    def _work_in_lanes(self) -> None:
        """Run as many tasks at once as there are lanes; the first lane is this thread."""
        numbers = range(1, self._settings.concurrency)
        others = [threading.Thread(target=self._lane, args=(number,), name=f"lane {number}") for number in numbers]
        for lane in others:
            lane.start()
        self._lane(0)
        for lane in others:
            lane.join()
        if self._fatal:
            raise self._fatal

    def _lane(self, number: int) -> None:
        slot = self._watched.slots[number] if self._watched else None
        try:
            while (task := self._next()) is not None:
                self._run_one(task, slot)
        except BaseException as error:  # noqa: BLE001 (raised again, once all lanes have ended)
            self._fatal = error
            self.drain()

    def _next(self) -> Task | None:
        """Return the next task as soon as there is one; None when it is time to stop."""
        while not self._is_stopping:
            task = self._ledger.take()
            if task is not None:
                return task
            with self._claiming:  # one lane claims for all
                if not self._is_stopping and not self._ledger.has_waiting():
                    self._claim()
        return None

    def _run_one(self, task: Task, slot: BoardSlot | None) -> None:
        handler, running = self._handlers[task.name], Running(task, slot, self._queue)
        ending = Ending.released(task)  # what an interrupt leaves of it
        self._ledger.begin(running)
        self._report()
        started = time.monotonic()  # here: a store that is slow to answer is not the handler's fault
        try:
            if slot:
                slot.begin(task.id, timeout_of(task, handler), handler.grace)
            ending = run(running, handler, self._loop).written(self._queue.config.max_result_bytes)
        finally:
            if slot:
                running.leave()
                slot.end()
            self._ledger.end(running, ending, time.monotonic() - started)
            self._pulse.wake()

    def _report(self) -> None:
        """Write what ended and what starts, if it is time; an outage is the pulse's to overcome."""
        self._pulse.wake()
        if self._ledger.is_due() and not self._pulse.is_away:
            with suppress(BackendUnavailable):
                self._ledger.flush()

    def _claim(self) -> None:
        """Fill the ledger; where nothing came, find out how long to wait for more, if at all."""
        try:
            self._give_up_unknown()
            tasks = self._claimed()
        except BackendUnavailable:
            self._claims.is_unsure = True
            self._pause()
            return
        self._ledger.add(tasks)
        if self._left is not None:
            self._left -= len(tasks)
        if tasks:
            self._patience = 0.0
        elif self._left == 0:
            self._is_stopping = True
        else:
            self._await_more()

    def _claimed(self) -> list[Task]:
        """Report and claim in one step; where that brought nothing before, report and then wait."""
        if not self._patience:
            return self._ledger.exchange(partial(self._claims.exchange, most=self._left))
        self._ledger.flush()
        return self._claims.next(self._patience, self._left)

    def _give_up_unknown(self) -> None:
        """Release what a claim got whose answer was lost."""
        if self._claims.is_unsure:
            self._queue.recover(self.id, {}, keep=self._ledger.held_ids())
            self._claims.is_unsure = False

    def _pause(self) -> None:
        until = time.monotonic() + _OUTAGE_SECONDS * random.uniform(0.5, 1)
        while not self._is_stopping and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)

    def _await_more(self) -> None:
        """Decide how patiently the next claim waits, or that there is nothing to wait for."""
        longest = self._settings.poll_interval_seconds or self._queue.config.poll_interval
        if not self._settings.until_empty:
            self._patience = longest
            return
        left = self._queue.outlook(names=self._claims.names, capabilities=self._claims.capabilities)
        if left.next_due_at is None and not left.running:
            self._stuck, self._is_stopping = left.stuck, True
        self._patience = min(longest, _LOOK_SECONDS) if left.running else min(longest, self._until_due(left))

    def _until_due(self, left: Outlook) -> float:
        due_at = left.next_due_at
        return 0.0 if due_at is None else max(0.0, (due_at - self._queue.clock.now_ms()) / 1000)

    def _leave(self) -> None:
        """Report all, give back what waits, and go: the heartbeat ends last."""
        try:
            self._upkeep.stop()
            self._settle_up()
        finally:
            self._pulse.stop()
            self._loop.close()
        with suppress(BackendUnavailable):  # it holds nothing: whoever finds it dead takes it out
            self._presence.leave()

    def _settle_up(self) -> None:
        """Report everything; where that can't be done, it is for those to recover who find this worker dead."""
        deadline = time.monotonic() + _PARTING_SECONDS
        while True:
            try:
                self._ledger.flush()
                self._ledger.give_back()
                self._give_up_unknown()
            except BackendUnavailable as error:
                if time.monotonic() > deadline:
                    log(logger, logging.ERROR, "left without a report", worker_id=self.id, reason=str(error))
                    raise
                time.sleep(_LOOK_SECONDS)
            else:
                return
