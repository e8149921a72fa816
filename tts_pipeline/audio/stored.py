"""How is an encoded chapter read from the store, and is it still what was encoded?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import av

from tts_pipeline.audio.clips import Samples, little_endian
from tts_pipeline.audio.packets import split
from tts_pipeline.audio.records import EncodedChapter
from tts_pipeline.audio.tags import chapter_title
from tts_pipeline.audio.timeline import chapter_marks
from tts_pipeline.errors import DamagedFile


@dataclass(frozen=True)
class ChapterAudio:
    """An encoded chapter, and what stands at its mark."""

    key: str
    """What it is stored under."""
    title: str
    record: EncodedChapter
    chunks: Iterable[bytes]
    """What is stored, read when its turn has come."""


class Mark(NamedTuple):
    """Where a chapter begins and ends, in samples, and what it is called."""

    start: int
    end: int
    title: str


def marks(chapters: Sequence[ChapterAudio]) -> list[Mark]:
    """Return the mark of each chapter."""
    bounds = chapter_marks([chapter.record for chapter in chapters])
    return [
        Mark(start, end, chapter_title(chapter.title, number))
        for number, (chapter, (start, end)) in enumerate(zip(chapters, bounds, strict=True), start=1)
    ]


def packets(chapter: ChapterAudio) -> Iterator[bytes]:
    """Give a chapter's packets; DamagedFile at its end unless they were those of its record."""
    hashed = hashlib.sha256()
    for packet in split(chapter.chunks, chapter.record.settings.codec, chapter.key):
        hashed.update(packet)
        yield packet
    if hashed.hexdigest() != chapter.record.packets_hash:
        raise DamagedFile(chapter.key, "its packets are not those that were encoded")


def samples(chapter: ChapterAudio) -> Iterator[Samples]:
    """Give the samples of a lossless chapter, some at a time; DamagedFile unless they were those of its record."""
    hashed = hashlib.sha256()
    try:
        with av.open(_Chunks(chapter.chunks), "r", format="flac") as container:
            container.streams.audio[0].codec_context.thread_count = 1
            for frame in container.decode(audio=0):
                part = frame.to_ndarray()[0]
                hashed.update(little_endian(part))
                yield part
    except (av.FFmpegError, IndexError) as error:
        raise DamagedFile(chapter.key, "it is no whole FLAC file") from error
    if hashed.hexdigest() != chapter.record.packets_hash:
        raise DamagedFile(chapter.key, "its samples are not those that were encoded")


class _Chunks:
    """Pieces that are read as a file, from its start to its end."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._rest = memoryview(b"")

    def read(self, size: int) -> bytes:
        while not self._rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return b""
            self._rest = memoryview(chunk)
        data, self._rest = self._rest[:size], self._rest[size:]
        return bytes(data)
