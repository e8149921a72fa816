"""How do columns share the width of a terminal?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

_GAP = 2
_LEAST_TEXT = 20


@dataclass(frozen=True)
class Column:
    """What is known of a column before there are rows."""

    head: str
    rank: int = 0
    """Where there is no room, the highest goes first; 0 stays, whole."""
    is_text: bool = False
    """It gets the room that the others leave, and is cut where that is too little."""


@dataclass(frozen=True)
class _Laid:
    """A column with its cells, the head first, and the room that it needs."""

    column: Column
    cells: Sequence[str]
    width: int

    @property
    def least(self) -> int:
        return min(self.width, _LEAST_TEXT) if self.column.is_text else self.width


def laid_out(columns: Sequence[Column], rows: Sequence[Sequence[str]], room: int | None) -> Iterator[str]:
    """Yield lines, the heads first; columns that say nothing are left out. Without a room nothing is cut."""
    laid = [_laid(column, [row[place] for row in rows]) for place, column in enumerate(columns)]
    told = [each for each in laid if any(each.cells[1:]) or not rows]
    if room is None:
        return _lines(told)
    fitting = _fitting(told, room)
    if _least(fitting) > room and any(each.column.is_text for each in fitting):
        return _folded(told, room)
    return _lines(_shared(fitting, room))


def _laid(column: Column, cells: Sequence[str]) -> _Laid:
    all_cells = [column.head, *cells]
    return _Laid(column, all_cells, max(map(_width, all_cells)))


def _fitting(laid: Sequence[_Laid], room: int) -> list[_Laid]:
    """Leave out columns, the least important first, until the others fit or none is left that may go."""
    fitting = list(laid)
    for going in sorted((each for each in laid if each.column.rank), key=lambda each: -each.column.rank):
        if _least(fitting) <= room:
            break
        fitting.remove(going)
    return fitting


def _least(laid: Sequence[_Laid]) -> int:
    return sum(each.least for each in laid) + _GAP * (len(laid) - 1)


def _shared(laid: Sequence[_Laid], room: int) -> list[_Laid]:
    """Give texts what the others leave, to each as much until it asks for no more."""
    widths = [each.least for each in laid]
    for _ in range(room - _least(laid)):
        wanting = [place for place, each in enumerate(laid) if widths[place] < each.width]
        if not wanting:
            break
        widths[min(wanting, key=widths.__getitem__)] += 1
    return [replace(each, width=width) for each, width in zip(laid, widths, strict=True)]


def _folded(laid: Sequence[_Laid], room: int) -> Iterator[str]:
    """Give each text a line of its own, under the row."""
    firm = _lines(_fitting([each for each in laid if not each.column.is_text], room))
    texts = [each for each in laid if each.column.is_text]
    for number, line in enumerate(firm):
        yield line
        yield from (f"  {_cut(each.cells[number], room - 2)}" for each in texts if each.cells[number])


def _lines(laid: Sequence[_Laid]) -> Iterator[str]:
    padded = [_padded(each) for each in laid]
    return ("".join(cells).rstrip() for cells in zip(*padded, strict=True))


def _padded(laid: _Laid) -> Iterable[str]:
    for cell in laid.cells:
        text = _cut(cell, laid.width)
        yield text + " " * (laid.width - _width(text) + _GAP)


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    from rich.cells import set_cell_size

    return f"{set_cell_size(text, width - 1).rstrip()}…"


def _width(text: str) -> int:
    """Return how many places a text takes; some characters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
