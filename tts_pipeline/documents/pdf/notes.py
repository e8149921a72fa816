"""Which lines are footnotes: small type at the foot of a column, that begins with a mark?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tts_pipeline.documents.pdf.lines import Line

_SMALL = 0.93
_LABEL = re.compile(r"(?:\[?(\d{1,3})[\].)]?|([*†‡§¶‖]{1,3}))\s+(?=\S)")


def divided(column: list[Line], body: float, marks: set[str], *, is_open: bool) -> tuple[list[Line], list[list[Line]]]:
    """Return the text of a column, and the notes that marks on its page refer to.

    What goes on from a note of the page before comes without a label. Other small type is text.
    """
    at = len(column)
    while at and column[at - 1].height <= _SMALL * body:
        at -= 1
    begun = next((number for number in range(at, len(column)) if _label(column[number])[0] in marks), len(column))
    if not is_open:
        at = begun
    return column[:at], list(_notes(column[at:], marks))


def _label(line: Line) -> tuple[str | None, int]:
    """Return the mark that a line begins with, and how many characters it takes."""
    if line.label is not None:
        return line.label, 0
    match = _LABEL.match(line.text)
    return (match[1] or match[2], match.end()) if match else (None, 0)


def _cut(line: Line, length: int) -> None:
    """Take characters from the beginning of a line."""
    while line.pieces and length >= len(line.pieces[0][0]):
        length -= len(line.pieces.pop(0)[0])
    if line.pieces and length:
        text, offset = line.pieces[0]
        line.pieces[0] = (text[length:], offset + length)


def _notes(foot: list[Line], marks: set[str]) -> Iterator[list[Line]]:
    note: list[Line] = []
    for line in foot:
        label, length = _label(line)
        if label in marks:
            if note:
                yield note
            note = []
            line.label = label
            _cut(line, length)
        note.append(line)
    if note:
        yield note
