"""How does the queue live in PostgreSQL, for many machines?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus
from sqlalchemy import URL, Connection, create_engine, event

from queue_core.backends.base import Capabilities
from queue_core.backends.dialect import Driver
from queue_core.backends.listening import ListenSignal
from queue_core.backends.migrations import is_current, migrate
from queue_core.backends.postgres_sql import PostgresSql
from queue_core.backends.sql import Contended, SqlBackend, closing_on_error
from queue_core.clock import Clock, ServerClock
from queue_core.config import QueueConfig
from queue_core.errors import BackendUnavailable

MIGRATION_LOCK = 0x71756575_65000002
"""Of pg_advisory_xact_lock: one opener at a time brings the tables forward."""
_SESSION = "queue_core session"
_CONTENTION = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)


class PostgresBackend(SqlBackend):
    """A queue in a database that many machines share."""

    sql = PostgresSql()
    driver_errors = (psycopg.Error,)
    capabilities = Capabilities(is_shared=True, survives_close=True, speaks_sql=True)

    def __init__(self, url: URL, config: QueueConfig, clock: Clock | None) -> None:
        super().__init__(url.render_as_string(), config)
        arguments = {} if config.postgres_prepare else {"prepare_threshold": None}
        # Statements commit by themselves: transactions begin where we say so. What is given back is clean already.
        self._engine = create_engine(
            url.set(drivername="postgresql+psycopg"),
            isolation_level="AUTOCOMMIT",
            pool_reset_on_return=None,
            max_overflow=-1,
            connect_args=arguments,
        )
        self.signal = ListenSignal(self._connect_listener)
        event.listen(self._engine, "connect", self._set_up)
        with closing_on_error(self):
            self.clock = clock or ServerClock(self._server_ms)
            self._patiently(self._migrate)

    def _set_up(self, raw: Any, _: Any) -> None:
        raw.execute(f"SET lock_timeout = {round(self.config.lock_timeout * 1000)}")
        # Every statement knows its rows by index; a planner that has no statistics yet would read whole tables.
        raw.execute("SET random_page_cost = 1.1")
        raw.commit()

    def _server_ms(self) -> int:
        with self._reading() as driver:
            (now,) = driver.execute("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint").fetchone()
            return int(now)

    def _migrate(self) -> None:
        with self._translated(), self._engine.connect() as connection:
            if is_current(connection, self.url):
                return
        with self._translated(), self._joinable() as (connection, _), connection.begin():
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
            migrate(connection, self.url, self.clock.now_ms())

    def _connect_listener(self) -> psycopg.Connection[Any]:
        # A connection of its own, outside the pool: it listens for as long as the queue is open.
        arguments, options = self._engine.dialect.create_connect_args(self._engine.url)
        return psycopg.connect(*arguments, **options, autocommit=True)

    @contextmanager
    def _transacting(self, begin: bytes) -> Iterator[Session]:
        # One context, not one in another: each costs as much as a small part of the statement.
        self._check_process()
        with self._translated():
            pooled = self._engine.raw_connection()
            session = pooled.info.get(_SESSION)
            if session is None:
                session = pooled.info[_SESSION] = Session(pooled.driver_connection)
            try:
                session.command(begin)
                yield session
                session.command(b"COMMIT")
            except BaseException:
                session.roll_back()
                raise
            finally:
                if self._is_closed or not session.is_idle():
                    pooled.invalidate()
                pooled.close()

    def _writing(self) -> AbstractContextManager[Driver]:
        return self._transacting(b"BEGIN")

    def _reading(self) -> AbstractContextManager[Driver]:
        return self._transacting(b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def _joinable(self) -> AbstractContextManager[tuple[Connection, Driver]]:
        return self._connected(isolation_level="READ COMMITTED")

    @contextmanager
    def _readable(self) -> Iterator[Connection]:
        with self._connected(isolation_level="REPEATABLE READ", postgresql_readonly=True) as (connection, _):
            yield connection

    @contextmanager
    def _connected(self, **options: Any) -> Iterator[tuple[Connection, Driver]]:
        self._check_process()
        with self._translated_once():
            pooled = self._engine.connect()
        with pooled:
            with self._translated_once():
                connection = pooled.execution_options(**options)
                driver: Any = connection.connection.driver_connection
            try:
                yield connection, driver
            finally:
                connection.rollback()
                if self._is_closed or driver.pgconn.transaction_status != TransactionStatus.IDLE:
                    connection.invalidate()

    def _meaning(self, error: BaseException | None) -> Exception:
        if isinstance(error, _CONTENTION):
            return Contended(str(error))
        reason = " ".join(str(error).split())
        return BackendUnavailable(self.url, reason)

    def close(self) -> None:
        self._is_closed = True
        self.signal.close()
        self._engine.dispose()


class Session:
    """A connection as the queue uses it: one cursor, used again and again, and transactions begun by libpq itself.

    Both spare psycopg's work for each statement, which weighs more than the statement here.
    """

    def __init__(self, connection: Any) -> None:
        self._connection: psycopg.Connection[Any] = connection
        self.cursor = connection.cursor
        self.execute = connection.cursor().execute

    def is_idle(self) -> bool:
        """Return whether the connection is whole and in no transaction."""
        return self._connection.pgconn.transaction_status == TransactionStatus.IDLE

    def roll_back(self) -> None:
        """Undo what is open, as far as the connection still answers."""
        with suppress(psycopg.Error):
            self.command(b"ROLLBACK")

    def command(self, command: bytes) -> None:
        """Run a command that has no answer but that it was done."""
        result = self._connection.pgconn.exec_(command)
        if result.status != ExecStatus.COMMAND_OK:
            raise psycopg.errors.error_from_result(result)
