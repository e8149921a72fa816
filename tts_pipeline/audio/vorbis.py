"""What do Opus and FLAC know of a book: comments, chapters and a picture, as Vorbis had them first?"""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterable, Sequence

from tts_pipeline.audio.cover import Picture
from tts_pipeline.audio.stored import Mark
from tts_pipeline.audio.tags import BookTags

_VENDOR = b"tts-pipeline"
_FRONT = 3
_DEPTH = 24


def comments(tags: BookTags, marks: Sequence[Mark], rate: int, picture: Picture | None = None) -> bytes:
    """Return a comment block; a picture in it is for Ogg, which has no other place."""
    lines = [f"{key}={value}" for key, value in tags.for_vorbis()]
    for number, mark in enumerate(marks, start=1):
        lines += (f"CHAPTER{number:03}={_clock(mark.start, rate)}", f"CHAPTER{number:03}NAME={mark.title}")
    if picture is not None:
        lines.append("METADATA_BLOCK_PICTURE=" + base64.b64encode(picture_block(picture)).decode())
    return b"".join((_sized(_VENDOR), struct.pack("<I", len(lines)), *_encoded(lines)))


def picture_block(picture: Picture) -> bytes:
    """Return a cover as FLAC has it."""
    kind = picture.media_type.encode()
    head = struct.pack(">II", _FRONT, len(kind)) + kind + struct.pack(">I", 0)
    return head + struct.pack(">5I", picture.width, picture.height, _DEPTH, 0, len(picture.data)) + picture.data


def _encoded(lines: Iterable[str]) -> Iterable[bytes]:
    return (_sized(line.encode()) for line in lines)


def _sized(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def _clock(sample: int, rate: int) -> str:
    seconds, milliseconds = divmod(sample * 1000 // rate, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}"
