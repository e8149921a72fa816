"""What is spoken of this text, character by character, and where does each stand in the source?

All that is changed, in this order:

- letters and their separate accents become one character (e + ´ → é)
- invisible characters go (soft hyphens, zero-width and direction marks, byte order marks)
- ligatures and the long s become letters (ﬁ → fi, ſ → s)
- white space and control characters become one space; verse and code keep their line ends
- an apostrophe between letters becomes the straight one (don’t → don't)
- two or three hyphens become a dash (wait--what → wait—what)
- three dots or more become an ellipsis (... → …, . . . → …)
- marks of emphasis around words go (*so*, _so_)
- cells of a row of a table are divided by commas
- the Roman number of a heading becomes digits (CHAPTER XIV. → CHAPTER 14.)
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial

from tts_pipeline.book import Kind
from tts_pipeline.mapped import Mapped, Replacement
from tts_pipeline.numerals import ROMAN, roman

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ſ": "s"}
_ACCENTED = re.compile(r"\w[\u0300-\u036f]{1,8}")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_LIGATURE = re.compile(f"[{''.join(_LIGATURES)}]")
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f]{2,}|[^\S ]|[\x00-\x1f\x7f-\x9f]")
_SPACE_IN_LINES = re.compile(r"[^\S\n]*\n\s*|[^\S\n]{2,}|[^\S\n ]|[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])[’ʼ](?=[^\W\d_])")
_DASH = re.compile(r"(?<!-)-{2,3}(?!-)")
_DOTS = re.compile(r"\.(?: ?\.){2,}")
_EMPHASIS = re.compile(r"(?<![\w*])[*_]{1,3}(?=\w)|(?<=[\w.,;:!?…])[*_]{1,3}(?![\w*])")
_CELL_END = re.compile(r"\n")
_NUMERAL = re.compile(rf"^(?P<word>[^\W\d_]{{4,8}} )?(?P<number>{ROMAN.pattern})(?=\s*[.:)—–-]|$)")


def _unchanged_or(change: Callable[[str], str]) -> Callable[[re.Match[str]], str]:
    return lambda match: change(match[0])


_ALWAYS: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    (_ACCENTED, _unchanged_or(partial(unicodedata.normalize, "NFC"))),
    (_INVISIBLE, ""),
    (_LIGATURE, _unchanged_or(_LIGATURES.__getitem__)),
)
_THEN: tuple[tuple[re.Pattern[str], Replacement], ...] = (
    (_APOSTROPHE, "'"),
    (_DASH, "—"),
    (_DOTS, "…"),
    (_EMPHASIS, ""),
)
_IN_LINES = frozenset({Kind.VERSE, Kind.CODE, Kind.TABLE})


def normalise(text: str, kind: Kind = Kind.PARAGRAPH) -> Mapped:
    """Return what is spoken, which knows where in the text each of its characters stands."""
    spoken = Mapped.whole(text)
    if not text.isascii():
        spoken = _changed(spoken, _ALWAYS)
    if kind in _IN_LINES:
        spoken = spoken.sub(_SPACE_IN_LINES, lambda match: "\n" if "\n" in match[0] else " ")
    else:
        spoken = spoken.sub(_SPACE, " ")
    spoken = _changed(spoken, _THEN).stripped()
    if kind is Kind.TABLE:
        spoken = spoken.sub(_CELL_END, _cell_end)
    return spoken.sub(_NUMERAL, _digits) if kind is Kind.HEADING else spoken


def _changed(text: Mapped, rules: tuple[tuple[re.Pattern[str], Replacement], ...]) -> Mapped:
    for pattern, replacement in rules:
        text = text.sub(pattern, replacement)
    return text


def _cell_end(match: re.Match[str]) -> str:
    return " " if match.string[match.start() - 1] in ".,;:!?" else ", "


def _digits(match: re.Match[str]) -> str:
    return f"{match['word'] or ''}{roman(match['number'])}"
