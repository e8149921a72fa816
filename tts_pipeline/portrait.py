"""What is known of one book?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tts_pipeline.book_settings import Publishing
from tts_pipeline.errors import DamagedFile, NotStored
from tts_pipeline.manifest import Manifest, read_manifest
from tts_pipeline.overview import Overview, overviews
from tts_pipeline.problems import problems
from tts_pipeline.removal import published_files
from tts_pipeline.shelf import Book, EncodedRow, Failure, Shelf
from tts_pipeline.shelf.edits import edits_of
from tts_pipeline.shelf.history import Revision, revisions_of
from tts_pipeline.store import Store
from tts_pipeline.wording import Edit


@dataclass(frozen=True)
class ChapterState:
    """How far one chapter is."""

    number: int
    """From 1."""
    title: str
    sentences: int
    rendered: int
    failed: int
    encoded: bool
    """In all ways in which the files of the book take it."""


@dataclass(frozen=True)
class Portrait:
    """All of it."""

    overview: Overview
    voices: tuple[str, ...]
    """Who speaks, the voice of its own language first; none where the store has lost the book."""
    chapters: tuple[ChapterState, ...]
    failures: tuple[Failure, ...]
    revisions: tuple[Revision, ...]
    edits: tuple[Edit, ...]
    sources: tuple[str, ...]
    """The files that it is the book of."""
    files: tuple[Path, ...]
    """What is there of what was published."""

    @property
    def spent_ms(self) -> int:
        """How long workers were busy with it."""
        return sum(each.spent_ms for each in self.revisions)


def portrait(shelf: Shelf, store: Store, book: Book) -> Portrait:
    """Return what is known of a book."""
    (overview,) = overviews(shelf, [book])
    with shelf.reading() as connection:
        edits = edits_of(connection, book.id)
    manifest = _manifest(store, book)
    return Portrait(
        overview=overview,
        voices=tuple(manifest.voices) if manifest else (),
        chapters=tuple(_chapters(shelf, overview, manifest)) if manifest else (),
        failures=tuple(problems(shelf, book)),
        revisions=tuple(revisions_of(shelf, book)),
        edits=edits,
        sources=tuple(shelf.paths(book.id)),
        files=tuple(published_files(shelf, book)),
    )


def _manifest(store: Store, book: Book) -> Manifest | None:
    try:
        return read_manifest(store, book.manifest)
    except (NotStored, DamagedFile):
        return None  # the same file, ingested again, brings it back


def _chapters(shelf: Shelf, overview: Overview, manifest: Manifest) -> list[ChapterState]:
    batches, encoded = shelf.batches(overview.book), _encoded(shelf, overview)
    found = []
    for number, head in enumerate(manifest.chapters):
        own = [batch for batch in batches if batch.chapter == number]
        rows = [row for row in encoded if row.chapter == number]
        found.append(
            ChapterState(
                number=number + 1,
                title=head.title,
                sentences=head.sentence_count,
                rendered=sum(batch.rendered_count for batch in own),
                failed=sum(len(batch.failures) for batch in own),
                encoded=bool(rows) and all(row.key for row in rows),
            )
        )
    return found


def _encoded(shelf: Shelf, overview: Overview) -> Sequence[EncodedRow]:
    wanted = (Publishing.model_validate_json(each.wanted) for each in overview.standing.publications)
    ways = dict.fromkeys(each.encoding.key for each in wanted)
    return [row for way in ways for row in shelf.encoded(overview.book, way)]
