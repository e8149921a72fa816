"""How does an MP4 get the one tag that FFmpeg can't write: its narrator?

An atom is four bytes of size, four of name, then what it holds. FFmpeg writes the narrator
as grouping (©grp), in the same shape as Apple's narrator (©nrt): only the name has to change.
"""

from __future__ import annotations

from pathlib import Path
from typing import IO

_TO_GROUPING = (b"moov", b"udta", b"meta", b"ilst", b"\xa9grp")
_NARRATOR = b"\xa9nrt"
_HEAD = 8
_VERSION = 4
"""Bytes that `meta` has before the atoms in it."""


def name_narrator(path: Path) -> None:
    """Turn the grouping of an MP4 into its narrator, if it has one."""
    with path.open("r+b") as file:
        found = _find(file, _TO_GROUPING)
        if found is not None:
            file.seek(found + 4)
            file.write(_NARRATOR)


def _find(file: IO[bytes], path: tuple[bytes, ...]) -> int | None:
    """Return where the atom at the end of a path begins."""
    start, end = 0, file.seek(0, 2)
    for name in path:
        child = _child(file, name, start, end)
        if child is None:
            return None
        at, end = child
        start = at + _HEAD + (_VERSION if name == b"meta" else 0)
    return at


def _child(file: IO[bytes], name: bytes, start: int, end: int) -> tuple[int, int] | None:
    """Return where an atom of this name begins and ends."""
    while start + _HEAD <= end:
        file.seek(start)
        size, found = int.from_bytes(file.read(4)), file.read(4)
        size = int.from_bytes(file.read(8)) if size == 1 else size or end - start
        if found == name:
            return start, start + size
        start += max(size, _HEAD)
    return None
