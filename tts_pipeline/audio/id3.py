"""Which ID3 tags do we write ourselves, and what does an MP3 with many chapters need that FFmpeg does not see to?

The table of contents (CTOC) counts its entries in one byte, and FFmpeg lets the count run
over: of 300 chapters 44 are listed, and the others take the place of something else. Players
then find all chapters by their own frames (CHAP), if only the table is out of the way. A
name that begins with X is an experiment by the standard, which everybody skips.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tts_pipeline.audio.cover import Picture

MOST_LISTED = 255

_HEAD = 10
_LATIN1, _UTF16 = b"\0", b"\1"
_FRONT = 3
_TABLE, _IGNORED = b"CTOC", b"XTOC"


def hide_contents(path: Path) -> None:
    """Hide the table of contents in the ID3v2.3 tag at the start of an MP3."""
    with path.open("r+b") as file:
        end = _HEAD + _syncsafe(file.read(_HEAD)[6:])
        at = _HEAD
        while at < end:
            file.seek(at)
            name, size = file.read(4), int.from_bytes(file.read(4))
            if name == _TABLE:
                file.seek(at)
                file.write(_IGNORED)
            at += _HEAD + size


def tag(texts: Iterable[tuple[str, str]], picture: Picture | None = None) -> bytes:
    """Return an ID3v2.3 tag."""
    frames = b"".join(_frame(name, _UTF16 + text.encode("utf-16")) for name, text in texts)
    if picture is not None:
        front = _LATIN1 + picture.media_type.encode() + b"\0" + bytes([_FRONT]) + b"\0"
        frames += _frame("APIC", front + picture.data)
    return b"ID3\3\0\0" + _unsyncsafe(len(frames)) + frames


def _frame(name: str, body: bytes) -> bytes:
    return name.encode() + len(body).to_bytes(4) + b"\0\0" + body


def _unsyncsafe(number: int) -> bytes:
    """Return a number in seven bits of each of four bytes."""
    return bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))


def _syncsafe(four: bytes) -> int:
    """Return a number that is kept in seven bits of each byte."""
    return sum(byte << shift for byte, shift in zip(four, (21, 14, 7, 0), strict=True))
