"""How are the figures shown, and which targets do they meet?"""

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Cell = str | int | float | None

_POINTS = str.maketrans("", "", ",.")
_SIGNS = {"<=": operator.le, ">=": operator.ge, ">": operator.gt}


@dataclass(frozen=True)
class Target:
    """A bound that a figure is held against."""

    sign: str  # one of _SIGNS
    limit: float

    def is_met(self, value: float) -> bool:
        """Say whether `value` keeps the bound."""
        return bool(_SIGNS[self.sign](value, self.limit))

    def __str__(self) -> str:
        return f"{self.sign} {_shown(self.limit)}"


@dataclass(frozen=True)
class Row:
    """One line of a table: its cells, the figure that counts, and its target, if any."""

    cells: tuple[Cell, ...]
    judged: float
    target: Target | None = None

    @property
    def met(self) -> bool | None:
        """Say whether the target is met; None without one."""
        return None if self.target is None else self.target.is_met(self.judged)

    @property
    def shown(self) -> list[str]:
        """The line as text, with its verdict."""
        verdict = {True: "yes", False: "NO", None: "-"}[self.met]
        target = "-" if self.target is None else str(self.target)
        return [*map(_shown, self.cells), _shown(self.judged), target, verdict]


@dataclass(frozen=True)
class Table:
    """Rows under one question; `judged` names the column that targets apply to."""

    title: str
    columns: tuple[str, ...]
    judged: str = "ratio"
    notes: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)

    @property
    def missed(self) -> list[Row]:
        """The rows whose target is not met."""
        return [row for row in self.rows if row.met is False]

    def lines(self) -> Iterator[str]:
        """Yield the table as aligned plain text."""
        header = [*self.columns, self.judged, "target", "met"]
        columns = zip(header, *(row.shown for row in self.rows), strict=True)
        heading, *body = zip(*map(_padded, columns), strict=True)
        yield self.title
        yield "  " + "  ".join(heading)
        yield "  " + "  ".join("-" * len(text) for text in heading)
        yield from ("  " + "  ".join(texts) for texts in body)
        yield from (f"  {note}" for note in self.notes)

    def markdown(self) -> Iterator[str]:
        """Yield the table in Markdown."""
        yield f"### {self.title}"
        yield ""
        yield _piped([*self.columns, self.judged, "target", "met"])
        yield _piped(["---"] * (len(self.columns) + 3))
        yield from (_piped(row.shown) for row in self.rows)
        yield ""
        yield from self.notes

    def verdicts(self) -> Iterator[str]:
        """Yield one line for every missed target: which row, and by how much."""
        section = self.title.partition(":")[0]
        for row in self.missed:
            where = ", ".join(cell for cell in row.cells if isinstance(cell, str))
            yield f"{section}: {where}: {self.judged} {_shown(row.judged)}, target {row.target}"

    def as_json(self) -> dict[str, Any]:
        """The same figures, unrounded, for machines."""
        rows = [self._row_as_json(row) for row in self.rows]
        return {"title": self.title, "notes": self.notes, "rows": rows}

    def _row_as_json(self, row: Row) -> dict[str, Any]:
        named = dict(zip(self.columns, row.cells, strict=True))
        target = None if row.target is None else str(row.target)
        return {**named, self.judged: row.judged, "target": target, "met": row.met}


def _shown(cell: Cell) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    return f"{cell:,.0f}" if isinstance(cell, int) or abs(cell) >= 100 else f"{cell:.2f}"


def _piped(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"


def _padded(column: tuple[str, ...]) -> list[str]:
    width = max(map(len, column))
    is_numeric = all(text == "-" or text.translate(_POINTS).isdigit() for text in column[1:])
    return [text.rjust(width) if is_numeric else text.ljust(width) for text in column]
