"""Where do clips, chapters and manifests lie, and are they still what was put there?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import LocalStore, ObjectStore, from_url

from tts_pipeline.durable import sync_file, sync_folder
from tts_pipeline.errors import BadSetting, DamagedFile, NotStored, StoreFailed

CHUNK_BYTES = 1 << 20
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

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects

    @classmethod
    def open(cls, place: str | Path) -> Store:
        """Open a folder, made if need be, or a URL: s3://bucket/path, gs://…, az://…, file:///…, memory:///."""
        try:
            if "://" in str(place) and not str(place).startswith("file://"):
                return cls(from_url(str(place)))
            if isinstance(place, str) and place.startswith("file://"):
                return cls(LocalStore.from_url(place, mkdir=True))
            return cls(LocalStore(Path(place).absolute(), mkdir=True))
        except (BaseError, ValueError, OSError) as error:
            raise BadSetting("store", f"{place} can't be opened: {_first_line(error)}") from error

    def put(self, key: str, data: bytes | IO[bytes]) -> str:
        """Write under a key, over whatever was there, and return the checksum; a file is sent piece by piece."""
        with _mapped(key):
            if isinstance(data, bytes):
                self._objects.put(key, data, use_multipart=False)
                return checksum(data)
            summed = _Summed(data)
            self._objects.put(key, iter(summed))
            return summed.hash.hexdigest()

    def add(self, key: str, data: bytes) -> bool:
        """Write under a key where nothing lies; False where something does, which stays."""
        try:
            with _mapped(key):
                self._objects.put(key, data, mode="create", use_multipart=False)
        except StoreFailed as error:
            if isinstance(error.__cause__, AlreadyExistsError):
                return False
            raise
        return True

    def get(self, key: str, checksum: str | None = None) -> bytes:
        """Return all of a file; with a checksum, DamagedFile unless it is what was put."""
        with _mapped(key):
            data = bytes(self._objects.get(key).bytes())
        if checksum is not None and hashlib.sha256(data).hexdigest() != checksum:
            raise DamagedFile(key, "its checksum is not the one that was stored")
        return data

    def chunks(self, key: str) -> Iterator[bytes]:
        """Give a file piece by piece; nothing is opened before the first is asked for."""
        with _mapped(key):
            for chunk in self._objects.get(key).stream(min_chunk_size=CHUNK_BYTES):
                if chunk:  # of an empty file some stores give one empty piece
                    yield bytes(chunk)

    def has(self, key: str) -> bool:
        """Say whether something lies under a key, without reading it."""
        try:
            with _mapped(key):
                self._objects.head(key)
        except NotStored:
            return False
        return True

    def delete(self, key: str) -> None:
        """Remove what lies under a key, if anything does."""
        try:
            with _mapped(key):
                self._objects.delete(key)
        except NotStored:
            pass  # several may tidy up at once

    def delete_all(self, keys: Sequence[str]) -> None:
        """Remove what lies under these keys; a bucket takes many at once."""
        for start in range(0, len(keys), _MOST_AT_ONCE):
            some = keys[start : start + _MOST_AT_ONCE]
            try:
                with _mapped(some[0]):
                    self._objects.delete(some)
            except NotStored:
                for key in some:
                    self.delete(key)

    def list(self, prefix: str = "") -> Iterator[str]:
        """Give the keys below a folder, in no order."""
        return (entry.key for entry in self.entries(prefix))

    def entries(self, prefix: str = "") -> Iterator[Entry]:
        """Give what lies below a folder, in no order."""
        with _mapped(prefix):
            for page in self._objects.list(prefix or None):
                for found in page:
                    yield Entry(found["path"], found["size"], found["last_modified"].timestamp())

    def sync(self, keys: Iterable[str]) -> None:
        """Return once these files would outlive a power cut; a bucket's do so as soon as they are put."""
        root = self._objects.prefix if isinstance(self._objects, LocalStore) else None
        if root is None:
            return
        folders: set[Path] = set()
        for key in keys:
            with _mapped(key):
                sync_file(root / key)
            folders.update(root / parent for parent in Path(key).parents)
        for folder in sorted(folders, reverse=True):
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


@contextmanager
def _mapped(key: str) -> Iterator[None]:
    """Turn the driver's errors into ours, in one place."""
    try:
        yield
    except FileNotFoundError as error:
        raise NotStored(key) from error
    except (BaseError, OSError, ValueError) as error:
        raise StoreFailed(key, _first_line(error)) from error


def _first_line(error: Exception) -> str:
    """Return what a driver has to say; it adds a dump of its own structures after it."""
    return (str(error).splitlines() or [type(error).__name__])[0]
