"""What is in this zip archive, if it may be opened at all?"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self
from urllib.parse import unquote

from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.refusal import Refused

_IS_ENCRYPTED = 0x1
_LARGE = 1 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, IndexError)


class Archive:
    """An archive that is within its limits. Nothing is ever written to disk."""

    def __init__(self, path: Path, limits: Limits) -> None:
        """Open it; raises Refused where it is broken or hostile."""
        with _explained("its zip archive"):
            self._zip = zipfile.ZipFile(path)
        try:
            self._files = {info.filename: info for info in self._zip.infolist() if not info.is_dir()}
            _check(self._zip.infolist(), limits)
        except Refused:
            self._zip.close()
            raise
        self._by_small_name = {name.lower(): name for name in self._files}

    def close(self) -> None:
        """Close the file."""
        self._zip.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def __contains__(self, name: str) -> bool:
        return self.found(name) is not None

    def names(self) -> Iterator[str]:
        """Yield what its files are called."""
        yield from self._files

    def found(self, name: str) -> str | None:
        """Return how a file is spelt here; sloppy writers get large letters and quoting wrong."""
        spellings = (name, unquote(name))
        exact = next((each for each in spellings if each in self._files), None)
        return exact or next(
            (self._by_small_name[each.lower()] for each in spellings if each.lower() in self._by_small_name), None
        )

    def size(self, name: str) -> int:
        """Return how large a file is, unpacked; 0 where there is none."""
        found = self.found(name)
        return self._files[found].file_size if found else 0

    def read(self, name: str) -> bytes:
        """Return a file; raises Refused where it is missing or broken."""
        found = self.found(name)
        if found is None:
            raise Refused(f"{name} is missing from it")
        with _explained(name):
            return self._zip.read(self._files[found])


@contextmanager
def _explained(what: str) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise Refused(f"{what} is broken: {str(error).rstrip('.') or type(error).__name__}") from error


def _check(files: list[zipfile.ZipInfo], limits: Limits) -> None:
    if len(files) > limits.archive_files:
        raise Refused(f"it holds {len(files):,} files, and at most {limits.archive_files:,} are accepted")
    total = sum(info.file_size for info in files)
    if total > limits.archive_bytes:
        raise Refused(f"it unpacks to {total:,} bytes, and at most {limits.archive_bytes:,} are accepted")
    for info in files:
        _check_one(info, limits)


def _check_one(info: zipfile.ZipInfo, limits: Limits) -> None:
    name = info.orig_filename
    folders = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in folders or ":" in folders[0] or "\0" in name:
        raise Refused(f"it holds a file that would lie outside of it, {name!r}")
    if len(folders) > limits.nesting:
        raise Refused(f"its folders are nested more than {limits.nesting} deep")
    if info.flag_bits & _IS_ENCRYPTED:
        raise Refused("it is protected by a password")
    if info.file_size > _LARGE and info.file_size > limits.archive_ratio * max(info.compress_size, 1):
        raise Refused(f"{name} unpacks to more than {limits.archive_ratio:g} times its size, as no book does")
