"""Who starts worker processes, ends those that hang, and takes back what the dead held?"""

from __future__ import annotations

import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from multiprocessing.connection import wait

from queue_core.board import Phase
from queue_core.child import Order, Source
from queue_core.child_process import Child, check_sendable, context
from queue_core.config import QueueConfig
from queue_core.debts import Debts
from queue_core.errors import InvalidRequest, TaskTimeoutError, WorkerDied, WorkerStartFailed
from queue_core.handle import check_size
from queue_core.handlers import handlers_of
from queue_core.logs import log
from queue_core.queue import Queue
from queue_core.reports import Stuck, WorkSummary
from queue_core.settings import WorkerSettings
from queue_core.signals import Bell
from queue_core.states import TaskState

logger = logging.getLogger(__name__)
_LOOK_SECONDS = 0.2
"""How often it looks for what is overdue: a child shows what it runs without a word."""
_MOST_FALSE_STARTS = 5
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
"""Before a child is hired in the place of one that died without having done anything, in seconds."""
_MOST_RECORDS = 200
"""Of one child's log at a look: who says more than can be told must not keep it from looking at all."""
_LOCK_SECONDS = 5.0
"""How long it waits for other writers at most: meanwhile it looks after nobody."""
_PARTING_SECONDS = 10.0
"""How long one that stops waits for a store that is away, to give back what dead children held."""


