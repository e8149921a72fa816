"""How do the clips of a chapter become its encoded stream in the store, once and for all?

What is stored is not trusted: a clip that is gone or damaged is rendered again, here and now.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tts_pipeline.audio.clips import Sound, from_flac
from tts_pipeline.audio.codec import CodecSettings
from tts_pipeline.audio.encode import Piece, chapter_key, encode_chapter
from tts_pipeline.audio.records import EncodedChapter
from tts_pipeline.book import Item
from tts_pipeline.errors import DamagedFile, MissingClip, NotStored, StoreFailed
from tts_pipeline.render import Renderer
from tts_pipeline.shelf.rows import Rendition
from tts_pipeline.store import Store

_IN_MEMORY_BYTES = 8 << 20


class Leveling(NamedTuple):
    """What is done to the sound of a chapter so that it is as loud as every other."""

    gain: float = 1.0
    limit: bool = False


AS_SPOKEN = Leveling()


@dataclass(frozen=True)
class ChapterSound:
    """The items of a chapter, each with its clip; None where an item says nothing or has no clip."""

    items: Sequence[Item]
    renditions: Sequence[Rendition | None]

    def key(self, settings: CodecSettings, leveling: Leveling = AS_SPOKEN) -> str:
        """Return where the encoded chapter lies."""
        clips = [
            (made.checksum if made else None, item.pause_ms)
            for item, made in zip(self.items, self.renditions, strict=True)
        ]
        return chapter_key(clips, settings, leveling.gain, limit=leveling.limit)


def record_key(key: str) -> str:
    """Return where the record of an encoded chapter lies: written last, it says that the chapter is whole."""
    return f"{key}.json"


def read_record(store: Store, key: str) -> EncodedChapter:
    """Return the record of an encoded chapter; raises NotStored, or DamagedFile where it can't be read."""
    try:
        return EncodedChapter.model_validate_json(store.get(record_key(key)))
    except ValueError as error:
        raise DamagedFile(record_key(key), "it is no record of a chapter") from error


@dataclass(frozen=True)
class Encoder:
    """Encodes chapters of one book; one that is stored whole is not encoded again."""

    store: Store
    settings: CodecSettings
    on_item: Callable[[Item], None] = lambda _: None
    """Told of each item before it is encoded."""

    def encode(self, chapter: ChapterSound, leveling: Leveling = AS_SPOKEN, *, is_trusted: bool = True) -> str:
        """Return where the encoded chapter lies; raises NotStored or DamagedFile where a clip is not what it was."""
        key = chapter.key(self.settings, leveling)
        if not (is_trusted and self.has(key)):
            self._encode(chapter, leveling, key)
        return key

    def has(self, key: str) -> bool:
        """Say whether a chapter is stored, by its record."""
        try:
            read_record(self.store, key)
        except (NotStored, DamagedFile):
            return False
        return self.store.has(key)

    def _encode(self, chapter: ChapterSound, leveling: Leveling, key: str) -> None:
        with tempfile.SpooledTemporaryFile(_IN_MEMORY_BYTES) as file:
            record = encode_chapter(self._pieces(chapter), self.settings, file, leveling.gain, limit=leveling.limit)
            file.seek(0)
            self.store.put(key, file)
        self.store.sync([key])
        self.store.put(record_key(key), record.model_dump_json().encode())
        self.store.sync([record_key(key)])

    def _pieces(self, chapter: ChapterSound) -> Iterator[Piece]:
        for item, made in zip(chapter.items, chapter.renditions, strict=True):
            self.on_item(item)
            yield Piece(clip_of(self.store, made) if made else None, item.pause_ms)


def clip_of(store: Store, made: Rendition) -> Sound:
    """Return a stored clip; raises NotStored, or DamagedFile where it is not the one that was rendered."""
    return from_flac(store.get(made.key), made.checksum, made.key)


def is_stored(store: Store, made: Rendition) -> bool:
    """Say whether a clip is in the store as it was rendered."""
    try:
        clip_of(store, made)
    except (NotStored, DamagedFile):
        return False
    return True


def mended(
    chapter: ChapterSound, renderer: Renderer, on_item: Callable[[Item], None], *, allow_missing: bool
) -> ChapterSound:
    """Render every clip of a chapter again that is not in the store as it was; raises MissingClip.

    With `allow_missing` nothing is rendered, but what the store has is taken.
    """
    renditions = []
    for item, made in zip(chapter.items, chapter.renditions, strict=True):
        on_item(item)
        is_good = not item.is_heard or (made is not None and is_stored(renderer.store, made))
        renditions.append(made if is_good else _again(item, made, renderer, allow_missing=allow_missing))
    return ChapterSound(chapter.items, renditions)


def _again(item: Item, made: Rendition | None, renderer: Renderer, *, allow_missing: bool) -> Rendition | None:
    """Return an item's clip by the engine that spoke it before, or else the book's own."""
    if allow_missing:
        return renderer.stored(item)
    try:
        return renderer.by_engine(item, made.engine) if made else renderer.rendition(item)
    except StoreFailed:
        raise
    except Exception as error:
        raise MissingClip(item.number, made.key if made else "any key") from error
