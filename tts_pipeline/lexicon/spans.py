"""What is left of a text when parts of it are said otherwise?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

_COMMAS = frozenset(",;:،、，")
_DIVIDERS = " " + "".join(sorted(_COMMAS))


class Span(NamedTuple):
    """A part of a text, and what is said for it."""

    start: int
    end: int
    say: str


class Taken:
    """Which characters of a text are said otherwise already."""

    def __init__(self, size: int) -> None:
        self._taken = bytearray(size)

    def take(self, span: Span) -> None:
        """Let nothing else be found there."""
        self._taken[span.start : span.end] = b"\1" * (span.end - span.start)

    def is_free(self, start: int, end: int) -> bool:
        """Say whether no part of it is taken."""
        return not any(self._taken[start:end])


def spoken(text: str, spans: Iterable[Span]) -> str:
    """Return a text with each span as it is said; what is not said takes with it what only divided it from the rest.

    Where nothing is left to be said, nothing is left.
    """
    ordered = sorted(spans)
    ends = [*(span.start for span in ordered[1:]), len(text)]
    said = text[: ordered[0].start] if ordered else text
    for span, end in zip(ordered, ends, strict=False):
        gap = text[span.end : end]
        if not span.say and (gap or end == len(text)):
            said, gap = _closed(said, gap)
        said += span.say + gap
    silenced = not all(span.say for span in ordered)
    return "" if silenced and not any(map(_is_said, said)) else said


def _closed(said: str, gap: str) -> tuple[str, str]:
    """Take away the space and the comma around what is not said, as far as they now divide nothing."""
    if gap[:1] in _COMMAS and _opens(said):
        said, gap = said.rstrip(" "), gap[1:]
    following = gap[:1]
    if following == " " and (not said or said[-1].isspace()):
        return said, gap[1:]
    if following.isspace() or following in _COMMAS:
        return said.rstrip(" "), gap
    if not following or unicodedata.category(following) in ("Pe", "Pf", "Po", "Pd"):
        return said.rstrip(_DIVIDERS), gap
    return said, gap


def _opens(said: str) -> bool:
    """Say whether a comma behind it would divide nothing: `Well, um, no`."""
    last = said.rstrip(" ")[-1:]
    return not last or last in _COMMAS or unicodedata.category(last) in ("Ps", "Pi")


def _is_said(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNS"
