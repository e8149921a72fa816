"""How does a store get the tables of this version, whoever opens it first?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Column, Connection, func, inspect, select
from sqlalchemy.schema import CreateColumn

from queue_core.backends.schema import lease_floor, metadata, schema_versions, tasks, turns, workers
from queue_core.errors import BackendUnavailable, SchemaTooNew

Migration = Callable[[Connection], None]


def _first(connection: Connection) -> None:
    metadata.create_all(connection)
    connection.execute(lease_floor.insert().values(id=1, lease=0))


def _know_workers(connection: Connection) -> None:
    """Add what tells living workers from dead ones, and who does the maintenance."""
    news = ("machine", "process_start", "supervisor_pid", "supervisor_start", "stop_requested_at")
    for column in (tasks.c.progress, *(workers.c[name] for name in news)):
        _add(connection, column)
    turns.create(connection, checkfirst=True)


def _add(connection: Connection, column: Column[object]) -> None:
    """Add a column to a table that was made before it was thought of."""
    known = {found["name"] for found in inspect(connection).get_columns(column.table.name)}
    if column.name not in known:
        definition = CreateColumn(column).compile(dialect=connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE {column.table.name} ADD COLUMN {definition}")


MIGRATIONS: tuple[Migration, ...] = (_first, _know_workers)
"""Step n leads from version n to n + 1. Only ever append."""


def version_of(connection: Connection) -> int:
    """Return the version of the store's tables; 0 is an empty store."""
    if not inspect(connection).has_table(schema_versions.name):
        return 0
    return connection.scalar(select(func.coalesce(func.max(schema_versions.c.version), 0))) or 0


def is_current(connection: Connection, url: str, migrations: Sequence[Migration] = MIGRATIONS) -> bool:
    """Return whether nothing is to be done; raises SchemaTooNew where a newer version was at work."""
    found = version_of(connection)
    if found > len(migrations):
        raise SchemaTooNew(url, found, len(migrations))
    return found == len(migrations)


def migrate(connection: Connection, url: str, now: int, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the tables forward, one version after the other; the caller holds the store's lock."""
    if is_current(connection, url, migrations):  # somebody else may have been faster
        return
    found = version_of(connection)
    if found == 0 and inspect(connection).has_table(tasks.name):
        raise BackendUnavailable(url, "it has a table `tasks` that is not this queue's: choose another database")
    for version, step in enumerate(migrations[found:], start=found + 1):
        step(connection)
        connection.execute(schema_versions.insert().values(version=version, applied_at=now))
