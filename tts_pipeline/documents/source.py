"""What lies at this path, before anybody knows what kind of file it is?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.written_paths import legible

_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is there, is not empty and not too large."""

    path: Path
    head: bytes
    """What it begins with."""

    @property
    def ending(self) -> str:
        """What its name ends in, such as .epub; nothing where it has no ending."""
        return self.path.suffix.lower()

    @property
    def name(self) -> str:
        """What the file is called, as it can be written down: some systems have names that are no text."""
        return written_name(self.path)

    def data(self) -> bytes:
        """Return all of it."""
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise Refused(f"it can't be opened: {_reason(error)}") from error


def opened(path: Path, limits: Limits) -> Source:
    """Look at a file; raises Refused where there is none to read."""
    try:
        if not path.exists():
            raise Refused("there is no such file")
        if not path.is_file():
            raise Refused("it is a folder, not a file" if path.is_dir() else "it is no ordinary file")
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except (OSError, ValueError) as error:
        raise Refused(f"it can't be opened: {_reason(error)}") from error
    if not head:
        raise Refused("it is empty")
    if size > limits.file_bytes:
        raise Refused(f"it has {size:,} bytes, and at most {limits.file_bytes:,} are read")
    return Source(path, head)


def written_name(path: Path) -> str:
    """Return the name of a file as text that can be written down."""
    return legible(path).name


def _reason(error: OSError | ValueError) -> str:
    """Return what the system says, without the path, which is named once already."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
