"""What does the shelf hand out?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Rendition(NamedTuple):
    """What became of an item: its clip, and who spoke it."""

    key: str
    checksum: str
    sample_count: int
    engine: str
    loudness: str
    """What is kept of how loud it is: audio.loudness reads it."""


class Failure(NamedTuple):
    """A sentence that could not be rendered."""

    number: int
    """Its place in the book, from 0."""
    text: str
    reason: str
    can_retry: bool = True


@dataclass(frozen=True, slots=True)
class Book:
    """A book, as its current revision has it."""

    id: str
    content: str
    settings: str
    revision: int
    manifest: str
    title: str
    author: str | None
    language: str
    path: str
    folder: str
    chapter_count: int
    sentence_count: int
    expected_ms: int
    created_at: int
    updated_at: int
    wording: str
    priority: int
    is_paused: bool = False
    told: str | None = None

    @property
    def group_id(self) -> str:
        """What the tasks of this revision belong to."""
        return group_of(self.id, self.revision)


def group_of(book_id: str, revision: int) -> str:
    """Return what the tasks of a revision belong to."""
    return f"{book_id}.{revision}"


@dataclass(frozen=True, slots=True)
class Batch:
    """The items of one render task, and what became of each of them."""

    number: int
    chapter: int
    sentence_count: int
    task_id: str | None = None
    rendered_count: int = 0
    sample_count: int = 0
    renditions: tuple[Rendition | None, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of its sentences are rendered."""
        return self.rendered_count == self.sentence_count


@dataclass(frozen=True, slots=True)
class EncodedRow:
    """A chapter of a book, encoded in one way."""

    chapter: int
    key: str | None
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Publication:
    """One format of a book: what is wanted, and what was published last."""

    format: str
    place: int
    wanted: str
    published_revision: int | None = None
    published_at: int | None = None
    file: str | None = None
    seconds: int | None = None
    missing_count: int | None = None
