"""Where is a sentence divided that is too long to be spoken in one go?"""

from __future__ import annotations

import re
import unicodedata

from tts_pipeline.text.sentences import Span

_MARKS = (
    re.compile(r"[.!?…][\"'”’»)\]]*\s+|[。！？][」』”’]*"),  # the ends of sentences in a long quotation
    re.compile(r"[;:][\"'”’»)\]]*\s+|\s*[—–](?!\d)\s*|[；：]"),
    re.compile(r",[\"'”’»)\]]*\s+|\s+(?=[(\[])|[)\]]\s+|[，、]"),
    re.compile(r"\s+"),
)
"""Best first."""
_EARLIEST = 0.35
"""The part of the limit that a piece has at least, unless a worse mark would have to be taken."""


def divided(text: str, span: Span, limit: int) -> list[Span]:
    """Return pieces of a span that are at most `limit` long: cut at marks, else between words, else in a word."""
    start, end = span
    pieces: list[Span] = []
    while end - start > limit:
        cut = _cut(text, start, end, limit)
        pieces.append((start, cut))
        start = cut
    return [*pieces, (start, end)]


def _cut(text: str, start: int, end: int, limit: int) -> int:
    latest = start + limit
    reach = min(end, latest + 2)
    # Two pieces of about the same length sound better than a long one and a short one.
    aim = start + (end - start) // -(-(end - start) // limit)
    for earliest in (start + int(limit * _EARLIEST), start + 1):
        for marks in _MARKS:
            places = [
                place for match in marks.finditer(text, start, reach) if earliest <= (place := match.end()) <= latest
            ]
            if places:
                return min(places, key=lambda place: abs(place - aim))
    return _in_word(text, start, latest)


def _in_word(text: str, start: int, latest: int) -> int:
    """Cut what has no end to its words, but not between a letter and its accents, unless there is no end to those."""
    base = next((at for at in range(latest, start, -1) if not unicodedata.combining(text[at])), latest)
    return base if base > start else latest
