"""Which blocks is a stretch of text, once its white space is put in order?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tts_pipeline.book import Kind
from tts_pipeline.documents.breaks import is_break
from tts_pipeline.mapped import Mapped

LINE_END = "\u2028"
"""Stands for a line end that somebody set until it is known what that means here."""
_LINE_END = re.compile(LINE_END)
_SPACE = re.compile(r"\s{2,}|[^\S ]")
_SPACE_IN_CODE = re.compile(r"[^\S\n]*\n\s*|[^\S\n]+$")
_LINES = re.compile(r"[^\n]+")
_NEWLINE = re.compile("\n")
_LONGEST_VERSE = 65
_FEWEST_LINES = 3


def shaped(text: Mapped, kind: Kind, *, is_ornament: bool = False) -> Iterator[tuple[Kind, Mapped]]:
    """Yield the blocks that a text is: one, but for the lines of a heading; none where there is nothing in it."""
    if kind is Kind.CODE:
        text = text.sub(_LINE_END, "\n").sub(_SPACE_IN_CODE, "\n").stripped()
    else:
        text = text.sub(_SPACE, lambda match: "\n" if LINE_END in match[0] else " ").stripped()
    if is_break(text.text) or (is_ornament and not any(map(str.isalnum, text.text))):
        yield Kind.BREAK, text
    elif kind is Kind.HEADING:
        yield from ((Kind.HEADING, text.cut(*match.span()).stripped()) for match in _LINES.finditer(text.text))
    elif text.text:
        kind = Kind.VERSE if _looks_like_verse(text.text, kind) else kind
        keeps_lines = kind in {Kind.VERSE, Kind.CODE, Kind.TABLE}
        yield kind, text if keeps_lines else text.sub(_NEWLINE, " ")


def _looks_like_verse(text: str, kind: Kind) -> bool:
    lines = text.split("\n")
    is_prose = kind in {Kind.PARAGRAPH, Kind.QUOTE}
    return is_prose and len(lines) >= _FEWEST_LINES and max(map(len, lines)) <= _LONGEST_VERSE
