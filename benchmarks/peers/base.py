"""What must a peer be able to do to be measured beside our queue?"""

import sqlite3
from collections.abc import Sequence
from typing import ClassVar, Protocol

from benchmarks.payloads import Payload
from benchmarks.stores import Place, Setting


class Peer(Protocol):
    """A job queue of others, used as its own documentation says, with its own defaults."""

    name: ClassVar[str]
    database: ClassVar[Setting]  # where it lives; its real durability is asked of it
    job_count: ClassVar[int]  # what it does in one to three seconds

    def __init__(self, place: Place) -> None: ...

    def setting(self) -> Setting:
        """Say how durable this peer is, as its own connection tells."""

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Enqueue one no-op job per payload, the fastest way that the peer offers."""

    def drain(self, count: int) -> int:
        """Run one worker until `count` jobs are done; return how many ran."""

    def close(self) -> None:
        """Close every connection."""


def sqlite_setting(connection: sqlite3.Connection) -> Setting:
    """Ask a connection for the durability it was given; all peers on SQLite use WAL."""
    (journal,) = connection.execute("PRAGMA journal_mode").fetchone()
    if journal != "wal":
        raise RuntimeError(f"this peer writes with journal_mode={journal}, which ours does not do")
    (level,) = connection.execute("PRAGMA synchronous").fetchone()
    return Setting("SQLite", ("OFF", "NORMAL", "FULL", "EXTRA")[level])
