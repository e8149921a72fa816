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
_EMPTY_LINE = re.compile("\n\n")
_LONGEST_VERSE = 65
_FEWEST_LINES = 3


def shaped(text: Mapped, kind: Kind, *, is_ornament: bool = False) -> Iterator[tuple[Kind, Mapped]]:
    """Yield the blocks that a text is: the lines of a heading, else what empty lines divide; none for nothing."""
    if kind is Kind.CODE:
        text = text.sub(_LINE_END, "\n").sub(_SPACE_IN_CODE, "\n").stripped()
    else:
        text = text.sub(_SPACE, lambda match: "\n" * min(match[0].count(LINE_END), 2) or " ").stripped()
    if is_break(text.text) or (is_ornament and not any(map(str.isalnum, text.text))):
        yield Kind.BREAK, text
    elif kind is Kind.HEADING:
        yield from ((Kind.HEADING, text.cut(*match.span()).stripped()) for match in _LINES.finditer(text.text))
    elif kind in {Kind.CODE, Kind.TABLE}:
        yield from ((kind, each) for each in (text.sub(_EMPTY_LINE, "\n"),) if each.text)
    elif text.text:
        yield from _paragraphs(text, kind)


def _paragraphs(text: Mapped, kind: Kind) -> Iterator[tuple[Kind, Mapped]]:
    kind = Kind.VERSE if _looks_like_verse(text.text, kind) else kind
    ends = [match.span() for match in _EMPTY_LINE.finditer(text.text)]
    starts = [0, *(end for _, end in ends)]
    for start, end in zip(starts, [*(begin for begin, _ in ends), len(text.text)], strict=True):
        part = text.cut(start, end) if ends else text
        if is_break(part.text):
            yield Kind.BREAK, part
        else:
            yield kind, part if kind is Kind.VERSE else part.sub(_NEWLINE, " ")


def _looks_like_verse(text: str, kind: Kind) -> bool:
    """Tell stanzas by their lines, which are several in most of them; alone between empty lines they are prose."""
    if kind not in {Kind.PARAGRAPH, Kind.QUOTE}:
        return False
    stanzas = text.split("\n\n")
    lines = [line for stanza in stanzas for line in stanza.split("\n")]
    return len(lines) >= max(_FEWEST_LINES, 2 * len(stanzas)) and max(map(len, lines)) <= _LONGEST_VERSE
