"""Which lines of a PDF are one paragraph, also where a column or a page ends in it?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from tts_pipeline.book import Kind
from tts_pipeline.documents.breaks import is_break
from tts_pipeline.documents.pdf.fragments import HYPHEN
from tts_pipeline.documents.pdf.lines import Line
from tts_pipeline.documents.plain.headings import Style, heading_in
from tts_pipeline.documents.plain.lines import Line as PlainLine
from tts_pipeline.mapped import Mapped

_LARGE = 1.15
"""How much larger than the text a heading is."""
_OTHER_SIZE = 0.12
_GAP = 1.45
"""How much further than usual the next line is where a paragraph ends."""
_INDENT = 0.6
"""In heights of a line."""
_SHORT = 0.12
"""The share of the column's width that a last line leaves free."""
_LONGEST_HEADING = 200
_MOST_LINES = 4
_VERSE_WIDTH = 0.78
_FEWEST_VERSES = 3
_ENDS = re.compile(r"[.!?…:]['\"”’»)\]]*$|[\"”’»]$")
_HYPHENS = re.compile(rf"[-\u00ad\u2010{HYPHEN}]$")
_ITEM = re.compile(r"[•‣▪●◦–]\s+\S|\(?\d{1,3}[.)]\s+\S")
_BULLET = re.compile(r"[•‣▪●◦]\s+")


@dataclass(slots=True)
class Paragraph:
    """Lines that are one block."""

    kind: Kind
    lines: list[Line]
    note: str | None = None
    """The mark of the note that it is; nothing where it goes on from an earlier one."""
    refs: list[str] = field(default_factory=list)

    @property
    def size(self) -> float:
        return max(line.height for line in self.lines)

    @property
    def text(self) -> str:
        return " ".join(line.text.strip() for line in self.lines)


@dataclass(frozen=True, slots=True)
class _Column:
    """How the lines of a column are set."""

    left: float
    right: float
    pitch: float

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Column:
        lefts = sorted(line.x0 for line in lines)
        steps = [one.y0 - other.y0 for one, other in pairwise(lines) if one.y0 > other.y0]
        height = median(line.height for line in lines)
        return cls(
            left=max(set(map(round, lefts)), key=lambda x: (sum(abs(each - x) <= 1 for each in lefts[:2000]), -x)),
            right=max(line.x1 for line in lines),
            pitch=min(median(steps), 2.2 * height) if steps else 1.2 * height,
        )

    def is_full(self, line: Line) -> bool:
        return line.x1 >= self.right - _SHORT * (self.right - self.left)

    def is_indented(self, line: Line) -> bool:
        return line.x0 > self.left + _INDENT * line.height


def paragraphs(columns: list[list[Line]], body: float) -> list[Paragraph]:
    """Return the paragraphs of columns in their order; one that goes on in the next column is one."""
    made: list[Paragraph] = []
    for lines in columns:
        column = _Column.of(lines)
        for number, paragraph in enumerate(_paragraphs(lines, column, body)):
            before = made[-1] if made else None
            if number == 0 and before and _goes_on(before, paragraph, column):
                before.lines += paragraph.lines
            else:
                made.append(paragraph)
    return made


def has_ended(line: Line) -> bool:
    """Return whether a line ends as a sentence does."""
    return bool(_ENDS.search(line.text.rstrip()))


def _paragraphs(lines: list[Line], column: _Column, body: float) -> Iterator[Paragraph]:
    current: list[Line] = []
    for line in lines:
        if current and _begins(line, current, column, body):
            yield from _shaped(current, column, body)
            current = []
        current.append(line)
    yield from _shaped(current, column, body)


def _begins(line: Line, current: list[Line], column: _Column, body: float) -> bool:
    """Return whether a line begins another block than the lines before it."""
    before = current[-1]
    if abs(line.height - before.height) > _OTHER_SIZE * before.height or is_break(line.text) or is_break(before.text):
        return True
    if before.y0 - line.y0 > _GAP * max(column.pitch, 1.1 * line.height):
        return True
    if line.height >= _LARGE * body:
        return False
    if line.bold != before.bold and (not column.is_full(before) or line.bold):
        return True
    return _may_be_verse(current, line, column) is False and _begins_by_its_place(line, current, column)


def _begins_by_its_place(line: Line, current: list[Line], column: _Column) -> bool:
    before = current[-1]
    is_ended = has_ended(before)
    is_full = column.is_full(before)
    step = (line.x0 - before.x0) / line.height
    if _ITEM.match(line.text) and (is_ended or not is_full):
        return True
    if step > _INDENT:
        return is_ended or not is_full
    if step < -_INDENT and len(current) > 1:
        return is_ended or not is_full
    return is_ended and not is_full and (not column.is_indented(line) or len(current) == 1)


