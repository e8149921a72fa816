"""How are the sentences of a batch rendered, whatever becomes of single ones?

A sentence that fails does not stop the others. One at which a worker died or hung is known by its step, and
comes last at the next attempt, when all others are safe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from queue_core import Discard, Snooze, Task, begin_step, is_draining
from tts_pipeline.assemble import is_stored
from tts_pipeline.book import Item
from tts_pipeline.errors import DeadlySentence, SentencesFailed
from tts_pipeline.orders import Effort
from tts_pipeline.render import Renderer
from tts_pipeline.shelf import Failure, Rendition
from tts_pipeline.shelf.shelf import Attempted
from tts_pipeline.stages.deaths import deaths_of
from tts_pipeline.stages.desk import Desk, desk_for
from tts_pipeline.stages.patience import is_outage
from tts_pipeline.stages.stopwatch import Stopwatch
from tts_pipeline.store import Store

_GROWTH = 1.5
"""How much longer a sentence may take at each further attempt."""
_MOST_DEATHS = 2
"""After so many workers that died of it, a sentence is not tried again in this life of its task."""
_SAVING_SECONDS = 300.0
_LOADING_SECONDS = 300.0
_MOST_WORDS = 500
"""Of the reason why a sentence failed."""


@dataclass(frozen=True)
class RenderStage:
    """The handler of render tasks."""

    store: Store
    effort: Effort

    def __call__(self, task: Task) -> dict[str, object]:
        attempt = _Attempt(desk_for(task, self.store, self.effort), task.items_as(Item), deaths_of(task))
        try:
            attempt.run()
            attempt.raise_for_failures()
        except SentencesFailed as error:
            if attempt.is_last:
                raise Discard(str(error)) from error
            raise
        return {"sentences": len(attempt.renditions)}


@dataclass
class _Attempt:
    """One attempt at a batch. What earlier ones rendered stays, and so does why the others failed."""

    desk: Desk
    items: Sequence[Item]
    deaths: Mapping[int, int]
    renditions: dict[int, Rendition] = field(default_factory=dict)
    failures: dict[int, Failure] = field(default_factory=dict)
    stopwatch: Stopwatch = field(default_factory=Stopwatch)

    def run(self) -> None:
        """Try every sentence that is not rendered, and keep what came of it."""
        self._recall()
        self._load()
        for item in sorted(self.items, key=lambda item: (self.deaths.get(item.number, 0), item.number)):
            if not item.is_heard or item.number in self.renditions:
                continue
            self._leave_if_asked()
            if self.deaths.get(item.number):
                self._save()  # this may be the last that is heard of this process
            begin_step(item.number, timeout_seconds=self._seconds())
            self._try(item)
        self._save()

    def raise_for_failures(self) -> None:
        """Raise SentencesFailed where any did."""
        if self.failures:
            raise SentencesFailed(sorted(self.failures.values()), len(self.items))

    @property
    def is_last(self) -> bool:
        """Whether the sentences were tried as often as they may; the deaths of workers are counted by sentence.

        The task has attempts for those, too. When even these are used up, there is no other.
        """
        task = self.desk.task
        is_out = task.max_attempts is not None and task.attempt_count >= task.max_attempts
        return is_out or task.attempt_count - sum(self.deaths.values()) >= self.desk.effort.attempts

    def _recall(self) -> None:
        """Remember what is known of the batch, as far as its clips are there."""
        batch = self.desk.shelf.batch(self.desk.book, int(self.desk.task.tags["batch"]))
        self.failures = {failure.number: failure for failure in batch.failures}
        for item, made in zip(self.items, batch.renditions, strict=True):
            if made is not None and is_stored(self.desk.store, made):
                self.renditions[item.number] = made

    def _load(self) -> None:
        """Let voices load in a time of their own, not in that of the first sentence."""
        left = {item.language for item in self.items if item.is_heard and item.number not in self.renditions}
        if left and not self.deaths.get(self._behind):
            begin_step(self._behind, timeout_seconds=_LOADING_SECONDS)
            self.desk.renderer.load(left)

    @property
    def _behind(self) -> int:
        """A step that is no sentence."""
        return self.items[-1].number + 1

    def _leave_if_asked(self) -> None:
        """End between two sentences where the worker wants to stop; what is left waits for another."""
        if is_draining():
            self._save()
            raise Snooze(0)

    def _seconds(self) -> float:
        """Return how long one sentence may take."""
        return self.desk.effort.sentence_seconds * _GROWTH ** max(0, self.desk.task.attempt_count - 1)

    def _try(self, item: Item) -> None:
        try:
            self.renditions[item.number] = self._rendition(item)
            self.failures.pop(item.number, None)
        except Exception as error:
            if is_outage(error):
                raise  # it is not the sentence's fault, and the next one would fare no better
            can_retry = bool(getattr(error, "can_retry", True))
            self.failures[item.number] = Failure(item.number, item.text, _reason(error), can_retry)

    def _rendition(self, item: Item) -> Rendition:
        renderer = self.desk.renderer
        try:
            self._refuse_deadly(item)
            return renderer.rendition(item)
        except Exception as error:
            can_wait = not self.is_last and getattr(error, "can_retry", True)
            if is_outage(error) or renderer.fallback_engine is None or can_wait:
                raise
            return _by_fallback(renderer, item, error)

    def _refuse_deadly(self, item: Item) -> None:
        deaths = self.deaths.get(item.number, 0)
        if deaths >= _MOST_DEATHS:
            last = next(error for error in reversed(self.desk.task.errors) if error.step == item.number)
            raise DeadlySentence(item.number, deaths, last.message.removesuffix(f" at step {item.number}"))

    def _save(self) -> None:
        """Make what was rendered outlive a power cut, and note it on the shelf."""
        begin_step(self._behind, timeout_seconds=_SAVING_SECONDS)
        desk, number = self.desk, int(self.desk.task.tags["batch"])
        desk.store.sync({made.key for made in self.renditions.values()})
        renditions = [self.renditions.get(item.number) for item in self.items]
        made = Attempted(renditions, sorted(self.failures.values()), self.stopwatch.lap_ms())
        desk.shelf.record_batch(desk.task, desk.book, number, made)


def _reason(error: Exception) -> str:
    """Return why a sentence failed, in words that any database can store."""
    words = str(getattr(error, "reason", None) or error) or type(error).__name__
    return words.replace("\0", "")[:_MOST_WORDS].encode(errors="replace").decode()


def _by_fallback(renderer: Renderer, item: Item, error: Exception) -> Rendition:
    """Let another engine speak an item; where it fails too, the first error is the one to tell."""
    try:
        return renderer.by_fallback(item)
    except Exception as second:
        if is_outage(second):
            raise
        raise error from second
