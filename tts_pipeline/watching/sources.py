"""Which books are in a watched folder, and of which files is each of them made?"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from natsort import natsorted, ns

from tts_pipeline.errors import BadSetting
from tts_pipeline.watching.candidates import is_open_folder, is_text_file
from tts_pipeline.watching.folders import SETTINGS_FILE, FolderSettings, below


@dataclass(frozen=True)
class Source:
    """What becomes one book: a file, or a series of them."""

    path: Path
    """What it is known by: the file, or the folder of the series."""
    files: tuple[Path, ...]
    folder: FolderSettings

    def look(self) -> str | None:
        """Return what is the same as long as nobody writes its files or settings; None where one is gone."""
        seen = [_look(file) for file in self.files]
        words = _look(self.folder.settings.lexicon)
        return json.dumps([seen, words, self.folder.digest]) if all(seen) else None


@dataclass(frozen=True)
class Trouble:
    """A file of settings that can't be used; the books of its folder are left as they are."""

    path: Path
    reason: str


def sources(root: Path, above: FolderSettings, ignored: frozenset[Path]) -> Iterator[Source | Trouble]:
    """Give the books of a folder and of those below it; the settings of `ignored` files, and such folders, are not."""
    if root in ignored:
        return
    try:
        here = above if root / SETTINGS_FILE in ignored else below(above, root)
    except BadSetting as error:
        yield Trouble(root / SETTINGS_FILE, str(error))
        return
    if here.is_series:
        if files := tuple(natsorted(_below(root, ignored), alg=ns.PATH)):
            yield Source(root, files, here)
        return
    for entry in natsorted(_entries(root), alg=ns.PATH):
        if is_open_folder(entry):
            yield from sources(entry, here, ignored)
        elif is_text_file(entry):
            yield Source(entry, (entry,), here)


def _below(folder: Path, ignored: frozenset[Path]) -> Iterator[Path]:
    """Give all texts of a series, those of its sub-folders too."""
    for entry in _entries(folder):
        if is_open_folder(entry) and entry not in ignored:
            yield from _below(entry, ignored)
        elif is_text_file(entry):
            yield entry


def _entries(folder: Path) -> list[Path]:
    """Return what is in a folder; one that was removed just now, or may not be read, holds nothing."""
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _look(file: Path) -> list[str | int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return [os.fsencode(file).decode(errors="backslashreplace"), found.st_size, found.st_mtime_ns, found.st_ino]
