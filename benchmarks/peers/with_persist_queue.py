"""How fast is persist-queue on SQLite?"""

from collections.abc import Sequence
from typing import ClassVar

from persistqueue import SQLiteAckQueue
from persistqueue.exceptions import Empty

from benchmarks.payloads import Payload, do_nothing
from benchmarks.peers.base import sqlite_setting
from benchmarks.stores import SQLITE_FULL, Place, Setting


class PersistQueuePeer:
    """SQLiteAckQueue; no bulk calls, one transaction each for put, get and ack."""

    name: ClassVar[str] = "persist-queue"
    database: ClassVar[Setting] = SQLITE_FULL
    job_count: ClassVar[int] = 6_000

    def __init__(self, place: Place) -> None:
        self._queue = SQLiteAckQueue(place.folder)

    def setting(self) -> Setting:
        """Ask its connection."""
        return sqlite_setting(self._queue._conn)

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Put one after another."""
        for payload in payloads:
            self._queue.put(payload)

    def drain(self, count: int) -> int:
        """Get, run and acknowledge one after another."""
        for done in range(count):
            try:
                job = self._queue.get(block=False)
            except Empty:
                return done
            do_nothing(job)
            self._queue.ack(job)
        return count

    def close(self) -> None:
        """Close its connections."""
        self._queue.close()
