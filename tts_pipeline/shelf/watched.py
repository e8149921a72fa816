"""What is known of the files of watched folders?"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import delete, insert, or_, select

from tts_pipeline.shelf.schema import watched
from tts_pipeline.shelf.shelf import Shelf
from tts_pipeline.written_paths import path_of, written


class Watched(NamedTuple):
    """What became of a file, or of the files of a series."""

    path: str
    state: str
    """What it looked like then."""
    book_id: str | None = None
    problem: str | None = None
    """Why it could not be read."""


def watched_below(shelf: Shelf, folder: Path) -> dict[str, Watched]:
    """Return what is known of a folder and of all below it, by path."""
    is_near = (watched.c.path.startswith(each, autoescape=True) for each in (written(folder), folder.as_uri()))
    with shelf.reading() as connection:
        rows = connection.execute(select(watched).where(or_(*is_near)))
        return {row.path: Watched(*row) for row in rows if _is_below(row.path, folder)}


def remember(shelf: Shelf, found: Watched) -> None:
    """Write what became of a file, instead of what was known of it."""
    with shelf.changing() as connection:
        connection.execute(delete(watched).where(watched.c.path == found.path))
        connection.execute(insert(watched).values(**found._asdict()))


def forget(shelf: Shelf, path: str) -> None:
    """Know nothing of a file any more: it is gone."""
    with shelf.changing() as connection:
        connection.execute(delete(watched).where(watched.c.path == path))


def _is_below(path: str, folder: Path) -> bool:
    return path_of(path).is_relative_to(folder)
