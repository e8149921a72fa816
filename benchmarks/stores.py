"""Where do the contenders keep their tasks, and how durable is it there?"""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psycopg


@dataclass(frozen=True)
class Setting:
    """A database and its durability; `synchronous` is SQLite's, empty on PostgreSQL."""

    database: str
    synchronous: str = ""

    @property
    def durability(self) -> str:
        """The durability in the database's own words."""
        return f"synchronous={self.synchronous}" if self.synchronous else "synchronous_commit=on"

    def __str__(self) -> str:
        return f"{self.database} {self.durability}"


SQLITE_FULL = Setting("SQLite", "FULL")
SQLITE_NORMAL = Setting("SQLite", "NORMAL")
SQLITE_OFF = Setting("SQLite", "OFF")
POSTGRES = Setting("PostgreSQL")
SETTINGS = (SQLITE_FULL, SQLITE_NORMAL, SQLITE_OFF, POSTGRES)


@dataclass(frozen=True)
class Place:
    """One empty database of a setting; a plain value, so that it can go to other processes."""

    setting: Setting
    url: str
    folder: str  # where SQLite's file lies; empty on PostgreSQL

    @property
    def file(self) -> str:
        """The path of SQLite's file."""
        return str(Path(self.folder, "tasks.db"))


def settle(place: Place) -> None:
    """Do now what the database would else do in the background, while a clock runs."""
    if place.setting == POSTGRES:
        with psycopg.connect(place.url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")
        return
    for file in Path(place.folder).glob("*.db"):
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
