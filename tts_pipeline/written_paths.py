"""How is a path kept where only text can be, whatever its name is made of?

A database and a report hold text; some systems have names that are none. These are kept as file URLs, which no
absolute path looks like.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

_URL = "file://"


def written(path: Path) -> str:
    """Return a path as text; one that is none becomes absolute."""
    text = str(path)
    return text if _is_text(text) else path.absolute().as_uri()


def settled(path: Path) -> Path:
    """Return an absolute path that is the same from wherever it was given: without .. in it, links left as they are."""
    whole = path.absolute()
    if ".." not in whole.parts:
        return whole
    return whole.resolve() if whole.name == ".." else whole.parent.resolve() / whole.name


def path_of(text: str) -> Path:
    """Return the path that was written."""
    return Path(os.fsdecode(unquote_to_bytes(text.removeprefix(_URL)))) if text.startswith(_URL) else Path(text)


def legible(path: Path | str) -> Path:
    """Return a path that can be shown and written down, though nothing may be found there."""
    return Path(os.fsencode(path).decode("utf-8", "backslashreplace"))


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
