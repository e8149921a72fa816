"""How does the queue live in an SQLite file, or in memory?

SQLite has one writer per file. A process has one connection that writes, in turn for its threads,
and read connections that see the last commit and never wait.
"""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.pool import QueuePool, StaticPool

from queue_core.backends.base import Capabilities
from queue_core.backends.dialect import Driver
from queue_core.backends.migrations import is_current, migrate
from queue_core.backends.signal import Signal
from queue_core.backends.sql import Contended, SqlBackend, closing_on_error
from queue_core.backends.sqlite_sql import SqliteSql
from queue_core.clock import Clock, SystemClock
from queue_core.config import QueueConfig
from queue_core.errors import BackendUnavailable

_SETUP_WAIT = 5.0
_WAL_LIMIT_BYTES = 64 * 1024 * 1024
_LOOK_SECONDS = 0.02
"""How often a waiting thread asks whether another process has committed: about 5 µs each time."""


class SqliteBackend(SqlBackend):
    """A queue in a file that processes of one machine share."""

    sql = SqliteSql()
    driver_errors = (sqlite3.Error, OSError)
    capabilities = Capabilities(is_shared=True, survives_close=True, speaks_sql=True)

    def __init__(self, url: URL, config: QueueConfig, clock: Clock | None) -> None:
        super().__init__(url.render_as_string(), config)
        self.clock = clock or SystemClock()
        self._lock = threading.RLock()
        self.signal = Signal()
        with self._translated():
            self._prepare_folder(url)
            self._make_engines(url)
        event.listen(self._writer_engine, "begin", _begin)
        event.listen(self._writer_engine, "handle_error", _stay_connected)
        with closing_on_error(self):
            self._patiently(self._connect)
            self._patiently(self._migrate)
            self.signal = self._make_signal(url)

    def _prepare_folder(self, url: URL) -> None:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)

    def _make_engines(self, url: URL) -> None:
        self._writer_engine = self._engine(url, poolclass=StaticPool)
        self._readers = self._engine(url, poolclass=QueuePool, pool_size=4, max_overflow=-1)
        event.listen(self._readers, "connect", lambda raw, _: raw.execute("PRAGMA query_only = ON"))
        event.listen(self._readers, "begin", lambda connection: connection.connection.execute("BEGIN"))

    def _connect(self) -> None:
        with self._translated():
            # The engine has this one connection for ever, and so may we.
            self._raw = cast("sqlite3.Connection", self._writer_engine.raw_connection().driver_connection)
            # A busy file is tried again by us: SQLite itself would sleep up to 100 ms.
            self._driver().execute("PRAGMA busy_timeout = 0")

    def _engine(self, url: URL, **pool: Any) -> Engine:
        # The driver commits each statement by itself: transactions begin where we say so.
        arguments = {"isolation_level": None, "check_same_thread": False, "timeout": _SETUP_WAIT}
        engine = create_engine(url, connect_args=arguments, **pool)
        event.listen(engine, "connect", self._set_up)
        return engine

    def _set_up(self, raw: sqlite3.Connection, _: Any) -> None:
        with self._translated():
            raw.execute("PRAGMA journal_mode = WAL")
            raw.execute(f"PRAGMA synchronous = {self.config.sqlite_synchronous}")
            raw.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")

    def _migrate(self) -> None:
        with self._translated():
            with self._readers.connect() as reader:
                if is_current(reader, self.url):
                    return
            with self._writer_engine.begin() as connection:
                migrate(connection, self.url, self.clock.now_ms())

    def _make_signal(self, url: URL) -> Signal:
        return CommitSignal(str(url.database))

    def _driver(self) -> sqlite3.Connection:
        self._check_process()
        return self._raw

    @contextmanager
    def _writing(self) -> Iterator[Driver]:
        with self._lock:
            driver = self._driver()
            try:
                driver.execute("BEGIN IMMEDIATE")
                yield driver
                driver.execute("COMMIT")
            except BaseException as error:
                _roll_back(driver)
                if isinstance(error, sqlite3.Error):
                    raise self._meaning(error) from error
                raise

    @contextmanager
    def _reading(self) -> Iterator[Driver]:
        self._check_process()
        with self._translated(), closing(self._readers.raw_connection()) as pooled:
            driver: Any = pooled.driver_connection
            driver.execute("BEGIN")
            try:
                yield driver
            finally:
                _roll_back(driver)
                if self._is_closed:
                    pooled.invalidate()

    @contextmanager
    def _joinable(self) -> Iterator[tuple[Connection, Driver]]:
        with self._lock:
            try:
                self._patiently(self._begin)
                with self._writer_engine.connect() as connection:
                    yield connection, self._driver()
            finally:
                # Whatever interrupted the caller, the next writer finds the file free.
                _roll_back(self._raw)

    @contextmanager
    def _readable(self) -> Iterator[Connection]:
        self._check_process()
        with self._translated_once():
            connection = self._readers.connect()
        with connection:
            try:
                yield connection
            finally:
                if self._is_closed:
                    connection.invalidate()

    def _begin(self) -> None:
        with self._translated():
            self._driver().execute("BEGIN IMMEDIATE")

    def _meaning(self, error: BaseException | None) -> Exception:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return Contended(str(error))
        return BackendUnavailable(self.url, str(error))

    def close(self) -> None:
        self._is_closed = True
        self.signal.close()
        with self._lock:
            self._writer_engine.dispose()
            self._readers.dispose()


