"""Which files does a published book consist of, and how do they get into its folder?"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tts_pipeline.durable import sync_folder
from tts_pipeline.names import safe_name
from tts_pipeline.shelf import Book, Publication

STAGING = ".publishing-"


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

    @classmethod
    def published(cls, book: Book, publication: Publication) -> Files:
        """Return the files that were published last, whatever the title is by now."""
        folder, name = Path(book.folder), (publication.file or "").removesuffix(f".{publication.format}")
        return cls(folder, folder, name, publication.format, publication.place == 0)

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
    def staged(self, name: str) -> Iterator[Files]:
        """Give the same files in a hidden folder of this name, beside the place where they belong."""
        within = self.folder / f"{STAGING}{name}"
        within.mkdir(parents=True)
        try:
            yield replace(self, within=within)
        finally:
            shutil.rmtree(within, ignore_errors=True)

    def put_in_place(self, instead_of: Files | None) -> None:
        """Move staged files to where they belong, each at once; what they replace under another name goes."""
        for staged in self.all:
            staged.replace(self.folder / staged.name)
        kept = {file.name for file in self.all}
        for file in instead_of.all if instead_of else ():
            if file.name not in kept:
                file.unlink(missing_ok=True)
        sync_folder(self.folder)


def sweep(folder: Path, is_at_work: Callable[[str], bool]) -> None:
    """Remove the hidden folders that killed attempts left; those of tasks at work stay."""
    for left in folder.glob(f"{STAGING}*"):
        if not is_at_work(left.name.removeprefix(STAGING)):
            shutil.rmtree(left, ignore_errors=True)
