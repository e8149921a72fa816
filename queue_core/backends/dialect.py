"""What do SQLite and PostgreSQL say differently, and what can a step of the queue do with either?

Everything that the queue does is written once, over these few words.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from pydantic_core import to_json
from sqlalchemy import BigInteger, ColumnElement, Dialect, FromClause, Text, select, text
from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.sql.selectable import ScalarSelect

from queue_core.backends.schema import PENDING_FREE, RETRYABLE_FREE
from queue_core.backends.statements import Prepared, compiled
from queue_core.config import QueueConfig
from queue_core.encoding import Row
from queue_core.states import TaskState

FREE: dict[int, str] = {TaskState.PENDING: PENDING_FREE, TaskState.RETRYABLE: RETRYABLE_FREE}
"""For each waiting state, which of its rows can be claimed once they are due."""
INDEX: dict[int, str] = {TaskState.PENDING: "tasks_pending", TaskState.RETRYABLE: "tasks_retryable"}
"""For each waiting state, the index that lists these rows in claim order."""


Shape = tuple[int, ...]


class Spot(NamedTuple):
    """A place where claimable tasks stand in line: one lane at one level in one state."""

    level: int
    state: int
    lane: str
    name: str
    is_paused: bool
    per_minute: int | None


class Due(NamedTuple):
    """A task that could be claimed now, in the order of claims within its level."""

    due_at: int
    id: str
    name: str


class Sql(ABC):
    """The words of one database."""

    name: ClassVar[str]
    dialect: ClassVar[Dialect]
    insert: ClassVar[Callable[..., Any]]
    shards: ClassVar[int]
    """Over how many rows a counter is spread, so that writers need not wait for each other."""
    held_rows: ClassVar[str]
    """A query over the JSON array `:held` of [id, lease] or [id, lease, result]."""
    listed_values: ClassVar[str]
    """A query over the JSON array of texts in `:{name}`."""
    spots_of: ClassVar[str]
    """A recursive query `{state}_spots (lane, level, name)` that hops from one place in line to the next."""

    def held(self) -> FromClause:
        """Return the rows (id, lease, result) of the parameter `held`."""
        return text(self.held_rows).columns(id=Text, lease=BigInteger, result=Text).subquery("held")

    def listed(self, name: str) -> ScalarSelect[Any]:
        """Return the texts of the JSON array in a parameter, for IN."""
        return select(text(self.listed_values.format(name=name)).columns(value=Text).subquery(name)).scalar_subquery()

    def spots(self, tx: Transaction, states: tuple[TaskState, ...]) -> list[Spot]:
        """Find every place in line, with what holds its name back; one index seek each, whatever stands in it."""
        return [Spot._make(row) for row in tx.driver.execute(spots_query(type(self), states)).fetchall()]

    @abstractmethod
    def version(self, tx: Transaction) -> str:
        """Return the database's name and version."""

    @abstractmethod
    def rows(self, cursor: Any) -> list[Sequence[Any]]:
        """Fetch all rows of a statement that was run; none where it returns none."""

    @abstractmethod
    def shape(self, spots: Sequence[Spot]) -> Shape:
        """Say what decides the text of a statement that takes from these spots, and no more than that."""

    @abstractmethod
    def first_due(self, shape: Shape) -> ColumnElement[bool]:
        """Return the condition of being one of the first `:most` due tasks of spots of one level.

        What others hold is skipped, and the choice is made once.
        """

    @abstractmethod
    def first_due_parameters(self, spots: Sequence[Spot]) -> dict[str, Any]:
        """Return the parameters of that choice, beside `now` and `most`."""

    @abstractmethod
    def due(self, tx: Transaction, spots: Sequence[Spot], most: int) -> list[Due]:
        """Read at most `most` due tasks of each spot (all of one level), locking them where others could too."""

    @abstractmethod
    def next_due_at(self, tx: Transaction, spots: Sequence[Spot]) -> int | None:
        """Return when the first task of these spots is or was due."""

    @abstractmethod
    def insert_rows(self, tx: Transaction, rows: Sequence[Row], lease: int) -> set[str]:
        """Insert rows that are all plain or all full, their leases beginning at `lease`.

        Return the ids of those skipped, known by id or key.
        """

    def lock_groups(self, tx: Transaction) -> None:  # noqa: B027 (a writer on SQLite is alone anyway)
        """Keep groups from being paused or unpaused until the commit."""

    def lock_capacity(self, tx: Transaction) -> None:  # noqa: B027
        """Let nobody else count and insert until the commit."""

    def announce(self, tx: Transaction) -> None:  # noqa: B027
        """Tell other processes, at the commit, that something may be claimable."""


_QUERIES: dict[tuple[type[Sql], tuple[TaskState, ...]], str] = {}


def spots_query(sql: type[Sql], states: tuple[TaskState, ...]) -> str:
    """Write the query for all places in line of these states."""
    known = _QUERIES.get((sql, states))
    if known is None:
        hops = ", ".join(sql.spots_of.format(state=s.name, free=FREE[s], index=INDEX[s]) for s in states)
        lines = " UNION ALL ".join(f"SELECT level, {int(s)} AS state, lane, name FROM {s.name}_spots" for s in states)
        known = _QUERIES[sql, states] = f"""
            WITH RECURSIVE {hops}
            SELECT line.level, line.state, line.lane, line.name, pauses.key IS NOT NULL, limits.per_minute
            FROM ({lines}) AS line
            LEFT JOIN pauses ON pauses.kind = 'name' AND pauses.key = line.name
            LEFT JOIN limits ON limits.name = line.name"""
    return known


class Driver(Protocol):
    """The part of sqlite3's and psycopg's connections that both share."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Any: ...

    def cursor(self) -> Any: ...


@dataclass(slots=True)
class Transaction:
    """One atomic step: statements that all see the same `now`."""

    driver: Driver
    sql: Sql
    config: QueueConfig
    now: int
    randomness: random.Random
    shard: int
    wakes: bool = False
    """Whether something may have become claimable: who waits is told after the commit."""

    def run(self, statement: Prepared | ClauseElement, **parameters: Any) -> list[Sequence[Any]]:
        """Run a statement and return all of its rows."""
        text, defaults = statement.on(self.sql) if isinstance(statement, Prepared) else compiled(statement, self.sql)
        return self.sql.rows(self.driver.execute(text, {**defaults, **parameters}))


def as_json(values: Iterable[Any]) -> str:
    """Write values as the JSON array that `Sql.held` and `Sql.listed` read."""
    return to_json(list(values)).decode()
