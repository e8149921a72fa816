"""What changes whenever a file does, which may be too large to be read each time?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

_MOST_READ = 64 << 20
"""Bytes; of a larger file, what the system knows of it has to do."""


def named_files(arguments: Iterable[str]) -> list[str]:
    """Return the files that arguments name: alone, as --model=FILE, or behind a short option as -mFILE."""
    found = (path for argument in arguments for path in _paths(argument) if _is_file(path))
    return list(dict.fromkeys(found))


def marks(paths: Iterable[str]) -> list[str]:
    """Return a mark for each file, another one once its content changes; a file that is gone has one, too."""
    return [_mark(path) for path in paths]


def _paths(argument: str) -> Iterable[str]:
    yield argument
    if argument.startswith("-"):
        yield argument.partition("=")[2]
        yield argument[2:]
    else:
        yield argument.partition("=")[2]


def _is_file(path: str) -> bool:
    try:
        return bool(path) and Path(path).is_file()
    except (OSError, ValueError):  # a text in an argument may be too long for a path, or hold a NUL
        return False


def _mark(path: str) -> str:
    try:
        known = Path(path).stat()
        return _content(path, known.st_size, known.st_mtime_ns, known.st_ino)
    except OSError as error:
        return type(error).__name__


@lru_cache(maxsize=1000)
def _content(path: str, size: int, changed_ns: int, inode: int) -> str:
    """Return the hash of a file, read once for as long as the system says that nothing was done to it."""
    if size > _MOST_READ:
        return f"{path} {size} {changed_ns} {inode}"
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()
