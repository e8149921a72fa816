"""Which files of a folder are texts that somebody wants to hear?"""

from __future__ import annotations

from os.path import isdir, isfile
from pathlib import Path

from tts_pipeline.documents.formats import ENDINGS
from tts_pipeline.watching.remarks import REMARK

_HELD = "~"
"""How names begin and end that editors and office programs give to files that they hold open."""


def is_candidate(path: Path) -> bool:
    """Say whether a file is a text by its name: hidden, temporary and unknown files are none.

    A file that is being copied under another name (book.epub.part) is none, as its ending is not that of a text.
    """
    name = path.name
    if name.startswith((".", _HELD)) or name.endswith((_HELD, REMARK)):
        return False
    return path.suffix.lower() in ENDINGS


def is_open_folder(path: Path) -> bool:
    """Say whether texts are looked for in a folder: not in hidden ones, and not behind links, which may lead back."""
    return not path.name.startswith(".") and isdir(path) and not path.is_symlink()  # noqa: PTH112 (it never raises)


def is_text_file(path: Path) -> bool:
    """Say whether a file is a text by its name, and one that the system lets be seen."""
    return is_candidate(path) and isfile(path)  # noqa: PTH113 (it never raises)
