"""How do lossless chapters become one .flac file, in which a player finds every place at once?"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import av
from av.audio.codeccontext import AudioCodecContext

from tts_pipeline.audio.clips import Samples
from tts_pipeline.audio.codec import CodecSettings
from tts_pipeline.audio.cover import usable_cover
from tts_pipeline.audio.encoder import open_encoder
from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.stored import ChapterAudio, marks, samples
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import common_settings, sample_count
from tts_pipeline.audio.vorbis import comments, picture_block

_INFO, _SEEKTABLE, _COMMENT, _PICTURE, _LAST = 0, 3, 4, 6, 0x80
_MOST_BLOCK_BYTES = (1 << 24) - 1
_POINT = struct.Struct(">QQH")
_POINT_SECONDS = 10


def write_flac(path: Path, chapters: Sequence[ChapterAudio], tags: BookTags) -> None:
    """Write a book; memory holds some samples at a time, and a point of 18 bytes for every ten seconds."""
    records = [chapter.record for chapter in chapters]
    settings = common_settings(records)
    with path.open("wb") as file:
        frames = _Frames(file, settings, sample_count(records))
        blocks = [(_INFO, frames.info), (_SEEKTABLE, frames.table), *_descriptions(chapters, tags, settings.rate)]
        _write_head(file, blocks)
        frames.begin()
        for chapter in chapters:
            for part in samples(chapter):
                frames.feed(part)
        frames.finish()
        blocks[:2] = [(_INFO, frames.info), (_SEEKTABLE, frames.table)]
        file.seek(0)
        _write_head(file, blocks)


def _descriptions(chapters: Sequence[ChapterAudio], tags: BookTags, rate: int) -> list[tuple[int, bytes]]:
    named = marks(chapters)
    count = FORMATS["flac"].mark_count([mark.start for mark in named])
    blocks = [(_COMMENT, comments(tags, named[:count], rate))]
    picture = usable_cover(tags.cover)
    if picture is not None:
        block = picture_block(picture)
        if len(block) <= _MOST_BLOCK_BYTES:
            blocks.append((_PICTURE, block))
    return blocks


def _write_head(file: IO[bytes], blocks: Sequence[tuple[int, bytes]]) -> None:
    file.write(b"fLaC")
    for number, (kind, block) in enumerate(blocks, start=1):
        file.write(bytes([kind | (_LAST if number == len(blocks) else 0)]) + len(block).to_bytes(3) + block)


class _Frames:
    """Encodes samples, and notes where the frames begin that a player may want to jump to."""

    def __init__(self, file: IO[bytes], settings: CodecSettings, count: int) -> None:
        self._file, self._rate, self._time_base = file, settings.rate, settings.time_base
        self._encoder: AudioCodecContext = open_encoder(settings)
        self.info = self._encoder.extradata or b""
        """The block that describes the sound; complete when all frames are written."""
        size = self._encoder.frame_size
        self._stride = max(1, _POINT_SECONDS * settings.rate // size)
        """Frames from one point to the next."""
        frame_count = -(-count // size)
        self._points = [(0, 0)] * -(-frame_count // self._stride)
        self._start = self._fed = self._number = 0

    @property
    def table(self) -> bytes:
        """The block of points: which sample, how many bytes from the first frame, samples in the frame."""
        size = self._encoder.frame_size
        return b"".join(_POINT.pack(sample, offset, size) for sample, offset in self._points)

    def begin(self) -> None:
        """Take the file's place for that of the first frame."""
        self._start = self._file.tell()

    def feed(self, part: Samples) -> None:
        frame = av.AudioFrame.from_ndarray(part.reshape(1, -1), "s16", "mono")
        frame.rate, frame.pts, frame.time_base = self._rate, self._fed, self._time_base
        self._fed += len(part)
        self._write(frame)

    def finish(self) -> None:
        self._write(None)

    def _write(self, frame: av.AudioFrame | None) -> None:
        for packet in self._encoder.encode(frame):
            if not packet.size:  # it only brings the block anew, with the MD5 that `extradata` never gets
                self.info = bytes(packet.get_sidedata("new_extradata"))
                continue
            place, beside = divmod(self._number, self._stride)
            if not beside:
                self._points[place] = (self._number * self._encoder.frame_size, self._file.tell() - self._start)
            self._number += 1
            self._file.write(bytes(packet))
