"""How are the sentences of a batch rendered, whatever becomes of single ones?

A sentence that fails does not stop the others. One at which a worker died or hung is known by its step, and
comes last at the next attempt, when all others are safe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from queue_core import Snooze, Task, begin_step, is_draining
from tts_pipeline.book import Item
from tts_pipeline.errors import DeadlySentence, SentencesFailed, StoreFailed
from tts_pipeline.render import Renderer
from tts_pipeline.shelf import Failure, Rendition
from tts_pipeline.stages.desk import Desk, desk_for
from tts_pipeline.store import Store

_GROWTH = 1.5
"""How much longer a sentence may take at each further attempt."""
_MOST_DEATHS = 2
"""After so many workers that died of it, a sentence is not tried again in this life of its task."""
_SAVING_SECONDS = 300.0


@dataclass(frozen=True)
class RenderStage:
    """The handler of render tasks."""

    store: Store

    def __call__(self, task: Task) -> dict[str, int]:
        desk, items = desk_for(task, self.store), task.items_as(Item)
        attempt = _Attempt(desk, items, deaths_of(task))
        attempt.run()
        if attempt.failures:
            raise SentencesFailed(sorted(attempt.failures.values()), len(items))
        return {"sentences": len(attempt.renditions)}


@dataclass
class _Attempt:
    """One attempt at a batch."""

    desk: Desk
    items: Sequence[Item]
    deaths: Mapping[int, int]
    renditions: dict[int, Rendition] = field(default_factory=dict)
    failures: dict[int, Failure] = field(default_factory=dict)

    def run(self) -> None:
        """Try every sentence, and keep what came of it."""
        for item in sorted(self.items, key=lambda item: (self.deaths.get(item.number, 0), item.number)):
            if not item.text:
                continue
            self._leave_if_asked()
            if self.deaths.get(item.number):
                self._save()  # this may be the last that is heard of this process
            begin_step(item.number, timeout_seconds=self._seconds())
            self._try(item)
        self._save()

    def _leave_if_asked(self) -> None:
        """End between two sentences where the worker wants to stop; what is left waits for another."""
        if is_draining():
            self._save()
            raise Snooze(0)

    def _seconds(self) -> float | None:
        """Return how long one sentence may take."""
        base = self.desk.task.timeout_seconds
        return None if base is None else base * _GROWTH ** max(0, self.desk.task.attempt_count - 1)

    def _try(self, item: Item) -> None:
        try:
            self.renditions[item.number] = self._rendition(item)
        except StoreFailed:
            raise  # it is not the sentence's fault, and the next one would fare no better
        except Exception as error:  # noqa: BLE001 (an engine may raise anything; it is the sentence that failed)
            can_retry = bool(getattr(error, "can_retry", True))
            reason = getattr(error, "reason", None) or str(error) or type(error).__name__
            self.failures[item.number] = Failure(item.number, item.text, reason, can_retry)

    def _rendition(self, item: Item) -> Rendition:
        renderer = self.desk.renderer
        try:
            self._refuse_deadly(item)
            return renderer.rendition(item)
        except StoreFailed:
            raise
        except Exception as error:
            if renderer.speech.fallback_engine is None or (self._can_retry() and getattr(error, "can_retry", True)):
                raise
            return _by_fallback(renderer, item, error)

    def _refuse_deadly(self, item: Item) -> None:
        deaths = self.deaths.get(item.number, 0)
        if deaths >= _MOST_DEATHS:
            raise DeadlySentence(item.number, deaths, self.desk.task.errors[-1].message)

    def _can_retry(self) -> bool:
        task = self.desk.task
        return task.attempt_count < (task.max_attempts or self.desk.shelf.queue.config.default_max_attempts)

    def _save(self) -> None:
        """Make what was rendered outlive a power cut, and note it on the shelf."""
        begin_step(self.items[-1].number + 1, timeout_seconds=_SAVING_SECONDS)
        desk, number = self.desk, int(self.desk.task.tags["batch"])
        desk.store.sync({made.key for made in self.renditions.values()})
        renditions = [self.renditions.get(item.number) for item in self.items]
        desk.shelf.record_batch(desk.task, desk.book, number, renditions, sorted(self.failures.values()))


def _by_fallback(renderer: Renderer, item: Item, error: Exception) -> Rendition:
    """Let another engine speak an item; where it fails too, the first error is the one to tell."""
    try:
        return renderer.by_fallback(item)
    except StoreFailed:
        raise
    except Exception as second:
        raise error from second


def deaths_of(task: Task) -> Counter[int]:
    """Count the workers that died at each step of a task, back to where its attempts began anew: at a resume."""
    deaths: Counter[int] = Counter()
    attempt = task.attempt_count
    for error in reversed(task.errors):
        if error.attempt >= attempt:
            break
        attempt = error.attempt
        if error.step is not None:
            deaths[error.step] += 1
    return deaths
