"""How fast is huey on SQLite?"""

from collections.abc import Sequence
from typing import ClassVar

from huey import SqliteHuey

from benchmarks.payloads import Payload, do_nothing
from benchmarks.peers.base import sqlite_setting
from benchmarks.stores import SQLITE_FULL, Place, Setting


class HueyPeer:
    """SqliteHuey; a job is deleted before it runs, so one that dies with its worker is lost."""

    name: ClassVar[str] = "huey"
    database: ClassVar[Setting] = SQLITE_FULL
    job_count: ClassVar[int] = 8_000

    def __init__(self, place: Place) -> None:
        self._huey = SqliteHuey(filename=place.file)
        self._noop = self._huey.task()(do_nothing)

    def setting(self) -> Setting:
        """Ask its connection."""
        return sqlite_setting(self._huey.storage.conn)

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Map the task over the payloads: its only bulk call, one transaction per job."""
        self._noop.map(payloads)

    def drain(self, count: int) -> int:
        """Do what its consumer's worker does in its loop, without the thread around it."""
        done = 0
        while done < count and (job := self._huey.dequeue()) is not None:
            self._huey.execute(job)
            done += 1
        return done

    def close(self) -> None:
        """Close its connection."""
        self._huey.storage.close()
