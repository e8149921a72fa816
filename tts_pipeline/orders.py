"""What are workers told: which tasks make a book, and which of them wait for which?

The ids of the tasks are in the order of the book, a chapter's encoding right after its renderings. So chapters are
encoded as soon as they can be, while others are still rendered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from queue_core import Task, TaskItem
from tts_pipeline.book import Item
from tts_pipeline.book_settings import AUTO, Encoding, Publishing
from tts_pipeline.casting import Role
from tts_pipeline.engines.registry import COMMAND
from tts_pipeline.shelf.rows import Book

RENDER, ENCODE, PUBLISH = "render", "encode", "publish"
_USUAL = "normal"
_DEATHS_PER_SENTENCE = 2
"""After so many workers that died of a sentence it is not tried any more, so a batch has attempts for all of them."""


class EncodeItem(TaskItem):
    """A chapter that is to be encoded, for all files that take it so."""

    encoding: Encoding
    chapter: int
    allow_missing: bool = False


class PublishItem(TaskItem):
    """A file that is to be published."""

    publishing: Publishing
    allow_missing: bool = False


@dataclass(frozen=True)
class Terms:
    """What holds for all tasks of a book."""

    priority: int | str = _USUAL
    attempts: int = 3

    def for_book(self, book: Book) -> Terms:
        """Return them for a book that is known: it keeps its own priority where nothing else is asked for."""
        return replace(self, priority=book.priority) if self.priority == _USUAL else self


def render_task(book: Book, number: int, items: Sequence[Item], roles: Iterable[Role], terms: Terms) -> Task:
    """Return the task that renders a batch."""
    return Task(
        name=RENDER,
        items=tuple(items),
        group_id=book.group_id,
        priority=terms.priority,
        max_attempts=terms.attempts + _DEATHS_PER_SENTENCE * len(items),
        needs=frozenset(_needs(roles)),
        tags=_tags(book, batch=number),
    )


def encode_task(book: Book, item: EncodeItem, waits_for: Iterable[str], terms: Terms) -> Task:
    """Return the task that encodes a chapter once its sentences are rendered."""
    return _later(ENCODE, book, item, waits_for, terms, chapter=item.chapter)


def publish_task(book: Book, item: PublishItem, waits_for: Iterable[str], terms: Terms) -> Task:
    """Return the task that publishes a file once its chapters are encoded."""
    return _later(PUBLISH, book, item, waits_for, terms)


def _later(name: str, book: Book, item: TaskItem, waits_for: Iterable[str], terms: Terms, **tags: int) -> Task:
    return Task(
        name=name,
        items=(item,),
        group_id=book.group_id,
        priority=terms.priority,
        max_attempts=terms.attempts,
        depends_on=tuple(waits_for),
        tags=_tags(book, **tags),
    )


def _tags(book: Book, **more: int) -> dict[str, str]:
    """Return what tells of which book, and of what of it, a task is."""
    return {"book": book.id, "revision": str(book.revision)} | {name: str(value) for name, value in more.items()}


def capability(engine: str) -> str:
    """Return what a worker that has an engine says of itself."""
    return f"engine:{engine}"


def _needs(roles: Iterable[Role]) -> Iterator[str]:
    """Say which engines a worker must have; which programs it has, it can't list."""
    for role in roles:
        if role.engine != AUTO and not role.engine.startswith(COMMAND):
            yield capability(role.engine)


@dataclass(frozen=True)
class Effort:
    """How hard workers try, whatever was said when a book was ingested."""

    attempts: int = 3
    """How often a sentence is tried; workers that die of it are not counted, but end it soon."""
    sentence_seconds: float = 30.0
    """How long one sentence may take to be rendered."""
    fallback_engine: str | None = None
    """Speaks what the engine of a book can't; else the one that was asked for with the book."""
