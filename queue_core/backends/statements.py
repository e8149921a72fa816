"""How does a statement written once run on either database, at the speed of its driver?

Statements are SQLAlchemy Core, compiled once per dialect and run on the driver's own
connection: the full execution path of SQLAlchemy costs ten times what a small
transaction on SQLite does (docs/design.md has the figures).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Dialect, FromClause, Text, TextClause, literal_column, select, text
from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.sql.selectable import ScalarSelect

from queue_core.states import TaskState


@dataclass(frozen=True, eq=False)
class Sql:
    """What a dialect says differently: the rest of the statements is the same on both."""

    dialect: Dialect
    insert: Callable[..., Any]
    held_rows: str
    """A query over the JSON array `:held` of [id, lease] pairs."""
    listed_values: str
    """A query over the JSON array of texts in `:{name}`."""

    def held(self) -> FromClause:
        """Return the (id, lease) pairs of the parameter `held`."""
        return text(self.held_rows).columns(id=Text, lease=BigInteger).subquery("held")

    def listed(self, name: str) -> ScalarSelect[Any]:
        """Return the texts of the JSON array in a parameter, for IN."""
        return select(text(self.listed_values.format(name=name)).columns(value=Text).subquery(name)).scalar_subquery()


Builder = Callable[[Sql], ClauseElement]


class Prepared:
    """A statement that is compiled at its first run on a dialect."""

    def __init__(self, build: Builder) -> None:
        self._build = build
        self._compiled: dict[str, tuple[str, dict[str, Any]]] = {}
        self.__doc__ = build.__doc__

    def on(self, sql: Sql) -> tuple[str, dict[str, Any]]:
        """Return the text and the parameters that it brings along."""
        found = self._compiled.get(sql.dialect.name)
        if found is None:
            found = self._compiled[sql.dialect.name] = compiled(self._build(sql), sql)
        return found


def prepared(build: Builder) -> Prepared:
    """Turn a function that builds a statement into one that is compiled once."""
    return Prepared(build)


def compiled(statement: ClauseElement, sql: Sql) -> tuple[str, dict[str, Any]]:
    """Compile a statement for the dialect's driver."""
    done = statement.compile(dialect=sql.dialect)
    return str(done), dict(done.params)


def state_is(column: ColumnElement[int], *states: TaskState) -> ColumnElement[bool]:
    """Compare with literal states: partial indexes serve no query whose state is a parameter."""
    if len(states) == 1:
        return column == literal(states[0])
    return column.in_([literal(state) for state in sorted(states)])


def literal(value: int) -> ColumnElement[int]:
    """Write a number into the statement itself."""
    return literal_column(str(int(value)))


__all__ = ["Prepared", "Sql", "TextClause", "compiled", "literal", "prepared", "state_is"]
