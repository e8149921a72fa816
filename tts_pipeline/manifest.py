"""What is a revision of a book, written down once and never changed?

A head with all that holds for the whole book, and a file of items for each chapter. All lie in the store under
their own hashes: chapters that did not change are shared by all revisions, and who works on one chapter reads
one chapter.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, TypeAdapter

from tts_pipeline.book import Item
from tts_pipeline.book_settings import BookSettings
from tts_pipeline.casting import Role
from tts_pipeline.errors import DamagedFile, NotStored
from tts_pipeline.store import Store, address

_ITEMS = TypeAdapter(tuple[Item, ...])


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Frozen):
    """The file that a book was read from, or the files."""

    path: str
    """Of the first file; the others may come and go from one revision to the next."""
    sha256: str
    files: tuple[str, ...] = ()
    """All of them in order, where there are several."""


class ChapterHead(_Frozen):
    """What is known of a chapter without its items."""

    title: str
    items_key: str
    first_item: int
    """The place of its first item in the book, from 0."""
    item_count: int
    sentence_count: int
    """Of its items, how many say something."""


class Manifest(_Frozen):
    """The head of a revision."""

    version: int = 1
    title: str
    author: str | None
    language: str
    cover_key: str | None
    source: Source
    settings: BookSettings
    cast: dict[str, Role]
    """Who speaks each language of the items."""
    chapters: tuple[ChapterHead, ...]

    @property
    def sentence_count(self) -> int:
        """How many items of the book say something."""
        return sum(chapter.sentence_count for chapter in self.chapters)

    @property
    def item_count(self) -> int:
        """How many items the book has, with those that say nothing."""
        return sum(chapter.item_count for chapter in self.chapters)

    @property
    def voices(self) -> list[str]:
        """Who speaks, in words, the voice of the book's own language first."""
        roles = [self.cast[self.language], *self.cast.values()]
        return list(dict.fromkeys(f"{role.voice} ({role.engine})" if role.voice else role.engine for role in roles))


def put_items(store: Store, items: tuple[Item, ...]) -> str:
    """Store the items of a chapter, and return their key."""
    return _put(store, "items", _ITEMS.dump_json(items), ".json")


def put_cover(store: Store, data: bytes) -> str:
    """Store a picture, and return its key."""
    return _put(store, "covers", data, "")


def put_manifest(store: Store, manifest: Manifest) -> str:
    """Store a head, and return its key."""
    return _put(store, "manifests", manifest.model_dump_json().encode(), ".json")


def read_manifest(store: Store, key: str) -> Manifest:
    """Return a head; raises NotStored, or DamagedFile where it is not what was put."""
    return _parsed(store.get(key, checksum=_digest_of(key)))


def read_items(store: Store, chapter: ChapterHead) -> tuple[Item, ...]:
    """Return the items of a chapter; raises NotStored, or DamagedFile where they are not what was put."""
    return _ITEMS.validate_json(store.get(chapter.items_key, checksum=_digest_of(chapter.items_key)))


def read_all_items(store: Store, manifest: Manifest) -> list[Item]:
    """Return the items of a whole book, in order; raises like `read_items`."""
    return [item for chapter in manifest.chapters for item in read_items(store, chapter)]


def read_cover(store: Store, manifest: Manifest) -> bytes | None:
    """Return the picture of a book, if it has one; raises NotStored or DamagedFile."""
    key = manifest.cover_key
    return None if key is None else store.get(key, checksum=_digest_of(key))


def is_complete(store: Store, key: str) -> bool:
    """Say whether all that a revision is made of is in the store; what it is like is not looked at."""
    try:
        manifest = read_manifest(store, key)
    except (NotStored, DamagedFile):
        return False
    return all(map(store.has, parts_of(manifest)))


def parts_of(manifest: Manifest) -> list[str]:
    """Return where the items and the cover of a revision lie."""
    return [*(chapter.items_key for chapter in manifest.chapters), *filter(None, [manifest.cover_key])]


def check_stored(store: Store, key: str) -> None:
    """Raise NotStored or DamagedFile where something is lost that a revision is made of."""
    manifest = read_manifest(store, key)
    for chapter in manifest.chapters:
        read_items(store, chapter)
    read_cover(store, manifest)


def _put(store: Store, folder: str, data: bytes, ending: str) -> str:
    key = address(folder, hashlib.sha256(data).hexdigest(), ending)
    store.put(key, data)
    return key


def _digest_of(key: str) -> str:
    _, start, rest = key.split("/")
    return start + rest.partition(".")[0]


@lru_cache(maxsize=4)  # a worker runs many tasks of one book, one after another
def _parsed(data: bytes) -> Manifest:
    return Manifest.model_validate_json(data)
