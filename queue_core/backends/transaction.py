"""What can a step of the queue do with the database while it runs?"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy.sql.elements import ClauseElement

from queue_core.backends.statements import Prepared, compiled
from queue_core.config import QueueConfig

if TYPE_CHECKING:
    from queue_core.backends.dialect import Sql


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
        cursor = self.driver.execute(text, {**defaults, **parameters} if defaults else parameters)
        return cursor.fetchall() if cursor.description else []


def as_json(values: Iterable[Any]) -> str:
    """Write values as the JSON array that `Sql.held` and `Sql.listed` read."""
    return json.dumps(list(values), separators=(",", ":"))
