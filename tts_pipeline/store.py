"""Where do clips, chapters and manifests lie, and are they still what was put there?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import IO, NamedTuple

from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from tts_pipeline.durable import sync_file, sync_folder
from tts_pipeline.errors import BadSetting, DamagedFile, NotStored, StoreFailed

CHUNK_BYTES = 1 << 20
_PATIENCE = timedelta(seconds=8)
"""How long a bucket is asked again: who works with it has more patience, and says so."""
_SYSTEM_ERROR = re.compile(r"([^:]+) \(os error \d+\)$")
_MOST_AT_ONCE = 1000


def checksum(data: bytes) -> str:
    """Return the checksum that put returns and get compares."""
    return hashlib.sha256(data).hexdigest()


def address(folder: str, digest: str, ending: str) -> str:
    """Return the key of a thing known by its hash: clips/ab/cd….flac, so that no folder grows without end."""
    return f"{folder}/{digest[:2]}/{digest[2:]}{ending}"


class Entry(NamedTuple):
    """A file in the store."""

    key: str
    size: int
    modified_at: float
    """When it was written, in seconds since 1970, by the clock of the store."""


class Store:
    """A folder, or a bucket, of immutable files under keys with slashes.

    A write is there whole or not at all. NotStored where a key is absent, StoreFailed where the store itself fails.
    """

    def __init__(self, place: str | Path) -> None:
        """Of a folder, made if need be, or a URL: s3://bucket/path, gs://…, az://…, file:///…, memory:///.

        It is opened when it is first needed: StoreFailed, like any other outage, where it can't be.
        """
        self.place = str(place)

    @classmethod
    def open(cls, place: str | Path) -> Store:
        """Open a store here and now; raises BadSetting where there can't be one, StoreFailed where it is away."""
        store = cls(place)
        try:
            _ = store._objects
        except StoreFailed as error:
            if "://" not in store.place and not _is_below_a_file(Path(place)):
                raise
            raise BadSetting("store", f"{place} can't be opened: {error.reason}") from error
        return store

    @cached_property
    def _objects(self) -> ObjectStore:
        try:
            if self.place.startswith("file://"):
                return LocalStore.from_url(self.place, mkdir=True)
            if self.place.startswith("memory://"):
                return from_url(self.place)
            if "://" in self.place:
                return from_url(self.place, retry_config={"retry_timeout": _PATIENCE})
            return LocalStore(Path(self.place).absolute(), mkdir=True)
        except (BaseError, ValueError, OSError) as error:
            raise StoreFailed(self.place, _reason(error)) from error

    @cached_property
    def _root(self) -> Path | None:
        """The folder; None where it is none."""
        prefix = self._objects.prefix if isinstance(self._objects, LocalStore) else None
        return Path(prefix) if prefix is not None else None

    def _name(self, key: str) -> str:
        """Return what people find a file by."""
        return str(self._root / key) if self._root else f"{self.place.rstrip('/')}/{key}"

    @contextmanager
    def _mapped(self, key: str) -> Iterator[None]:
        """Turn the driver's errors into ours, in one place; a folder that is gone is not made anew behind its back."""
        try:
            if self._root is not None and not self._root.is_dir():
                raise StoreFailed(str(self._root), "there is no such folder")
            yield
        except FileNotFoundError as error:
            raise NotStored(key, self.place) from error
        except (BaseError, OSError, ValueError) as error:
            raise StoreFailed(self._name(key), _reason(error)) from error

    def put(self, key: str, data: bytes | IO[bytes]) -> str:
        """Write under a key, over whatever was there, and return the checksum; a file is sent piece by piece."""
        with self._mapped(key):
            if isinstance(data, bytes):
                self._objects.put(key, data, use_multipart=False)
                return checksum(data)
            summed = _Summed(data)
            self._objects.put(key, iter(summed))
            return summed.hash.hexdigest()

    def add(self, key: str, data: bytes) -> bool:
        """Write under a key where nothing lies; False where something does, which stays."""
        try:
            with self._mapped(key):
                self._objects.put(key, data, mode="create", use_multipart=False)
        except StoreFailed as error:
            if isinstance(error.__cause__, AlreadyExistsError):
                return False
            raise
        return True

    def get(self, key: str, checksum: str | None = None) -> bytes:
        """Return all of a file; with a checksum, DamagedFile unless it is what was put."""
        with self._mapped(key):
            data = bytes(self._objects.get(key).bytes())
        if checksum is not None and hashlib.sha256(data).hexdigest() != checksum:
            raise DamagedFile(key, "its checksum is not the one that was stored")
        return data

    def chunks(self, key: str) -> Iterator[bytes]:
        """Give a file piece by piece; nothing is opened before the first is asked for."""
        with self._mapped(key):
            for chunk in self._objects.get(key).stream(min_chunk_size=CHUNK_BYTES):
                if chunk:  # of an empty file some stores give one empty piece
                    yield bytes(chunk)

    def has(self, key: str) -> bool:
        """Say whether something lies under a key, without reading it."""
        try:
            with self._mapped(key):
                self._objects.head(key)
        except NotStored:
            return False
        return True

    def delete(self, key: str) -> None:
        """Remove what lies under a key, if anything does."""
        try:
            with self._mapped(key):
                self._objects.delete(key)
        except NotStored:
            pass  # several may tidy up at once

    def delete_all(self, keys: Sequence[str]) -> None:
        """Remove what lies under these keys; a bucket takes many at once."""
        for start in range(0, len(keys), _MOST_AT_ONCE):
            some = keys[start : start + _MOST_AT_ONCE]
            try:
                with self._mapped(some[0]):
                    self._objects.delete(some)
            except NotStored:
                for key in some:
                    self.delete(key)

    def list(self, prefix: str = "") -> Iterator[str]:
        """Give the keys below a folder, in no order."""
        return (entry.key for entry in self.entries(prefix))

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Give what lies below a folder, in no order."""
        with self._mapped(prefix):
            for page in self._objects.list(prefix or None):
                for found in page:
                    yield Entry(found["path"], found["size"], found["last_modified"].timestamp())

    def sync(self, keys: Iterable[str]) -> None:
        """Return once these files would outlive a power cut; a bucket's do so as soon as they are put."""
        if self._root is None:
            return
        folders: set[Path] = set()
        for key in keys:
            with self._mapped(key):
                sync_file(self._root / key)
            folders.update(self._root / parent for parent in Path(key).parents)
        for folder in sorted(folders, reverse=True):
            with self._mapped(str(folder)):
                sync_folder(folder)


class _Summed:
    """A file in pieces, and the checksum of all that was read of it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.hash = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        while chunk := self._file.read(CHUNK_BYTES):
            self.hash.update(chunk)
            yield chunk


def _is_below_a_file(path: Path) -> bool:
    return any(each.is_file() for each in (path, *path.parents))


def _reason(error: Exception) -> str:
    """Return what the system says, or else the driver, which adds a dump of its own structures after its first line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    line = (str(error).splitlines() or [type(error).__name__])[0]
    found = _SYSTEM_ERROR.search(line)
    return found[1].strip() if found else line
