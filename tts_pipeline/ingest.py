"""How does a file, or several, become a book on the shelf and tasks on the queue?"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import Connection, update

from tts_pipeline.book_settings import BookSettings, Publishing, Speech
from tts_pipeline.documents.reading import digest_of
from tts_pipeline.drafting import draft, redraft
from tts_pipeline.errors import DamagedFile, NotStored, StillWritten, Superseded
from tts_pipeline.lexicon import Lexicon
from tts_pipeline.manifest import Source, check_stored, is_complete, read_all_items, read_cover, read_manifest
from tts_pipeline.orders import Terms
from tts_pipeline.planning import Wish, is_all_there, order_book, order_publications
from tts_pipeline.revision import write_revision
from tts_pipeline.shelf import Book, Shelf
from tts_pipeline.shelf.edits import edits_of
from tts_pipeline.shelf.placing import Placement, has_others, left_by, made_of, place, remember_path
from tts_pipeline.shelf.rendered import Rendered
from tts_pipeline.shelf.schema import books
from tts_pipeline.shelf.steering import apply_pause
from tts_pipeline.store import Store
from tts_pipeline.wording import Wording
from tts_pipeline.written_paths import legible, settled, written


@dataclass(frozen=True)
class Ingested:
    """What became of a file."""

    book: Book
    task_count: int
    """How many tasks were enqueued for it."""
    is_new: bool = False
    """Whether it is a book, or a revision of one, that was not there before."""
    kept_count: int = 0
    """How many sentences were taken over from the revision before."""


@dataclass(frozen=True)
class Asked:
    """What is to be a book: a file, or several where the settings take them as one."""

    paths: Sequence[Path]
    settings: BookSettings
    wanted: Sequence[Publishing]
    known_by: Path | None = None
    """Of which path it is the book; else of the first of its files."""
    replaces: Book | None = None
    """The book that it is to be the next revision of, whatever the settings were then; unless others share it."""

    @property
    def path(self) -> str:
        """Of which path it is the book, as it is written down."""
        return _absolute(self.known_by or self.paths[0])


@dataclass(frozen=True)
class Ingest:
    """Puts books on a shelf."""

    shelf: Shelf
    store: Store
    terms: Terms = field(default_factory=Terms)
    batch_size: int = 24
    lexicon: Lexicon = field(default_factory=Lexicon)

    def __call__(self, asked: Asked) -> Ingested:
        """Read what is asked for, and enqueue what makes a book of it, all or nothing.

        Known content with known settings enqueues only what its files need that are not there. A known path with other
        content is a new revision of its book. Raises UnreadableDocument or UnusableVoice.
        """
        content = _content(asked)
        known = self.shelf.known(content, asked.settings.digest())
        try:
            if known is None:
                return self._drafted(asked, content, self._before(asked), "its file or its settings changed")
            try:
                return self._again(known, asked)
            except (NotStored, DamagedFile):  # the file is not lost
                return self._drafted(asked, content, known, "what it was made of was lost")
        except Superseded:
            return self(asked)

    def reword(self, book: Book, wanted: Sequence[Publishing] = ()) -> Ingested:
        """Make the next revision of a book where other words are spoken by now; its file is not read again.

        Raises NotStored or DamagedFile where the book is lost from the store.
        """
        wording = self.wording(book.title, book)
        manifest = read_manifest(self.store, book.manifest)
        before = read_all_items(self.store, manifest)
        spoken = wording.applied(before)
        if spoken == before:
            with self.shelf.changing() as connection:
                _note_wording(connection, book, wording)
            return Ingested(replace(book, wording=wording.digest), 0)
        drafted = redraft(manifest, spoken, read_cover(self.store, manifest), self.batch_size)
        return self._placed(
            Placement(
                draft=drafted,
                source=manifest.source,
                settings=manifest.settings,
                manifest=write_revision(self.store, drafted, manifest.source, manifest.settings),
                wording=wording.digest,
                priority=book.priority,
                reason="pronunciations or edits changed",
                before=book,
                rendered=self._rendered(book, manifest.settings.speech),
            ),
            wanted,
        )

    def touched(self, book: Book) -> list[int]:
        """Return the places of the sentences that a rewording would render again."""
        items = read_all_items(self.store, read_manifest(self.store, book.manifest))
        spoken = self.wording(book.title, book).applied(items)
        return [new.number for old, new in zip(items, spoken, strict=True) if old != new]

    def wording(self, title: str, book: Book | None) -> Wording:
        """Return the pronunciations and edits that hold for a book."""
        if book is None:
            return Wording(self.lexicon.for_book(title, None, None))
        with self.shelf.reading() as connection:
            return Wording(self.lexicon.for_book(title, book.id, book.path), edits_of(connection, book.id))

    def _before(self, asked: Asked) -> Book | None:
        """Return the book that becomes another revision, if one does."""
        with self.shelf.reading() as connection:
            known = made_of(connection, asked.path, asked.settings.digest())
            if known is None and asked.replaces and not has_others(connection, asked.replaces.id, asked.path):
                known = asked.replaces
            return known or left_by(connection, asked.path, asked.settings.digest())

    def _again(self, book: Book, asked: Asked) -> Ingested:
        with self.shelf.changing() as connection:
            remember_path(connection, asked.path, book.settings, book.id)
        if self.wording(book.title, book).digest != book.wording:
            worded = self.reword(book, asked.wanted)
            if worded.is_new:
                return worded
        wish = Wish(book, asked.wanted, self.terms)
        if not is_all_there(self.shelf, wish):
            check_stored(self.store, book.manifest)
        return Ingested(book, len(order_publications(self.shelf, self.store, wish)))

    def _drafted(self, asked: Asked, content: str, before: Book | None, reason: str) -> Ingested:
        drafted = draft(asked.paths, asked.settings, self.batch_size, lambda title: self.wording(title, before))
        if _content(asked) != content:
            raise StillWritten(_listed(asked.paths))
        files = tuple(map(_absolute, asked.paths)) if asked.settings.as_one else ()
        source = Source(path=asked.path, sha256=content, files=files)
        terms = self.terms.for_book(before) if before else self.terms
        priority = self.shelf.queue.config.level(terms.priority)
        assert priority is not None, "what comes from the command line was checked"
        return self._placed(
            Placement(
                draft=drafted,
                source=source,
                settings=asked.settings,
                manifest=write_revision(self.store, drafted, source, asked.settings),
                wording=self.wording(drafted.title, before).digest,
                priority=priority,
                reason=reason,
                before=before,
                rendered=self._rendered(before, asked.settings.speech),
            ),
            asked.wanted,
        )

    def _rendered(self, before: Book | None, speech: Speech) -> Rendered:
        """Return what a revision has rendered; nothing of it holds where the voice is told otherwise by now."""
        if before is None:
            return Rendered()
        try:
            manifest = read_manifest(self.store, before.manifest)
            items = read_all_items(self.store, manifest)
        except (NotStored, DamagedFile):
            return Rendered()
        if not manifest.settings.speech.sounds_like(speech):
            return Rendered()
        made = [rendition for batch in self.shelf.batches(before) for rendition in batch.renditions]
        return Rendered.by(manifest.cast, zip(items, made, strict=False))  # none where it was superseded just now

    def _placed(self, placement: Placement, wanted: Sequence[Publishing]) -> Ingested:
        """Put a book on the shelf with its tasks; raises Superseded where somebody else did so in this instant."""
        queue = self.shelf.queue
        with self.shelf.changing() as connection:
            placed = place(connection, placement, queue.clock.now_ms())
            if not placed.is_new:
                raise Superseded(placed.book.id, placed.book.revision)
            tasks = order_book(connection, placed, placement.draft, wanted, self.terms)
            queue.enqueue(tasks, connection=connection)
        if not is_complete(self.store, placement.manifest):  # no book needed it until now, and somebody cleaned up
            write_revision(self.store, placement.draft, placement.source, placement.settings)
        if placed.is_paused:
            apply_pause(self.shelf, placed.book)
        if placed.superseded is not None:
            queue.cancel(group_id=placed.superseded)
            queue.unpause(group_id=placed.superseded)
        return Ingested(placed.book, len(tasks), is_new=True, kept_count=placed.kept_count)


def _content(asked: Asked) -> str:
    """Return the SHA-256 of a file or, of several that are one book, that of theirs and of the names of chapters."""
    digests = [digest_of(path) for path in asked.paths]
    if not asked.settings.as_one:
        return digests[0]
    named = [[legible(path).name, digest] for path, digest in zip(asked.paths, digests, strict=True)]
    return hashlib.sha256(json.dumps(named).encode()).hexdigest()


def _listed(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths))


def _absolute(path: Path) -> str:
    return written(settled(path))


def _note_wording(connection: Connection, book: Book, wording: Wording) -> None:
    """Write that a book has the words that hold by now, unless it has moved on."""
    mine = (books.c.id == book.id, books.c.revision == book.revision)
    connection.execute(update(books).where(*mine).values(wording=wording.digest))
