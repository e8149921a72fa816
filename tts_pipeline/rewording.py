"""How are single sentences of a book said otherwise, or simply once more?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tts_pipeline.book import Item
from tts_pipeline.errors import NoSuchPart, Superseded
from tts_pipeline.ingest import Ingest, Ingested
from tts_pipeline.manifest import read_all_items, read_manifest
from tts_pipeline.shelf import Book
from tts_pipeline.shelf.edits import edits_of, replace_edits
from tts_pipeline.wording import Edit, places


@dataclass(frozen=True)
class Rewording:
    """Changes what was decided about sentences, and makes the next revisions of their books."""

    ingest: Ingest

    def redo(self, book: Book, numbers: Collection[int]) -> Ingested:
        """Render sentences again, each in another take; raises NoSuchPart."""
        return self._changed(book, numbers, lambda edit: edit.model_copy(update={"take": edit.take + 1}))

    def edit(self, book: Book, number: int, say: str | None) -> Ingested:
        """Let other words be spoken for a sentence, or its own again; raises NoSuchPart."""
        return self._changed(book, [number], lambda edit: edit.model_copy(update={"say": say}))

    def reword(self, book: Book) -> Ingested:
        """Make the next revision of a book where other words hold by now, whoever else is at it."""
        while True:
            try:
                return self.ingest.reword(book)
            except Superseded:
                book = self.ingest.shelf.book(book.id)

    def _changed(self, book: Book, numbers: Collection[int], change: Callable[[Edit], Edit]) -> Ingested:
        shelf = self.ingest.shelf
        items = read_all_items(self.ingest.store, read_manifest(self.ingest.store, book.manifest))
        for number in numbers:
            _check(book, items, number)
        with shelf.changing() as connection:
            edits = edits_of(connection, book.id)
            replace_edits(connection, book.id, _merged(edits, items, numbers, change))
        return self.reword(shelf.book(book.id))


def sentences_of(items: Sequence[Item], chapter: int) -> list[int]:
    """Return the places of all that is said in a chapter."""
    return [item.number for item in items if item.chapter == chapter and item.is_heard]


def _check(book: Book, items: Sequence[Item], number: int) -> None:
    if not 0 <= number < len(items):
        raise NoSuchPart(book.title, f"sentence {number + 1}", f"they go from 1 to {len(items):,}")
    if not items[number].text:
        raise NoSuchPart(book.title, f"sentence {number + 1}", "only a pause has that number")


def _merged(
    edits: Sequence[Edit], items: Sequence[Item], numbers: Collection[int], change: Callable[[Edit], Edit]
) -> list[Edit]:
    """Return all edits with those of some sentences changed; those whose sentence is gone stay for its return."""
    found = places(edits, items)
    changed = {number: change(found.get(number) or Edit.of(items, number)) for number in numbers}
    of_others = [edit for edit in edits if edit not in [found[number] for number in changed if number in found]]
    return [*of_others, *changed.values()]
