"""How is a file written so that it is there whole, or not at all, and stays after a power cut?"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

PARTIAL_PREFIX = ".part-"


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a hidden sibling to write to; it takes the path's place once it is on disk, or goes where the block failed.

    On the same file system by construction, so that the last step is a rename.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(PARTIAL_PREFIX + secrets.token_hex(8))
    try:
        yield partial
        sync_file(partial)
        partial.replace(path)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None and error.filename in {None, str(partial)}:
            raise _about(path, error) from error  # the hidden name says nothing to anybody, and a full disk names none
        raise
    sync_folder(path.parent)


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write text, piece by piece, whole or not at all."""
    with whole(path) as partial, partial.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(pieces)


def sync_file(path: Path) -> None:
    """Wait until a file's content is on the disk, not only in its cache."""
    _sync(path, os.O_RDWR)


def sync_folder(path: Path) -> None:
    """Wait until a folder's entries are on the disk; Windows does so of its own accord."""
    if sys.platform != "win32":
        _sync(path, os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        if sys.platform == "darwin":  # there fsync leaves it in the drive's own cache
            import fcntl  # noqa: PLC0415

            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            os.fsync(descriptor)
    except OSError as error:
        raise _about(path, error) from error
    finally:
        os.close(descriptor)


def _about(path: Path, error: OSError) -> OSError:
    """Return an error that names a path; those of codecs can't be changed."""
    return OSError(error.errno, error.strerror, str(path))