def _may_be_verse(current: list[Line], line: Line, column: _Column) -> bool:
    """Return whether lines are set in, short, and go on from each other: verse is told when all of it is there."""
    limit = column.left + _VERSE_WIDTH * (column.right - column.left)
    lines = [*current, line]
    if not all(each.x1 < limit and column.is_indented(each) for each in lines):
        return False
    ended = sum(has_ended(each) for each in current)
    return ended <= len(current) / 2 or (len(current) > 1 and ended <= 2 * len(current) / 3)


def _shaped(lines: list[Line], column: _Column, body: float) -> Iterator[Paragraph]:
    if not lines:
        return
    text = " ".join(line.text.strip() for line in lines)
    refs = [ref for line in lines for ref in line.refs]
    if is_break(text):
        yield Paragraph(Kind.BREAK, lines)
    elif _is_heading(lines, text, body):
        yield Paragraph(Kind.HEADING, lines, refs=refs)
    elif len(lines) >= _FEWEST_VERSES and _is_verse(lines, column):
        yield Paragraph(Kind.VERSE, lines, refs=refs)
    elif _BULLET.match(text):
        yield Paragraph(Kind.LIST, lines, refs=refs)
    else:
        yield Paragraph(Kind.PARAGRAPH, lines, refs=refs)


def _is_heading(lines: list[Line], text: str, body: float) -> bool:
    if len(text) > _LONGEST_HEADING or len(lines) > _MOST_LINES or not any(map(str.isalnum, text)):
        return False
    if max(line.height for line in lines) >= _LARGE * body:
        return True
    if len(lines) > 2 or text.rstrip()[-1] in ".,;:" or lines[0].height < (1 - _OTHER_SIZE) * body:
        said = heading_in(PlainLine(lines[0].text.strip(), 0, 0))
        return len(lines) == 1 and said is not None and said.style is Style.NAMED and not said.title
    said = heading_in(PlainLine(lines[0].text.strip(), 0, 0))
    is_named = said is not None and said.style is not Style.BARE
    return all(line.bold for line in lines) or (is_named and len(lines) <= 2)


def _is_verse(lines: list[Line], column: _Column) -> bool:
    limit = column.left + _VERSE_WIDTH * (column.right - column.left)
    if not all(line.x1 < limit and column.is_indented(line) for line in lines):
        return False
    capitals = sum(line.text.lstrip("\"'“‘«( ")[:1].isupper() for line in lines)
    return capitals >= 0.7 * len(lines)


def _goes_on(before: Paragraph, after: Paragraph, column: _Column) -> bool:
    """Return whether the first paragraph of a column belongs to the last one of the column before."""
    if before.kind is not Kind.PARAGRAPH or after.kind is not Kind.PARAGRAPH:
        return False
    last, first = before.lines[-1], after.lines[0]
    if abs(last.height - first.height) > _OTHER_SIZE * last.height or _ITEM.match(first.text):
        return False
    if _HYPHENS.search(last.text.rstrip()) or first.text.lstrip()[:1].islower():
        return True
    return not has_ended(last) and not column.is_indented(first) and first.page - last.page <= 1


def flowing(lines: list[Line], kind: Kind, before: dict[int, int]) -> Mapped:
    """Return what lines say, mapped to the text of the first one's page, that goes on with the pages after it."""
    keeps_lines = kind is Kind.VERSE
    pieces: list[tuple[str, int]] = []
    for number, line in enumerate(lines):
        start = before[line.page] - before[lines[0].page]
        said = [(text.replace(HYPHEN, "-"), offset + start) for text, offset in line.pieces]
        if number and not keeps_lines and said and pieces:
            _join(pieces, said[0][0].lstrip()[:1])
        elif number and pieces:
            pieces.append(("\n", pieces[-1][1] + len(pieces[-1][0])))
        pieces += said
    text = Mapped.joined(pieces or [("", 0)]).sub(_SPACES, lambda match: "\n" if "\n" in match[0] else " ").stripped()
    if kind is Kind.LIST:
        text = text.sub(_FIRST_BULLET, "")
    return text


_SPACES = re.compile(r"\s{2,}|[^\S \n]|\u00ad")
_FIRST_BULLET = re.compile(rf"\A{_BULLET.pattern}")


def _join(pieces: list[tuple[str, int]], following: str) -> None:
    """Go on in the next line: a word that is divided by a hyphen is one, where what follows is no new name."""
    text, offset = pieces[-1]
    ends = text.rstrip()
    if not _HYPHENS.search(ends) or len(ends) < 2 or not ends[-2].isalnum():
        pieces.append((" ", offset + len(text)))
    elif following.islower() and not ends[-2].isdigit():
        pieces[-1] = (ends[:-1], offset)
    else:
        pieces[-1] = (ends, offset)
