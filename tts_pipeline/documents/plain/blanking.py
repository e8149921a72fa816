"""What stands in a plain text that is not for reading aloud?

It is overwritten with blanks, so that everything else stays where it is.
"""

from __future__ import annotations

import re

_ILLUSTRATION = re.compile(
    r"\[_?Illustration_?(?:[:.\s][^\[\]]{0,2000}(?:\[[^\[\]]*\][^\[\]]{0,500})*)?\]", re.IGNORECASE
)
_PAGE = re.compile(r"\[(?:Pg|Page|Seite|S\.) ?\d+\]|\{\d+\}|^[ \t]*-? ?\[?\d+\]? ?-?[ \t]*\f|\f", re.MULTILINE)
_WORDS = re.compile(r"[^\r\n]")


def without_pictures_and_pages(text: str) -> str:
    """Blank out [Illustration…], [Pg 12] and form feeds."""
    for pattern in (_ILLUSTRATION, _PAGE):
        text = pattern.sub(_blank, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return _WORDS.sub(" ", match[0])
