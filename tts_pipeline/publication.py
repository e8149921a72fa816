"""Which files does a published book consist of, and how do they get into its folder?"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from tts_pipeline.audio.formats import FORMATS, Format
from tts_pipeline.audio.playlist import PLAYLIST, track_paths
from tts_pipeline.durable import sync_folder
from tts_pipeline.names import safe_name
from tts_pipeline.shelf import Book, Publication
from tts_pipeline.written_paths import path_of

STAGING = ".publishing-"
CAPTIONS = (".vtt", ".srt")
"""As web pages have them, and as other players do, which look for them beside the sound."""


@dataclass(frozen=True)
class Files:
    """The files of one format of a book: the sound, its captions, its report."""

    folder: Path
    """Where they belong."""
    within: Path
    """Where they are now."""
    name: str
    kind: Format
    is_first: bool
    """Of the formats of its book: it has the plain names."""

    @classmethod
    def of(cls, book: Book, publication: Publication) -> Files:
        """Return the files of a book as its title has them."""
        folder = path_of(book.folder)
        return cls(folder, folder, safe_name(book.title), FORMATS[publication.format], publication.place == 0)

    @classmethod
    def published(cls, book: Book, publication: Publication) -> Files:
        """Return the files that were published last, whatever the title is by now."""
        now = cls.of(book, publication)
        return replace(now, name=(publication.file or "").removesuffix(now.kind.ending))

    @property
    def sound(self) -> Path:
        """What is listened to: a file, or a folder of them."""
        return self.kind.path(self.within, self.name)

    @property
    def captioned(self) -> tuple[Path, ...]:
        """What captions belong to, without an ending: the book or, where each chapter is a file, each of these."""
        if self.kind.is_folder:
            return tuple(track.with_suffix("") for track in track_paths(self.sound))
        return (self.within / f"{self.name}{self._inner}",)

    @property
    def report(self) -> Path:
        """What proves that every sentence is in it."""
        return self.within / f"report{self._inner}.json"

    @property
    def all(self) -> tuple[Path, ...]:
        """All of them, in the order in which they are put in place: the report last."""
        captions = [path.with_name(path.name + ending) for path in self.captioned for ending in CAPTIONS]
        sounds = [*track_paths(self.sound), self.sound / PLAYLIST] if self.kind.is_folder else [self.sound]
        return (*sounds, *captions, self.report)

    @property
    def size(self) -> int:
        """How many bytes the sound has."""
        sounds = track_paths(self.sound) if self.kind.is_folder else [self.sound]
        return sum(each.stat().st_size for each in sounds)

    @property
    def _inner(self) -> str:
        return "" if self.is_first else f".{self.kind.name}"

    @contextmanager
    def staged(self, name: str) -> Iterator[Files]:
        """Give the same files in a hidden folder of this name, beside the place where they belong."""
        within = self.folder / f"{STAGING}{name}"
        within.mkdir(parents=True)
        try:
            yield replace(self, within=within)
        finally:
            shutil.rmtree(within, ignore_errors=True)
            remove_empty(self.folder, self.folder.parent)

    def put_in_place(self, instead_of: Files | None) -> None:
        """Move staged files to where they belong, each at once; what they replace under another name goes."""
        former = set(instead_of.all) if instead_of else set()
        moves = {self.folder / staged.relative_to(self.within): staged for staged in self.all}
        for place, staged in moves.items():
            place.parent.mkdir(exist_ok=True)
            staged.replace(place)
        for file in former - moves.keys():
            file.unlink(missing_ok=True)
        for folder in {file.parent for file in (*former, *moves)}:
            _sync_or_remove(folder)


def is_whole(book: Book, publication: Publication) -> bool:
    """Say whether a file of a book stands where it belongs, with every sentence in it."""
    if publication.published_revision != book.revision or publication.missing_count or publication.file is None:
        return False
    return all(file.exists() for file in Files.published(book, publication).all)


def _sync_or_remove(folder: Path) -> None:
    """Let the entries of a folder outlive a power cut; a folder of tracks that holds nothing any more goes."""
    if not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
    sync_folder(folder)


def remove_empty(*folders: Path) -> None:
    """Remove folders that hold nothing, one after another."""
    for folder in folders:
        with suppress(OSError):  # most hold something; what can't be removed is no harm
            folder.rmdir()


def sweep(folder: Path, is_at_work: Callable[[str], bool]) -> None:
    """Remove the hidden folders that killed attempts left; those of tasks at work stay."""
    for left in folder.glob(f"{STAGING}*"):
        if not is_at_work(left.name.removeprefix(STAGING)):
            shutil.rmtree(left, ignore_errors=True)
