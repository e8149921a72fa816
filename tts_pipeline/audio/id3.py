"""What does an MP3 with many chapters need that FFmpeg does not see to?

The table of contents (CTOC) counts its entries in one byte, and FFmpeg lets the count run
over: of 300 chapters 44 are listed, and the others take the place of something else. Players
then find all chapters by their own frames (CHAP), if only the table is out of the way. A
name that begins with X is an experiment by the standard, which everybody skips.
"""

from __future__ import annotations

from pathlib import Path

MOST_LISTED = 255

_HEAD = 10
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


def _syncsafe(four: bytes) -> int:
    """Return a number that is kept in seven bits of each byte."""
    return sum(byte << shift for byte, shift in zip(four, (21, 14, 7, 0), strict=True))
