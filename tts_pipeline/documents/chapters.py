"""Where does each chapter begin and end, in what has headings or a table of contents?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tts_pipeline.documents.drafts import DraftChapter
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.parts import in_parts
from tts_pipeline.documents.pieces import Piece, Target
from tts_pipeline.documents.plain.headings import Style, heading_in
from tts_pipeline.documents.plain.lines import Line

_CHIEF_LEVELS = 3
"""Headings that may begin a chapter where no table of contents says so: h1 to h3."""
_LONG = 5_000
"""Characters that make the sections of a part chapters."""


class Entry(NamedTuple):
    """A line of the table of contents."""

    title: str
    target: Target
    depth: int


class _Start(NamedTuple):
    """Where a chapter begins."""

    at: int
    title: str
    depth: int


def chapters(
    pieces: list[Piece], title: str, language: str | None, options: ReadingOptions, entries: list[Entry] | None = None
) -> list[DraftChapter]:
    """Divide what is read at the entries of the table of contents, else at headings, else by length."""
    starts = _completed(_entered(pieces, entries), pieces) if entries else _headed(pieces)
    drafts = [piece.draft(language) for piece in pieces]
    if not starts:
        return in_parts(drafts, title) if options.parts else [DraftChapter(title, drafts)]
    has_front = starts[0].at > 0
    if has_front:
        starts.insert(0, _Start(0, title, 0))
    ends = [*(start.at for start in starts[1:]), len(pieces)]
    made = [
        DraftChapter(start.title, drafts[start.at : end], is_container=_is_container(starts, number))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    made[0].is_front = has_front
    above = made[has_front]
    if above.is_container and above.title.casefold() == title.casefold():  # the book's own name is no part of it
        above.is_front = True
    return made


def chief_heading(pieces: list[Piece]) -> str | None:
    """Return the heading that all others are under, which is the title of all; None where there is none."""
    headings = [(at, piece.level) for at, piece in enumerate(pieces) if piece.level and not piece.continues]
    if not headings or any(level <= headings[0][1] for _, level in headings[1:]):
        return None
    return _heading_title(pieces, headings[0][0])


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
    """Return the headings down to the level of chapters: the first that there are two of, unless those are parts."""
    headings = [
        _Start(at, _heading_title(pieces, at), piece.level)
        for at, piece in enumerate(pieces)
        if piece.level and piece.note is None and not piece.continues
    ]
    levels = [heading.depth for heading in headings]
    chiefs = sorted({level for level in levels if level <= _CHIEF_LEVELS})
    chief = next((level for level in chiefs if levels.count(level) > 1), min(chiefs, default=0))
    while 0 < chief < max(levels, default=0) and _are_parts(headings, chief, pieces):
        chief = min(level for level in levels if level > chief)
    return [heading for heading in headings if heading.depth <= chief]


def _are_parts(headings: list[_Start], level: int, pieces: list[Piece]) -> bool:
    """Return whether the headings of a level are those of parts, by their words or for what follows."""
    pairs = list(_above(headings, level))
    named = [(heading_in(Line(part.title, 0, 0)), heading_in(Line(inner.title, 0, 0))) for part, inner in pairs]
    said = [bool(part and part.is_container) or _is_chapter(inner) for part, inner in named]
    if 2 * sum(said) > len(said):
        return True
    are_bare = all(all(piece.level for piece in pieces[part.at : inner.at]) for part, inner in pairs)
    inner_count = sum(heading.depth == level + 1 for heading in headings)
    return are_bare and len(pairs) > 1 and sum(len(piece.text.text) for piece in pieces) > _LONG * inner_count > 0


def _is_chapter(heading: object) -> bool:
    return getattr(heading, "style", None) is Style.NAMED and not getattr(heading, "is_container", True)


def _above(headings: list[_Start], level: int) -> Iterator[tuple[_Start, _Start]]:
    """Yield each heading of a level, with the deeper one that follows it."""
    for number, heading in enumerate(headings[:-1]):
        if heading.depth == level < headings[number + 1].depth:
            yield heading, headings[number + 1]


def _heading_title(pieces: list[Piece], at: int) -> str:
    lines = [pieces[at].text.text]
    while at + 1 < len(pieces) and pieces[at + 1].continues:
        at += 1
        lines.append(pieces[at].text.text)
    return " ".join(lines)
