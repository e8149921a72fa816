"""What will be made of a file: which chapters, which items, spoken by whom, in which batches?

Nothing is written here: a file that can't be read, or a voice that is not there, leaves no trace.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tts_pipeline.book import Chapter, Document, Item
from tts_pipeline.book_settings import BookSettings, Speech
from tts_pipeline.casting import Role, cast
from tts_pipeline.documents import ReadingOptions, read, read_as_one
from tts_pipeline.manifest import Manifest
from tts_pipeline.text import batches, items
from tts_pipeline.wording import Wording

_CHARACTER_MS = 65
"""How long it takes to speak one, roughly, over languages and voices."""


@dataclass(frozen=True)
class DraftBatch:
    """The items of one render task."""

    number: int
    chapter: int
    items: tuple[Item, ...]
    digest: str
    """The same for what sounds the same: of another revision, it need not be rendered again."""

    @property
    def sentence_count(self) -> int:
        """How many of its items say something."""
        return sum(bool(item.text) for item in self.items)


@dataclass(frozen=True)
class Draft:
    """A book before it is put on the shelf."""

    title: str
    author: str | None
    language: str
    cover: bytes | None
    cast: dict[str, Role]
    speech: Speech
    chapters: tuple[tuple[str, tuple[Item, ...]], ...]
    """Their titles and items."""
    batches: tuple[DraftBatch, ...]

    @property
    def sentence_count(self) -> int:
        """How many of its items say something."""
        return sum(batch.sentence_count for batch in self.batches)

    @property
    def expected_ms(self) -> int:
        """How long it will last, roughly."""
        return sum(len(item.said) * _CHARACTER_MS + item.pause_ms for _, made in self.chapters for item in made)


def draft(
    paths: Sequence[Path], settings: BookSettings, batch_size: int, wording_of: Callable[[str], Wording]
) -> Draft:
    """Read, split and cast a file, or several as one; raises UnreadableDocument or UnusableVoice.

    In which words it is spoken is asked for once its title is known.
    """
    document = _document(paths, settings)
    language = document.language or settings.splitting.language
    title = settings.title or document.title
    spoken = wording_of(title).applied(items(document, settings.splitting))
    roles = cast({item.language for item in spoken}, language, settings.speech)
    return Draft(
        title=title,
        author=settings.author or document.author,
        language=language,
        cover=document.cover.data if document.cover else None,
        cast=roles,
        speech=settings.speech,
        chapters=_chapters(document, spoken),
        batches=tuple(_batches(spoken, batch_size, roles, settings.speech)),
    )


def redraft(manifest: Manifest, spoken: Sequence[Item], cover: bytes | None, batch_size: int) -> Draft:
    """Return a revision with other words to say, or other takes; its document is not read again."""
    of_chapter = {number: tuple(found) for number, found in groupby(spoken, key=lambda item: item.chapter)}
    return Draft(
        title=manifest.title,
        author=manifest.author,
        language=manifest.language,
        cover=cover,
        cast=manifest.cast,
        speech=manifest.settings.speech,
        chapters=tuple((head.title, of_chapter.get(at, ())) for at, head in enumerate(manifest.chapters)),
        batches=tuple(_batches(spoken, batch_size, manifest.cast, manifest.settings.speech)),
    )


def _document(paths: Sequence[Path], settings: BookSettings) -> Document:
    options = ReadingOptions(notes=settings.notes, language=settings.language)
    if settings.as_one:
        return read_as_one(paths, options, settings.title)
    (path,) = paths
    return read(path, options)


def _chapters(document: Document, spoken: Sequence[Item]) -> tuple[tuple[str, tuple[Item, ...]], ...]:
    of_chapter = {number: tuple(found) for number, found in groupby(spoken, key=lambda item: item.chapter)}
    return tuple((_title(chapter, document), of_chapter.get(at, ())) for at, chapter in enumerate(document.chapters))


def _title(chapter: Chapter, document: Document) -> str:
    """Return a chapter's title; the only chapter of a document has the document's where it has none."""
    return chapter.title or (document.title if len(document.chapters) == 1 else "")


def _batches(spoken: Sequence[Item], size: int, roles: dict[str, Role], speech: Speech) -> list[DraftBatch]:
    return [
        DraftBatch(number, batch[0].chapter, batch, _digest(batch, roles, speech))
        for number, batch in enumerate(batches(spoken, size))
    ]


def sound_of(item: Item, roles: dict[str, Role], speech: Speech) -> tuple[str | float | None, ...]:
    """Return what is the same for sentences that sound the same."""
    role, how = roles[item.language], (speech.rate, speech.pitch, speech.volume, speech.sample_rate)
    return item.said, item.take, role.engine, role.voice, role.language, *how


def _digest(batch: Sequence[Item], roles: dict[str, Role], speech: Speech) -> str:
    said = [sound_of(item, roles, speech) for item in batch]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()
