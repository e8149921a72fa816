"""How is a setting written into the file without losing what people wrote beside it?"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from queue_core.console.failed import BadSetting


class SettingsFile:
    """A TOML file that is replaced as a whole, or not at all; comments and order stay."""

    def __init__(self, path: Path) -> None:
        # Behind a link is the file that people mean; the link stays.
        self._path = path.resolve()

    def put(self, key: str, value: Any) -> None:
        """Set one key."""
        document = self._read()
        document[_written(document, key)] = value
        self._write(document)

    def take_out(self, key: str) -> bool:
        """Remove a key; return whether it was there."""
        document = self._read()
        written = _written(document, key)
        if written not in document:
            return False
        document.remove(written)
        self._write(document)
        return True

    def _read(self) -> tomlkit.TOMLDocument:
        try:
            return tomlkit.parse(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return tomlkit.document()
        except (TOMLKitError, UnicodeDecodeError) as error:
            raise BadSetting(str(self._path), f"is no TOML: {error}") from error

    def _write(self, document: tomlkit.TOMLDocument) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{self._path.name}.", dir=self._path.parent)
        sibling = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(tomlkit.dumps(document))
                file.flush()
                os.fsync(file.fileno())
            sibling.chmod(self._mode())
            sibling.replace(self._path)
        except BaseException:
            with suppress(FileNotFoundError):
                sibling.unlink()
            raise

    def _mode(self) -> int:
        """Return the rights that it has; a new one is its owner's alone, for it may hold a password."""
        try:
            return self._path.stat().st_mode & 0o777
        except FileNotFoundError:
            return 0o600


def _written(document: Container[str], key: str) -> str:
    """Return how the file has a key: with - or with _."""
    other = key.replace("-", "_")
    return other if other in document and key not in document else key
