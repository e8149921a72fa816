"""Which files does a published book consist of, and how do they get into its folder?"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tts_pipeline.durable import sync_folder
from tts_pipeline.names import safe_name
from tts_pipeline.shelf import Book

_STAGING = ".publishing-"


@dataclass(frozen=True)
class Files:
    """The files of one format of a book: the sound, its captions, its report."""

    folder: Path
    """Where they belong."""
    within: Path
    """Where they are now."""
    name: str
    format: str
    is_first: bool
    """Of the formats of its book: it has the plain names."""

    @classmethod
    def of(cls, book: Book, format: str, *, is_first: bool) -> Files:  # noqa: A002 (what it is)
        """Return the published files of a book."""
        folder = Path(book.folder)
        return cls(folder, folder, safe_name(book.title), format, is_first)

    @property
    def sound(self) -> Path:
        """What is listened to."""
        return self.within / f"{self.name}.{self.format}"

    @property
    def vtt(self) -> Path:
        """The captions as web pages have them; players look for them beside the sound."""
        return self.within / f"{self.name}{self._inner}.vtt"

    @property
    def srt(self) -> Path:
        """The captions as other players have them."""
        return self.within / f"{self.name}{self._inner}.srt"

    @property
    def report(self) -> Path:
        """What proves that every sentence is in it."""
        return self.within / f"report{self._inner}.json"

    @property
    def all(self) -> tuple[Path, ...]:
        """All of them, in the order in which they are put in place: the report last."""
        return (self.sound, self.vtt, self.srt, self.report)

    @property
    def _inner(self) -> str:
        return "" if self.is_first else f".{self.format}"

    @contextmanager
    def staged(self) -> Iterator[Files]:
        """Give the same files in a hidden folder beside them; what an earlier, killed attempt left there goes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for left in self.folder.glob(f"{_STAGING}{self.format}-*"):
            shutil.rmtree(left, ignore_errors=True)
        within = self.folder / f"{_STAGING}{self.format}-{secrets.token_hex(4)}"
        within.mkdir()
        try:
            yield replace(self, within=within)
        finally:
            shutil.rmtree(within, ignore_errors=True)

    def put_in_place(self, instead_of: str | None) -> None:
        """Move staged files to where they belong, each at once; what they replace under another name goes."""
        for staged in self.all:
            staged.replace(self.folder / staged.name)
        for name in _outdated(instead_of, self.sound.name):
            (self.folder / name).unlink(missing_ok=True)
        sync_folder(self.folder)


def _outdated(before: str | None, now: str) -> Iterator[str]:
    """Give the names of the files that a book had under another title."""
    if before is not None and before != now:
        stem = Path(before).stem
        yield from (before, f"{stem}.vtt", f"{stem}.srt")
