"""What are the tracks of a book called, and which are there? It is asked without loading codecs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tts_pipeline.names import safe_name

PLAYLIST = "playlist.m3u8"
_LEAST_DIGITS = 2


def track_names(titles: Sequence[str]) -> list[str]:
    """Return what the files are called: in the order of the book, however they are sorted."""
    digits = max(_LEAST_DIGITS, len(str(len(titles))))
    return [
        safe_name(f"{number:0{digits}} - {title}".strip(" -"), suffix=".mp3")
        for number, title in enumerate(titles, start=1)
    ]


def track_paths(folder: Path) -> list[Path]:
    """Return the files that a published folder's list names; none where it has no list."""
    try:
        lines = (folder / PLAYLIST).read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError):
        return []
    names = (line for line in lines if line and not line.startswith("#"))
    return [folder / name for name in names if Path(name).name == name and name.endswith(".mp3")]