class MemoryBackend(SqliteBackend):
    """A queue in the memory of this process: the same code, on one connection that readers use in turn."""

    capabilities = Capabilities(is_shared=False, survives_close=False, speaks_sql=True)

    def _make_engines(self, url: URL) -> None:
        self._writer_engine = self._readers = self._engine(url.set(database=None), poolclass=StaticPool)

    def _prepare_folder(self, url: URL) -> None:
        """There is none."""

    def _make_signal(self, url: URL) -> Signal:  # noqa: ARG002 (there is nobody else to listen to)
        return Signal()

    @contextmanager
    def _reading(self) -> Iterator[Driver]:
        with self._lock, self._translated():
            yield self._driver()

    @contextmanager
    def _readable(self) -> Iterator[Connection]:
        with self._joinable() as (connection, driver):
            try:
                driver.execute("PRAGMA query_only = ON")
                yield connection
            finally:
                with suppress(sqlite3.ProgrammingError):  # it was closed meanwhile
                    driver.execute("PRAGMA query_only = OFF")


class CommitSignal(Signal):
    """Notices the commits of other processes by SQLite's own count of them.

    The file itself is never opened: closing it would drop SQLite's locks on it.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self._watcher = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._watching = threading.Lock()
        self._is_closed = False

    def seen(self) -> tuple[int, int]:
        return (self._count, self._commits())

    def _commits(self) -> int:
        with self._watching:
            return -1 if self._is_closed else int(self._watcher.execute("PRAGMA data_version").fetchone()[0])

    def wait(self, seen: Any, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0 and seen == (self._count, self._commits()):
            super().wait(seen[0], min(left, random.uniform(_LOOK_SECONDS / 2, _LOOK_SECONDS)))

    def close(self) -> None:
        with self._watching:
            self._is_closed = True
            self._watcher.close()


def _begin(connection: Connection) -> None:
    """Begin as a writer: a reader that turns writer later may find the file locked at once."""
    raw: Any = connection.connection.driver_connection
    if not raw.in_transaction:
        raw.execute("BEGIN IMMEDIATE")


def _stay_connected(context: ExceptionContext) -> None:
    """Keep the connection on Ctrl-C, after which SQLAlchemy would close it: in memory it is all there is."""
    context.is_disconnect = False


def _roll_back(driver: Any) -> None:
    # After a full disk, for one, SQLite has rolled back by itself; a closed connection has too.
    with suppress(sqlite3.ProgrammingError):
        if driver.in_transaction:
            driver.execute("ROLLBACK")
