"""How does a file that has settled become a book, and what is kept of one that can't be read?"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from queue_core import QueueError
from tts_pipeline.errors import BookNotFound, PipelineError, StillWritten, StoreFailed
from tts_pipeline.ingest import Asked, Ingest, Ingested
from tts_pipeline.lexicon import BadLexicon
from tts_pipeline.settings import Settings
from tts_pipeline.shelf import Book, Shelf
from tts_pipeline.shelf.steering import prioritize
from tts_pipeline.shelf.watched import Watched, remember
from tts_pipeline.store import Store
from tts_pipeline.watching.remarks import clear, remark
from tts_pipeline.watching.sources import Source
from tts_pipeline.written_paths import legible, written


@dataclass
class Intake:
    """Puts the sources of a folder on the shelf."""

    shelf: Shelf
    store: Store
    say: Callable[[str], object]
    _tried: set[str] = field(default_factory=set)
    """What was looked at since the start: what could not be read before is tried once more."""

    def is_known(self, source: Source, look: str, known: Watched | None) -> bool:
        """Say whether a source was taken in as it looks now."""
        key = written(source.path)
        is_again = key in self._tried
        self._tried.add(key)
        return known is not None and known.state == look and (known.problem is None or is_again)

    def take(self, source: Source, look: str, known: Watched | None) -> None:
        """Make a book of a source, or the next revision of its book.

        Raises StoreFailed or BadLexicon, where it is not the file's fault.
        """
        key = written(source.path)
        try:
            made = self._ingest(source.folder.settings, source.folder.priority)(self._asked(source, known))
        except (StoreFailed, BadLexicon):
            raise
        except StillWritten:
            return  # it will look otherwise in a moment
        except QueueError:
            raise
        except Exception as error:  # noqa: BLE001 (a file that nobody foresaw must not keep the others waiting)
            if source.look() == look:  # else it is gone, or another by now
                self._refuse(source, Watched(key, look, known.book_id if known else None, _reason(error)))
            return
        if not made.is_new:
            self.shelf.queue.resume(group_id=made.book.group_id)  # who touches a file wants it tried again
            self._move_ahead(made.book, source.folder.priority)
        remember(self.shelf, Watched(key, look, made.book.id))
        clear(source.path)
        self.say(_told(source, made))

    def _ingest(self, settings: Settings, priority: str) -> Ingest:
        return Ingest(self.shelf, self.store, settings.terms(priority), settings.batch, settings.pronunciations())

    def _asked(self, source: Source, known: Watched | None) -> Asked:
        folder = source.folder
        title = folder.title or legible(source.path).name if folder.is_series else None
        settings = folder.settings.book_settings(title, folder.author, as_one=folder.is_series)
        before = self._book(known)
        return Asked(source.files, settings, folder.settings.publishings(), known_by=source.path, replaces=before)

    def _move_ahead(self, book: Book, priority: str) -> None:
        """Give a book the priority of its folder, unless somebody gave it a more urgent one."""
        level = self.shelf.queue.config.level(priority)
        if level is not None and level < book.priority:
            with suppress(BookNotFound):  # it was removed just now
                prioritize(self.shelf, book, level)

    def _book(self, known: Watched | None) -> Book | None:
        try:
            return self.shelf.book(known.book_id) if known and known.book_id else None
        except BookNotFound:
            return None

    def _refuse(self, source: Source, found: Watched) -> None:
        remember(self.shelf, found)
        remark(source.path, found.problem or "")
        problem, name = found.problem or "", legible(source.path)
        self.say(problem if str(name) in problem else f"{name}: {problem}")


def _reason(error: Exception) -> str:
    is_known = isinstance(error, PipelineError)
    return str(error) if is_known else f"an error in this program: {type(error).__name__}: {error}"


def _told(source: Source, made: Ingested) -> str:
    book, name = made.book, legible(source.path).name
    if not made.is_new:
        return f"{name}: the same as before, {book.title}{', whose files are made again' if made.task_count else ''}"
    length = f"{book.sentence_count:,} sentence{'' if book.sentence_count == 1 else 's'}"
    if book.revision == 1:
        return f"{name}: {book.title}, {length}"
    new = book.sentence_count - made.kept_count
    return f"{name}: {book.title}, revision {book.revision}, {new:,} of {length} new"
