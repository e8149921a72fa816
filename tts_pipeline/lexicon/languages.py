"""For which languages does an entry hold?"""

from __future__ import annotations

import re

_TAG = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{1,8})*")


def canonical(tag: str) -> str:
    """Return a BCP 47 tag in small letters; raises ValueError for what is none."""
    small = tag.replace("_", "-").lower()
    if not _TAG.fullmatch(small):
        raise ValueError(f"{tag!r:.80} is no language: write en, en-GB or zh-Hant")
    return small


def primary(tag: str) -> str:
    """Return the first part of a tag: en of en-GB."""
    return tag.replace("_", "-").split("-")[0].lower()


def closeness(entry: str | None, language: str) -> int | None:
    """Return how exactly an entry's tag names a language, None where it means another; for all languages is 0."""
    if entry is None:
        return 0
    parts = entry.split("-")
    return len(parts) if language.replace("_", "-").lower().split("-")[: len(parts)] == parts else None
