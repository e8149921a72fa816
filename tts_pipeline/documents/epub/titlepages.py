"""Which pages of an EPUB say no more than what the book is called and who wrote it?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from tts_pipeline.documents.chapters import Entry
from tts_pipeline.documents.epub.package import Package
from tts_pipeline.documents.markup.meaning import name_of
from tts_pipeline.documents.markup.parse import Element

_NAMES = frozenset({"title", "halftitle", "half-title", "half_title"})
_LONGEST = 300
"""Characters of a page that is called a title page, whatever it says."""
_WORD = re.compile(r"\w+")
_BY = frozenset({"by", "von", "par", "di", "por", "de"})


def without_title_pages(pages: dict[str, Element], described: Package, entries: Iterable[Entry]) -> dict[str, Element]:
    """Leave out what no entry of the table of contents leads to, and what repeats title and author alone."""
    listed = {entry.target[0] for entry in entries}
    said = _words(f"{described.title or ''} {described.author or ''}") | _BY
    kept = {file: root for file, root in pages.items() if file in listed or not _is_title_page(file, root, said)}
    return kept or pages


def _is_title_page(file: str, root: Element, said: set[str]) -> bool:
    body = next((element for element in root.iter("*") if name_of(element) == "body"), root)
    text = " ".join(" ".join(map(str, body.itertext())).split())
    if PurePosixPath(file).stem.lower() in _NAMES and len(text) <= _LONGEST:
        return True
    return len(text) <= _LONGEST and _words(text) <= said


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
