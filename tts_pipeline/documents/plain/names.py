"""Who wrote this text and what is it called, where nothing but its first lines or its file's name can tell?"""

from __future__ import annotations

import re
from pathlib import Path
from string import capwords
from typing import NamedTuple

from tts_pipeline.documents.plain.lines import Group
from tts_pipeline.written_paths import legible

_BY = re.compile(r"(?:(?:written )?by|von|par|di|por|de)\s+(?P<name>\S.{1,58})", re.IGNORECASE)
_BY_ALONE = re.compile(r"by|von|par|di|por|de", re.IGNORECASE)
_TITLE_AND_BY = re.compile(r"(?P<title>.{2,80}?),? by (?P<name>\S.{1,58})", re.IGNORECASE)
_SMALL = frozenset({"de", "la", "le", "van", "von", "der", "den", "del", "di", "da", "do", "dos", "du", "y", "e", "et"})
_UNSTRESSED = _SMALL | {"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to"}
_FIRST = 6
_MARKS = "_*=~# "


class Names(NamedTuple):
    """What a text is called, and who wrote it."""

    title: str | None = None
    author: str | None = None


def named_in(groups: tuple[Group, ...]) -> Names:
    """Find a title with "by …" under it, or behind it, among the first lines."""
    lines = [line.text.strip(_MARKS) for group in groups[:_FIRST] if len(group) <= 4 for line in group][: 2 * _FIRST]
    together = _TITLE_AND_BY.fullmatch(lines[0]) if lines else None
    if together and _is_name(together["name"]):
        return Names(_titled(together["title"]), together["name"])
    for at, line in enumerate(lines[1:], 1):
        by = _BY.fullmatch(line)
        name = by["name"] if by else lines[at + 1] if _BY_ALONE.fullmatch(line) and at + 1 < len(lines) else None
        if name and _is_name(name, on_title_page=lines[0].isupper()):
            return Names(_titled(" ".join(lines[:at]) if at <= 2 else lines[0]), name)
    return Names()


def named_by(path: Path) -> Names:
    """Take "Author - Title" or the title from a file's name."""
    path = legible(path)
    stem = path.stem.replace("_", " ")
    if " " not in stem:
        stem = stem.replace("-", " ")
    stem = " ".join(stem.split()) or path.name
    author, dash, title = stem.partition(" - ")
    if dash and title:
        return Names(_large(title), author.strip())
    return Names(_large(stem))


def _is_name(text: str, *, on_title_page: bool = False) -> bool:
    words = text.split()
    if not text[0].isupper() or len(words) > 6 or text[-1] in "!?,;:":
        return False
    return on_title_page or all(word[0].isupper() or word.casefold() in _SMALL for word in words)


def _titled(text: str) -> str:
    """Write a title that is all in capitals as titles are written."""
    if not text.isupper():
        return text
    first, *rest = capwords(text).split()
    return " ".join([first, *(word.lower() if word.lower() in _UNSTRESSED else word for word in rest)])


def _large(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]
