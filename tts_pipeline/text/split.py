"""Into which pieces is a block divided, each of which is spoken in one go?"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from tts_pipeline.book import Kind
from tts_pipeline.text.clauses import divided
from tts_pipeline.text.options import SplittingOptions
from tts_pipeline.text.sentences import Span, sentences


class End(Enum):
    """What ends with a piece."""

    CLAUSE = "clause"
    SENTENCE = "sentence"
    LINE = "line"


class Piece(NamedTuple):
    """A part of a text."""

    start: int
    end: int
    ends: End


def pieces(text: str, kind: Kind, language: str, options: SplittingOptions) -> Iterator[Piece]:
    """Yield the pieces of a text, which follow each other without gaps."""
    for span, end in _units(text, kind, language, options):
        parts = divided(text, span, options.longest)
        yield from (Piece(*part, End.CLAUSE) for part in parts[:-1])
        yield Piece(*parts[-1], end)


def _units(text: str, kind: Kind, language: str, options: SplittingOptions) -> Iterator[tuple[Span, End]]:
    """Yield what is spoken in one go unless it is too long."""
    if kind in {Kind.VERSE, Kind.CODE}:
        size = 2 if kind is Kind.VERSE and options.verse == "couplet" else 1
        yield from ((span, End.LINE) for span in _lines(text, size))
    elif kind in {Kind.HEADING, Kind.TABLE, Kind.BREAK}:
        yield (0, len(text)), End.SENTENCE
    else:
        yield from ((span, End.SENTENCE) for span in sentences(text, language))


def _lines(text: str, size: int) -> Iterator[Span]:
    """Yield lines, each with its end, or so many of them together."""
    ends = [0, *(at + 1 for at, character in enumerate(text) if character == "\n"), len(text)]
    kept = [*ends[:-1:size], ends[-1]]
    yield from pairwise(kept)
