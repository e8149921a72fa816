"""Where does each chapter of an EPUB begin and end?"""

from __future__ import annotations

from typing import NamedTuple

from tts_pipeline.book import Block, Kind, Place
from tts_pipeline.documents.drafts import Draft, DraftChapter
from tts_pipeline.documents.epub.navigation import Entry
from tts_pipeline.documents.language import normalised_tag
from tts_pipeline.documents.markup.pieces import Piece
from tts_pipeline.documents.markup.refs import Target
from tts_pipeline.documents.parts import in_parts

_CHIEF_LEVELS = 3
"""Headings that may begin a chapter where no table of contents says so: h1 to h3."""


class _Start(NamedTuple):
    """Where a chapter begins."""

    at: int
    title: str
    depth: int


def chapters(pieces: list[Piece], entries: list[Entry], title: str, language: str | None) -> list[DraftChapter]:
    """Divide what is read at the entries of the table of contents, else at headings, else by length."""
    starts = _completed(_entered(pieces, entries), pieces) if entries else _headed(pieces)
    drafts = [_draft(piece, language) for piece in pieces]
    if not starts:
        return in_parts(drafts, title)
    has_front = starts[0].at > 0
    if has_front:
        starts.insert(0, _Start(0, title, 0))
    ends = [*(start.at for start in starts[1:]), len(pieces)]
    return [
        DraftChapter(
            start.title,
            drafts[start.at : end],
            is_front=has_front and number == 0,
            is_container=_is_container(starts, number),
        )
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def _is_container(starts: list[_Start], number: int) -> bool:
    return number + 1 < len(starts) and starts[number + 1].depth > starts[number].depth


def _entered(pieces: list[Piece], entries: list[Entry]) -> list[_Start]:
    """Return where the entries lead; of several that lead to one place, a part and its first chapter share it."""
    places = _places(pieces)
    found: dict[int, _Start] = {}
    for entry in entries:
        at = places.get(entry.target, places.get((entry.target[0], "")))
        if at is None:
            continue
        before = found.get(at)
        if before is None:
            found[at] = _Start(at, entry.title, entry.depth)
        elif before.depth < entry.depth and before.title.casefold() != entry.title.casefold():
            found[at] = _Start(at, f"{before.title} — {entry.title}", entry.depth)
    return [found[at] for at in sorted(found)]


def _places(pieces: list[Piece]) -> dict[Target, int]:
    """Return the first piece of each file, and the one that each id leads to."""
    places: dict[Target, int] = {}
    for at, piece in enumerate(pieces):
        places.setdefault((piece.file, ""), at)
        for name in piece.ids:
            places.setdefault((piece.file, name), at)
    return places


def _completed(starts: list[_Start], pieces: list[Piece]) -> list[_Start]:
    """Add files that begin with a chief heading, though the table of contents passes over them."""
    known = {pieces[start.at].file for start in starts}
    added: list[_Start] = []
    for at, piece in enumerate(pieces):
        is_first = at == 0 or pieces[at - 1].file != piece.file
        if is_first and piece.file not in known and 0 < piece.level < _CHIEF_LEVELS:
            added.append(_Start(at, _heading_title(pieces, at), 0))
    return sorted(starts + added)


def _headed(pieces: list[Piece]) -> list[_Start]:
    """Return the headings of the chief level: the first that there are two of, or the only one."""
    levels = [piece.level for piece in pieces if 0 < piece.level <= _CHIEF_LEVELS]
    chief = next((level for level in sorted(set(levels)) if levels.count(level) > 1), min(levels, default=0))
    return [
        _Start(at, _heading_title(pieces, at), piece.level)
        for at, piece in enumerate(pieces)
        if 0 < piece.level <= chief and not _continues(pieces, at)
    ]


def _continues(pieces: list[Piece], at: int) -> bool:
    """Return whether a heading is the second line of the one before it."""
    return at > 0 and pieces[at - 1].element == pieces[at].element and pieces[at - 1].file == pieces[at].file


def _heading_title(pieces: list[Piece], at: int) -> str:
    lines = [pieces[at].text.text]
    while at + 1 < len(pieces) and _continues(pieces, at + 1):
        at += 1
        lines.append(pieces[at].text.text)
    return " ".join(lines)


def _draft(piece: Piece, language: str | None) -> Draft:
    own = normalised_tag(piece.language)
    block = Block(
        kind=piece.kind,
        text=piece.text.text,
        place=Place(file=piece.file, element=piece.element, offset=piece.text.at(0)),
        runs=piece.text.runs,
        language=own if own != language else None,
    )
    note = "#".join(piece.note) if piece.note else None
    refs = tuple(dict.fromkeys("#".join(ref) for ref in piece.refs))
    return Draft(block, refs if piece.kind is not Kind.BREAK else (), note)
