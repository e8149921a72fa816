"""What does a worker hold, and what has it still to report?

Reports of quick tasks go together: a report is written at the latest some milliseconds after the
task ended, by whichever thread comes first, together with the start of what runs now.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from queue_core.endings import Ending, Settled
from queue_core.queue import Queue
from queue_core.running import Running
from queue_core.states import TaskState
from queue_core.task import Task

LATEST = 0.02
"""How long a report may wait for others, in seconds, where a board shows meanwhile what runs."""


@dataclass(frozen=True, slots=True)
class Report:
    """How one task ended, and after how long."""

    task: Task
    ending: Ending
    seconds: float


Lease = tuple[str, int]
"""A task's id and the lease that it is held under: it may be back under the next one in no time."""
Exchange = Callable[[Sequence[Ending], Sequence[Task]], tuple[Settled, list[Task]]]
"""Takes what ended and what starts; returns what became of it, and what was claimed."""
Listener = Callable[[Report, TaskState | None], None]
"""Hears where each task went; None: the report was refused."""


@dataclass
class Ledger:
    """The tasks of one worker, from the claim to the report; safe to use from its threads."""

    queue: Queue
    listener: Listener
    latest: float = LATEST
    """How long a report may wait; 0: one task's end and the next one's start are one transaction of their own."""
    show_counts: Callable[[Counter[TaskState]], None] = lambda _: None
    counts: Counter[TaskState] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _reporting: threading.Lock = field(default_factory=threading.Lock)
    is_draining: bool = False
    _held: set[Lease] = field(default_factory=set)
    """All that was claimed and is neither reported nor given back, wherever it is just now."""
    _waiting: deque[Task] = field(default_factory=deque)
    _running: dict[str, Running] = field(default_factory=dict)
    _unmarked: dict[str, Task] = field(default_factory=dict)
    """What runs, and is not yet known to the queue as started."""
    _reports: list[Report] = field(default_factory=list)
    _oldest: float | None = None
    """Since when something waits to be reported."""

    def add(self, claimed: Iterable[Task]) -> None:
        """Keep what was claimed, until its turn comes."""
        with self._lock:
            claimed = list(claimed)
            self._waiting.extend(claimed)
            self._held.update(map(_lease, claimed))

    def take(self) -> Task | None:
        """Return the next task to run."""
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def begin(self, running: Running) -> None:
        """Note that a task runs."""
        with self._lock:
            running.is_draining = self.is_draining
            self._running[running.task.id] = running
            if running.task.attempted_at is None:
                self._unmarked[running.task.id] = running.task
                self._oldest = self._oldest or time.monotonic()

    def end(self, running: Running, ending: Ending, seconds: float) -> None:
        """Note how a task ended."""
        with self._lock:
            del self._running[running.task.id]
            self._unmarked.pop(running.task.id, None)
            self._reports.append(Report(running.task, ending, seconds))
            self._oldest = self._oldest or time.monotonic()

    def is_due(self) -> bool:
        """Return whether a report has waited long enough."""
        oldest = self._oldest  # read once: another thread may report meanwhile
        return oldest is not None and time.monotonic() - oldest >= self.latest

    def has_news(self) -> bool:
        """Return whether there is anything to report."""
        return self._oldest is not None

    def held_ids(self) -> list[str]:
        """Return the ids of all that is not reported yet."""
        with self._lock:
            return [task_id for task_id, _ in self._held]

    def running(self) -> list[Running]:
        """Return what runs."""
        with self._lock:
            return list(self._running.values())

    def has_waiting(self) -> bool:
        """Return whether something waits for its turn."""
        return bool(self._waiting)

    def load(self) -> int:
        """Return how many tasks are held."""
        return len(self._running) + len(self._waiting)

    def visibility_timeout(self) -> float:
        """Return how long the most impatient of the held tasks lets its worker be silent."""
        default = self.queue.config.default_visibility_timeout
        with self._lock:
            held = [*self._waiting, *(running.task for running in self._running.values())]
        return min((task.visibility_timeout or default for task in held), default=default)

    def flush(self) -> None:
        """Report what ended and what started, in one step."""
        if self.has_news():
            self.exchange(lambda endings, starting: (self.queue.settle(endings, starting=starting), []))

    def exchange(self, step: Exchange) -> list[Task]:
        """Report in a step that claims too, and return what it got; where it fails, all stays to be reported."""
        with self._reporting:
            reports, starting = self._news()
            try:
                settled, claimed = step([report.ending for report in reports], starting)
            except BaseException:
                self._put_back(reports, starting)
                raise
            self._note(reports, starting, settled)
        return claimed

    def _news(self) -> tuple[list[Report], list[Task]]:
        with self._lock:
            reports, starting = self._reports, list(self._unmarked.values())
            self._reports, self._unmarked, self._oldest = [], {}, None
        return reports, starting

    def _put_back(self, reports: list[Report], starting: Iterable[Task]) -> None:
        with self._lock:
            self._reports = reports + self._reports
            self._unmarked |= {task.id: task for task in starting if task.id in self._running}
            self._oldest = time.monotonic()

    def _note(self, reports: Sequence[Report], starting: Iterable[Task], settled: Settled) -> None:
        for report in reports:
            state = settled.states.get(report.task.id)
            if state is not None:
                self.counts[state] += 1
            self.listener(report, state)
        self.show_counts(self.counts)
        with self._lock:
            self._held.difference_update(_lease(report.task) for report in reports)
        self._stop(_lease(task) for task in starting if task.id not in settled.started)

    def _stop(self, lost: Iterable[Lease]) -> None:
        """Let the handlers of tasks that are lost, or called off, know."""
        for task_id, lease in lost:
            running = self._running.get(task_id)
            if running is not None and running.task.lease == lease:
                running.stop()

    def look(self) -> None:
        """Find out, without a write, what is lost or was called off, and stop it."""
        _, held = self._in_hand()
        self._let_go(held, self.queue.lost(held))

    def _in_hand(self) -> tuple[list[Running], list[Task]]:
        """Return what runs, and the tasks of all that runs or waits."""
        with self._lock:
            running = list(self._running.values())
            return running, [*(one.task for one in running), *self._waiting]

    def beat(self) -> None:
        """Say that all that is held is still worked on, and how far it is."""
        running, held = self._in_hand()
        if not held:
            return
        told = [one for one in running if not one.is_told]
        for one in told:
            one.is_told = True  # before it is read: what is said meanwhile is told next time
        self._let_go(held, self.queue.heartbeat(held, progress={one.task.id: one.progress for one in told}))

    def _let_go(self, held: Iterable[Task], refused: Collection[str]) -> None:
        """Stop or give back what is not this worker's any more, or not wanted."""
        lost = {_lease(task) for task in held if task.id in refused}
        if lost:
            self._stop(lost)
            self.give_back(lost)

    def give_back(self, wanted: Collection[Lease] | None = None) -> None:
        """Release what waits for its turn here (None: all of it); what was called off ends as cancelled."""
        with self._lock:
            back = [task for task in self._waiting if wanted is None or _lease(task) in wanted]
            given = set(map(_lease, back))
            self._waiting = deque(task for task in self._waiting if _lease(task) not in given)
        try:
            self.queue.release(back)
        except BaseException:
            with self._lock:
                self._waiting.extendleft(reversed(back))
            raise
        with self._lock:
            self._held -= given

    def drain(self) -> None:
        """Let handlers know that their worker wants to stop; what waits is given back by the pulse."""
        self.is_draining = True
        for running in self.running():
            running.is_draining = True


def _lease(task: Task) -> Lease:
    return task.id, task.lease
