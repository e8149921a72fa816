"""How does a file, or several, become a book on the shelf and tasks on the queue?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tts_pipeline.book_settings import BookSettings, Publishing
from tts_pipeline.documents.reading import digest_of
from tts_pipeline.drafting import Draft, draft
from tts_pipeline.errors import DamagedFile, NotStored, Superseded, UnreadableDocument
from tts_pipeline.manifest import ChapterHead, Manifest, Source, check_stored, put_cover, put_items, put_manifest
from tts_pipeline.orders import Terms
from tts_pipeline.planning import Wish, is_all_there, order_book, order_publications
from tts_pipeline.shelf import Book, Shelf
from tts_pipeline.shelf.placing import Placement, place, remember_path
from tts_pipeline.store import Store
from tts_pipeline.written_paths import path_of, written


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
class Ingest:
    """Puts books on a shelf."""

    shelf: Shelf
    store: Store
    terms: Terms = field(default_factory=Terms)
    batch_size: int = 24

    def __call__(self, paths: Sequence[Path], settings: BookSettings, wanted: Sequence[Publishing]) -> Ingested:
        """Read a file, or several where the settings take them as one, and enqueue what makes a book, all or nothing.

        Known content with known settings enqueues only what its files need that are not there. A known path with other
        content is a new revision of its book; a book of several files is known by the first of them. Raises
        UnreadableDocument or UnusableVoice.
        """
        content = _content(paths)
        known = self.shelf.known(content, settings.digest())
        if known is None:
            return self._drafted(paths, content, settings, wanted)
        try:
            return self._again(known, paths, wanted)
        except (NotStored, DamagedFile):  # what it was made of is lost; the file is not
            return self._drafted(paths, content, settings, wanted, renews=True)
        except Superseded:
            return self(paths, settings, wanted)

    def _again(self, book: Book, paths: Sequence[Path], wanted: Sequence[Publishing]) -> Ingested:
        with self.shelf.changing() as connection:
            remember_path(connection, _absolute(paths[0]), book.settings, book.id)
        wish = Wish(book, wanted, self.terms)
        if not is_all_there(self.shelf, wish):
            check_stored(self.store, book.manifest)
        return Ingested(book, len(order_publications(self.shelf, self.store, wish)))

    def _drafted(
        self,
        paths: Sequence[Path],
        content: str,
        settings: BookSettings,
        wanted: Sequence[Publishing],
        *,
        renews: bool = False,
    ) -> Ingested:
        drafted = draft(paths, settings, self.batch_size)
        if _content(paths) != content:
            raise UnreadableDocument(_listed(paths), "it is being written just now: try again when it is whole")
        known_by, *_ = files = tuple(map(_absolute, paths))
        source = Source(path=known_by, sha256=content, files=files if settings.as_one else ())
        manifest = self._stored(drafted, source, settings)
        placement = Placement(known_by, content, settings.digest(), manifest, drafted, renews=renews)
        placed = self._placed(placement, path_of(settings.outputs), wanted)
        return placed or self(paths, settings, wanted)

    def _placed(self, placement: Placement, outputs: Path, wanted: Sequence[Publishing]) -> Ingested | None:
        """Put a book on the shelf with its tasks; None where somebody else did so in this instant."""
        queue = self.shelf.queue
        with self.shelf.changing() as connection:
            placed = place(connection, placement, outputs, queue.clock.now_ms())
            if not placed.is_new:
                return None
            tasks = order_book(connection, placed, placement.draft, wanted, self.terms)
            queue.enqueue(tasks, connection=connection)
        if placed.superseded is not None:
            queue.cancel(group_id=placed.superseded)
        return Ingested(placed.book, len(tasks), is_new=True, kept_count=placed.kept_count)

    def _stored(self, drafted: Draft, source: Source, settings: BookSettings) -> str:
        """Write the revision into the store, and return where its head lies; it outlives a power cut."""
        heads, first = [], 0
        for title, items in drafted.chapters:
            heads.append(
                ChapterHead(
                    title=title,
                    items_key=put_items(self.store, items),
                    first_item=first,
                    item_count=len(items),
                    sentence_count=sum(bool(item.text) for item in items),
                )
            )
            first += len(items)
        cover = put_cover(self.store, drafted.cover) if drafted.cover else None
        key = put_manifest(
            self.store,
            Manifest(
                title=drafted.title,
                author=drafted.author,
                language=drafted.language,
                cover_key=cover,
                source=source,
                settings=settings,
                cast=drafted.cast,
                chapters=tuple(heads),
            ),
        )
        self.store.sync({key, *(head.items_key for head in heads), *([cover] if cover else [])})
        return key


def _content(paths: Sequence[Path]) -> str:
    """Return the SHA-256 of a file or, of several, that of theirs."""
    digests = [digest_of(path) for path in paths]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _listed(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths))


def _absolute(path: Path) -> str:
    return written(path.absolute())
