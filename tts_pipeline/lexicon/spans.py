"""What is left of a text when parts of it are said otherwise?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

_COMMAS = frozenset(",;:،、，")


class Span(NamedTuple):
    """A part of a text, and what is said for it."""

    start: int
    end: int
    say: str


def is_free(start: int, end: int, taken: Iterable[Span]) -> bool:
    """Say whether no part of it is said otherwise yet."""
    return all(end <= span.start or span.end <= start for span in taken)


def spoken(text: str, spans: Iterable[Span]) -> str:
    """Return a text with each span as it is said; where it is not said, one of the spaces around it goes too.

    Where nothing is left to be said, nothing is left.
    """
    said, at, silenced = "", 0, False
    for span in sorted(spans):
        said += text[at : span.start]
        at = span.end
        if span.say:
            said += span.say
        else:
            silenced = True
            said, at = _closed(said, text, at)
    said += text[at:]
    return "" if silenced and not any(map(_is_said, said)) else said


def _closed(said: str, text: str, at: int) -> tuple[str, int]:
    """Take away a space or a comma that stood on one side of what is not said, where the other side has it too."""
    following = text[at : at + 1]
    if following and following in _COMMAS and _needs_none(said.rstrip(" ")[-1:]):
        return _closed(said.rstrip(" "), text, at + 1)
    if following == " " and (not said or said[-1].isspace()):
        return said, at + 1
    if not following or following.isspace() or unicodedata.category(following) in ("Pe", "Pf", "Po", "Pd"):
        return said.rstrip(" "), at
    return said, at


def _needs_none(before: str) -> bool:
    """Say whether a comma behind this character would divide nothing: `Well, um, no`."""
    return not before or before in _COMMAS or unicodedata.category(before) in ("Ps", "Pi")


def _is_said(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNS"
