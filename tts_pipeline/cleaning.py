"""What in the store does no book need any more, and how does it go while others work?

Nothing goes that can't be made again. A clip or a chapter that a book begins to need in the instant in which it goes is
rendered or encoded anew, which costs time and nothing else. The text of a book is made of its file alone: it goes while
nobody can put a book on the shelf, and whoever puts one there looks afterwards whether all of it is stored.

What was written lately stays: it may belong to a task, or to a book, that is not noted anywhere yet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, select

from tts_pipeline.errors import DamagedFile, NotStored
from tts_pipeline.manifest import parts_of, read_manifest
from tts_pipeline.shelf import Shelf
from tts_pipeline.shelf.schema import batches, books, encoded_chapters
from tts_pipeline.store import Store

SOUND = ("clips", "chapters")
TEXT = ("manifests", "items", "covers")
HOUR = 3600.0
_ADDRESS = re.compile(r"[a-z]+/([0-9a-f]{2})/([0-9a-f]{62})(?:\.[a-z0-9.]+)?")
_DIGEST_BYTES = 16
"""Of each hash: a set of them has to hold a whole library."""
_MOST_AT_ONCE = 200
"""Texts that go while nobody can put a book on the shelf."""


@dataclass(frozen=True)
class Limits:
    """What may go of what nobody needs."""

    older_than: float = HOUR
    """Only what was written so many seconds ago."""
    keep: int | None = None
    """How many bytes of it may stay; the oldest goes first. None: none has to."""


class Spare(NamedTuple):
    """A thing that no book needs: a clip, a chapter with its record, a text."""

    kind: str
    keys: tuple[str, ...]
    size: int
    modified_at: float


@dataclass(frozen=True)
class Cleaned:
    """What goes, or would go, and what stays though no book needs it."""

    gone: tuple[Spare, ...]
    left: tuple[Spare, ...]


class Cleaner:
    """Finds what no book needs, and deletes it."""

    def __init__(self, shelf: Shelf, store: Store, limits: Limits) -> None:
        self._shelf, self._store, self._limits = shelf, store, limits
        self._texts: dict[str, list[bytes]] = {}
        """By its manifest, the hashes of all that is the text of a book: none is read twice."""

    def plan(self, now: float) -> Cleaned:
        """Return what would go; nothing is changed."""
        needed = set(self._needed())
        listed = _listed(self._store, needed)
        del needed
        for digest in self._needed():  # once more: what was put on the shelf meanwhile is needed, too
            listed.pop(digest, None)
        return _within(self._limits, sorted(listed.values(), key=lambda spare: spare.modified_at), now)

    def clean(self, now: float) -> Cleaned:
        """Delete what no book needs, and return it."""
        planned = self.plan(now)
        self._store.delete_all([key for spare in planned.gone if spare.kind in SOUND for key in spare.keys])
        texts = [spare for spare in planned.gone if spare.kind in TEXT]
        saved: set[Spare] = set()
        for start in range(0, len(texts), _MOST_AT_ONCE):
            saved |= self._delete_texts(texts[start : start + _MOST_AT_ONCE])
        return Cleaned(tuple(spare for spare in planned.gone if spare not in saved), planned.left)

    def _delete_texts(self, spares: Sequence[Spare]) -> set[Spare]:
        """Delete texts that no book needs at this instant; return the others."""
        with self._shelf.changing() as connection:
            needed = {digest for key in _manifests(connection) for digest in self._text(key)}
            saved = {spare for spare in spares if not needed.isdisjoint(map(_digest, spare.keys))}
            self._store.delete_all([key for spare in spares if spare not in saved for key in spare.keys])
        return saved

    def _needed(self) -> Iterator[bytes]:
        """Give the hashes of all that books need, as the shelf has them at one instant."""
        with self._shelf.reading() as connection:
            manifests = _manifests(connection)
            yield from _hashes(_sounds(connection))
        for key in manifests:
            yield from self._text(key)

    def _text(self, manifest: str) -> list[bytes]:
        if manifest not in self._texts:
            try:
                parts = parts_of(read_manifest(self._store, manifest))
            except (NotStored, DamagedFile):
                return list(_hashes([manifest]))  # the same file, ingested again, brings it back
            self._texts[manifest] = list(_hashes([manifest, *parts]))
        return self._texts[manifest]


def _within(limits: Limits, spares: Sequence[Spare], now: float) -> Cleaned:
    """Choose what goes, of things from the oldest on."""
    gone, left = [], []
    size = sum(spare.size for spare in spares)
    for spare in spares:
        is_old = now - spare.modified_at >= limits.older_than
        if is_old and (limits.keep is None or size > limits.keep):
            gone.append(spare)
            size -= spare.size
        else:
            left.append(spare)
    return Cleaned(tuple(gone), tuple(left))


def _listed(store: Store, needed: set[bytes]) -> dict[bytes, Spare]:
    """Return what is stored and not needed, by its hash; what does not look like ours is left out."""
    found: dict[bytes, Spare] = {}
    for kind in (*SOUND, *TEXT):
        for entry in store.entries(kind):
            digest = _digest(entry.key)
            if digest is None or digest in needed:
                continue
            former = found.get(digest) or Spare(kind, (), 0, 0)
            keys, latest = (*former.keys, entry.key), max(former.modified_at, entry.modified_at)
            found[digest] = Spare(kind, keys, former.size + entry.size, latest)
    return found


def _manifests(connection: Connection) -> list[str]:
    return list(connection.scalars(select(books.c.manifest)))


def _sounds(connection: Connection) -> Iterator[str]:
    """Give the keys of clips and chapters, one book after another: no more than one is held in memory."""
    for book_id in connection.scalars(select(books.c.id)).all():
        for renditions in connection.scalars(select(batches.c.renditions).where(batches.c.book_id == book_id)):
            yield from (made[0] for made in json.loads(renditions) if made)
        mine = (encoded_chapters.c.book_id == book_id, encoded_chapters.c.key.is_not(None))
        yield from connection.scalars(select(encoded_chapters.c.key).where(*mine))


def _hashes(keys: Iterable[str]) -> Iterator[bytes]:
    return (digest for digest in map(_digest, keys) if digest)


def _digest(key: str) -> bytes | None:
    """Return what a key begins with that is a hash; None where it is none of ours."""
    found = _ADDRESS.fullmatch(key)
    return bytes.fromhex(found[1] + found[2])[:_DIGEST_BYTES] if found else None
