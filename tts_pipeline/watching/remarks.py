"""Where do people find out, without the command at hand, why a file did not become a book?

In a file beside it: book.epub.error.txt. It goes as soon as the file can be read, or is gone itself.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from tts_pipeline.durable import write_whole
from tts_pipeline.written_paths import legible

REMARK = ".error.txt"
"""How the names of these files end."""


def remark_of(path: Path) -> Path:
    """Return where the remark about a file stands; about the files of a folder, in it."""
    return path / f"{path.name}{REMARK}" if path.is_dir() else path.with_name(f"{path.name}{REMARK}")


def remark(path: Path, reason: str, what: str = "did not become an audiobook") -> None:
    """Write what is wrong with a file, and why; where its folder can't be written to, nothing is left there."""
    words = f"{legible(path).name} {what}:\n\n{reason}\n\nIt is tried again when it changes.\n"
    with suppress(OSError):  # it was said on the screen, too
        write_whole(remark_of(path), [words])


def clear(path: Path) -> None:
    """Remove what was written about a file."""
    with suppress(OSError):
        remark_of(path).unlink(missing_ok=True)