class Supervisor:
    """Keeps worker processes at work on one queue.

    SIGTERM, SIGINT and SIGHUP let them finish what runs and give the rest back; a second one ends them at once.
    """

    def __init__(
        self,
        url: str,
        handlers: Source,
        *,
        count: int | None = None,
        settings: WorkerSettings | None = None,
        config: QueueConfig | None = None,
    ) -> None:
        """`handlers` by name, or a function that makes them in each child; both defined at the top of a module."""
        self._url, self._config, self._settings = url, config or QueueConfig(), settings or WorkerSettings()
        self._posts = count if count is not None else os.cpu_count() or 1
        check_size("count", self._posts)
        if url.startswith("memory:"):
            raise InvalidRequest("url", "a queue in memory can't be shared with child processes: run a Worker")
        if not callable(handlers):
            handlers = handlers_of(handlers)
        level = logging.getLogger("queue_core").getEffectiveLevel()
        self._order = Order(url, self._config, handlers, self._settings, "", os.getpid(), level)
        check_sendable(self._order)
        self._context = context()
        self._bell = Bell()
        self._children: list[Child] = []
        self._debts = Debts()
        self._counts: Counter[TaskState] = Counter()
        self._is_draining = self._is_stopping = False
        self._idle_deaths, self._hire_at = 0, 0.0
        self._has_run = False
        self._alone_since: float | None = None

    def run(self, on_look: Callable[[WorkSummary], None] | None = None) -> WorkSummary:
        """Work until drained or, where the settings say so, until nothing is left; tell about it now and then. Once.

        Raises BackendUnavailable where the store is away at the start, WorkerStartFailed where no child comes up.
        """
        if self._has_run:
            raise InvalidRequest("run", "a supervisor runs once: make another")
        self._has_run = True
        try:
            return self._ran(on_look)
        finally:
            self._bell.close()

    def _ran(self, on_look: Callable[[WorkSummary], None] | None) -> WorkSummary:
        with self._opened() as self._queue, self._bell.at_signals():
            try:
                while self._posts or self._children or self._owes():
                    self._look()
                    if on_look:
                        on_look(self._summary())
            finally:
                self._end_all()
            return self._summary(self._left_behind())

    def _look(self) -> None:
        self._hire()
        self._await_something()
        self._follow_orders()
        self._end_overdue()
        self._part_with_ended()
        self._counts += self._debts.pay(self._queue)

    def _opened(self) -> Queue:
        patience = min(self._config.lock_timeout, _LOCK_SECONDS)
        return Queue.open(self._url, self._config.model_copy(update={"lock_timeout": patience}))

    def _owes(self) -> bool:
        """Return whether dead children held what can still be given back; else those do it who find them dead."""
        self._alone_since = self._alone_since or time.monotonic()
        is_patient = not self._is_stopping and time.monotonic() - self._alone_since < _PARTING_SECONDS
        return bool(self._debts) and is_patient

    def drain(self) -> None:
        """Let what runs be finished and the rest be given back, then return from `run`; safe to call anywhere."""
        self._is_draining = True
        self._bell.ring()

    def stop(self) -> None:
        """End all children now, what they run unfinished and its attempt refunded."""
        self._is_stopping = True
        self._bell.ring()

    def _hire(self) -> None:
        if any(child.board.counts() for child in self._children):
            self._idle_deaths = 0
        if time.monotonic() < self._hire_at:
            return
        while len(self._children) < self._posts:
            self._children.append(Child(self._context, self._order))

    def _await_something(self) -> None:
        """Return at a signal, a word or the end of a child, or when it is time to look."""
        heard = [each for child in self._children for each in child.listened_to()]
        wait([self._bell.fileno(), *heard], _LOOK_SECONDS)
        self._bell.silence()
        for child in self._children:
            child.relay_logs(_MOST_RECORDS)

    def _follow_orders(self) -> None:
        signal_count = len(self._bell.signals)
        if self._is_stopping or signal_count > 1:
            self._is_stopping = True
            for child in self._children:
                self._end(child, {})
            self._posts = 0
        elif (self._is_draining or signal_count) and self._posts:
            log(logger, logging.INFO, "draining", workers=len(self._children))
            self._posts = 0
            for child in self._children:
                child.drain()

    def _end_overdue(self) -> None:
        for child in self._children:
            late = {run.task_id: TaskTimeoutError(run.timeout, run.step) for run in child.overdue()}
            if late:
                reason = str(next(iter(late.values())))
                log(
                    logger, logging.WARNING, "worker killed", worker_id=child.worker_id, tasks=list(late), reason=reason
                )
                self._end(child, late)

    def _end(self, child: Child, errors: Mapping[str, Exception]) -> None:
        """Kill a child; what errors are named for pays an attempt, the rest is released."""
        child.kill()
        self._debts.add(child.worker_id, errors)
        self._dismiss(child)

    def _part_with_ended(self) -> None:
        for child in self._children:
            if child.lingers():
                log(logger, logging.WARNING, "worker killed", worker_id=child.worker_id, reason="it would not end")
                child.kill()
        for child in [child for child in self._children if child.has_ended()]:
            if child.board.phase is Phase.DONE and self._posts:
                self._posts -= 1
            if not child.is_done():
                self._mourn(child)
            self._dismiss(child)

    def _mourn(self, child: Child) -> None:
        """Find out of what a child died, and who pays for it."""
        child.kill()
        child.relay_logs()
        how = child.how_it_ended()
        errors = {run.task_id: WorkerDied(child.worker_id, how, run.step) for run in child.board.runs()}
        log(logger, logging.WARNING, "worker died", worker_id=child.worker_id, how=how, tasks=list(errors))
        self._debts.add(child.worker_id, errors, delay=0)
        if not errors and not child.board.counts():
            self._note_idle_death(child.board.phase, how)

    def _note_idle_death(self, phase: Phase, how: str) -> None:
        """Hire the next one with growing patience, and none where even the start fails again and again."""
        self._idle_deaths += 1
        if phase is Phase.STARTING and self._idle_deaths >= _MOST_FALSE_STARTS:
            raise WorkerStartFailed(self._idle_deaths, how)
        self._hire_at = time.monotonic() + min(_FIRST_PAUSE * 2**self._idle_deaths, _LONGEST_PAUSE)

    def _dismiss(self, child: Child) -> None:
        self._counts.update(child.board.counts())
        self._children = [each for each in self._children if each is not child]
        child.close()

    def _end_all(self) -> None:
        """Leave nothing behind, whatever happened."""
        for child in list(self._children):
            self._end(child, {})
        self._counts += self._debts.pay(self._queue, is_last=True)
        self._debts.write_off()

    def _left_behind(self) -> tuple[Stuck, ...]:
        """Return what no worker could take, of these names or, where only the children know them, of all."""
        if not self._settings.until_empty:
            return ()
        names = None if callable(self._order.handlers) else self._order.handlers
        return self._queue.outlook(names=names, capabilities=self._settings.capabilities).stuck

    def _summary(self, stuck: tuple[Stuck, ...] = ()) -> WorkSummary:
        counts = self._counts + sum((Counter(child.board.counts()) for child in self._children), Counter())
        ended_by = self._bell.signals[-1] if self._bell.signals else None
        return WorkSummary(counts=dict(counts), stuck=stuck, signal=ended_by)
