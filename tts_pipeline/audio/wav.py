"""How do lossless chapters become one .wav file, and one that is longer than its format can say?

All sizes stand in front of the sound, and are known before it is written. A RIFF file has 32
bits for them; one that needs more is called RF64, and has them in a block of its own. Marks
are cue points with labels, which editors show; FFmpeg would add marks in an ID3 tag to them,
so that one has none.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from tts_pipeline.audio.clips import little_endian
from tts_pipeline.audio.cover import usable_cover
from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.id3 import tag
from tts_pipeline.audio.stored import ChapterAudio, Mark, marks, samples
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import common_settings, sample_count

MOST_RIFF_BYTES = (1 << 32) - 1
_BYTES = 2
_ELSEWHERE = (1 << 32) - 1
"""What stands for a size that has to be looked up."""


def write_wav(
    path: Path, chapters: Sequence[ChapterAudio], tags: BookTags, most_riff_bytes: int = MOST_RIFF_BYTES
) -> None:
    """Write a book; memory holds some samples at a time, and the cover."""
    records = [chapter.record for chapter in chapters]
    rate, count = common_settings(records).rate, sample_count(records)
    named = marks(chapters)
    named = named[: FORMATS["wav"].mark_count([mark.start for mark in named])]
    with path.open("wb") as file:
        file.write(head(rate, count, _descriptions(named, tags), most_riff_bytes))
        for chapter in chapters:
            for part in samples(chapter):
                file.write(little_endian(part))


def head(rate: int, count: int, descriptions: bytes, most_riff_bytes: int = MOST_RIFF_BYTES) -> bytes:
    """Return what stands before so many samples."""
    form = _block(b"fmt ", struct.pack("<HHIIHH", 1, 1, rate, rate * _BYTES, _BYTES, _BYTES * 8))
    data = count * _BYTES
    size = 4 + len(form) + len(descriptions) + 8 + data
    if size <= most_riff_bytes:
        return _begin(b"RIFF", size) + b"WAVE" + form + descriptions + _begin(b"data", data)
    sizes = _block(b"ds64", struct.pack("<QQQI", size + 36, data, count, 0))
    return _begin(b"RF64", _ELSEWHERE) + b"WAVE" + sizes + form + descriptions + _begin(b"data", _ELSEWHERE)


def _descriptions(named: Sequence[Mark], tags: BookTags) -> bytes:
    info = b"".join(_block(key.encode(), _text(value)) for key, value in tags.for_riff())
    points = b"".join(
        struct.pack("<II4sIII", number, mark.start, b"data", 0, 0, mark.start)
        for number, mark in enumerate(named, start=1)
    )
    labels = b"".join(
        _block(b"labl", struct.pack("<I", number) + _text(mark.title)) for number, mark in enumerate(named, start=1)
    )
    return b"".join(
        (
            _block(b"LIST", b"INFO" + info),
            _block(b"cue ", struct.pack("<I", len(named)) + points),
            _block(b"LIST", b"adtl" + labels),
            _block(b"id3 ", tag(tags.for_id3(), usable_cover(tags.cover))),
        )
    )


def _text(text: str) -> bytes:
    return text.encode() + b"\0"


def _begin(name: bytes, size: int) -> bytes:
    return name + struct.pack("<I", size)


def _block(name: bytes, data: bytes) -> bytes:
    """Return a block, filled up to an even length."""
    return _begin(name, len(data)) + data + b"\0" * (len(data) % 2)
