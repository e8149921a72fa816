"""Which headings have nothing under them but notes?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from tts_pipeline.book import Kind
from tts_pipeline.documents.pieces import Piece


def with_headings_of_notes(pieces: list[Piece]) -> Iterator[Piece]:
    """Yield the pieces of one page, where a heading over nothing but notes knows them."""
    for at, piece in enumerate(pieces):
        under = _under(pieces, at) if piece.level and not piece.refs else []
        is_over_notes = all(each.note or each.level or each.kind is Kind.BREAK for each in under)
        notes = dict.fromkeys(each.note for each in under if each.note) if is_over_notes else {}
        yield replace(piece, heads=tuple(notes)) if notes else piece


def _under(pieces: list[Piece], at: int) -> list[Piece]:
    """Return what stands under a heading, up to the next one of its level."""
    level = pieces[at].level
    behind = (pieces[number] for number in range(at + 1, len(pieces)))
    return list(takewhile(lambda piece: piece.continues or not 0 < piece.level <= level, behind))
