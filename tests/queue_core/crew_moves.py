"""What do workers report many at once, and what becomes of what the dead held?"""

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.stateful import rule

from queue_core import Task
from queue_core.endings import Ending
from queue_core.errors import WorkerDied

from .moves import OperatorMoves
from .plans import HUNGRY, picks, several
from .side_by_side import pairs

ENDINGS = (
    Ending.completed,
    lambda task: Ending.completed(task, {"n": 1}),
    lambda task: Ending.failed(task, "no"),
    lambda task: Ending.failed(task, "no", delay=5),
    lambda task: Ending.discarded(task, "hopeless"),
    lambda task: Ending.cancelled(task, "unwanted"),
    Ending.released,
    lambda task: Ending.released(task, 5),
)
ends = st.lists(st.sampled_from(ENDINGS), min_size=1, max_size=4)
workers = st.sampled_from(["v", "v", "w"])
errors = {"WorkerDied": WorkerDied("v", "is gone"), "Error": "it forgot them"}
kinds = st.sampled_from(["WorkerDied", "WorkerDied", "Error"])


class CrewMoves(OperatorMoves):
    """Workers that hold many tasks, start them one by one, and die."""

    @rule(picked=several, ends=ends, starting=several, is_late=st.booleans())
    def settle(self, picked, ends, starting, is_late):
        ending, beginning = self.some(picked, is_late), self.some(starting, is_late)
        endings = [end(task) for end, task in zip(ends, ending, strict=False)]
        right = self.model.settle(endings, pairs(beginning))
        real = self.queue.settle(endings, starting=beginning)
        assert (real.states, real.refused, set(real.started)) == (right.states, right.refused, set(right.started))
        self.drop(ending[: len(endings)])

    @rule(worker_id=workers, kind=kinds, is_known=st.booleans(), running=several, keep=several)
    def recover(self, worker_id, kind, is_known, running, keep):
        """Somebody knows what was running, or goes by what was marked as started."""
        ran = [task.id for task in self.some(running, is_late=False)] if is_known else None
        kept = self.some(keep, is_late=False)[:1]
        self.take_back(worker_id, kind, ran, kept)

    @rule(times=st.integers(1, 4), delay=st.sampled_from([None, 0, 0]), pick=picks, is_resumed=st.booleans())
    def die_again_and_again(self, times, delay, pick, is_resumed):
        """Whoever claims, dies of it; an operator may bring back what was given up."""
        for _ in range(times):
            self.claim(HUNGRY)
            self.take_back("v", "WorkerDied", None, (), delay)
        if is_resumed:
            self.resume_one(pick)

    def take_back(
        self, worker_id: str, kind: str, ran: Sequence[str] | None, kept: Sequence[Task], delay: int | None = None
    ) -> None:
        keep = [task.id for task in kept]
        error = errors[kind] if ran is None else dict.fromkeys(ran, errors[kind])
        real = self.queue.recover(worker_id, error, keep=keep, delay=delay)
        assert real == self.model.recover(worker_id, kind, ran, keep, delay)
