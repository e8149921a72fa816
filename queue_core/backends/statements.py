"""How does a statement written once run on either database, at the speed of its driver?

Statements are SQLAlchemy Core, compiled once per dialect and run on the driver's own
connection: the full execution path of SQLAlchemy costs more than a small statement on
SQLite does (docs/design.md has the figures).
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Dialect, literal_column
from sqlalchemy.sql.elements import ClauseElement

from queue_core.states import TaskState

Builder = Callable[..., ClauseElement]
"""A function of the dialect's words, `Sql`, or of nothing where both databases say the same."""
Values = dict[str, Any]
"""What a statement writes, by column."""
Compiled = tuple[str, dict[str, Any]]


class Target(Protocol):
    """What a statement is compiled for."""

    @property
    def name(self) -> str: ...

    @property
    def dialect(self) -> Dialect: ...


class Prepared:
    """A statement that is compiled at its first run on a dialect."""

    def __init__(self, build: Builder) -> None:
        self._build = build
        self._compiled: dict[str, Compiled] = {}
        self.__doc__ = build.__doc__

    def on(self, sql: Target) -> Compiled:
        """Return the text and the parameters that it brings along."""
        found = self._compiled.get(sql.name)
        if found is None:
            words = (sql,) if signature(self._build).parameters else ()
            found = self._compiled[sql.name] = compiled(self._build(*words), sql)
        return found


def prepared(build: Builder) -> Prepared:
    """Turn a function that builds a statement into one that is compiled once."""
    return Prepared(build)


def compiled(statement: ClauseElement, sql: Target) -> Compiled:
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


def unindexed(column: ColumnElement[int]) -> ColumnElement[int]:
    """Keep a condition from choosing the index: PostgreSQL, short of statistics, would rather read a whole state."""
    return column + literal(0)
