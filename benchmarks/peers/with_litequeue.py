"""How fast is litequeue on SQLite?"""

import json
from collections.abc import Sequence
from typing import ClassVar

from litequeue import LiteQueue

from benchmarks.payloads import Payload, do_nothing
from benchmarks.peers.base import sqlite_setting
from benchmarks.stores import SQLITE_NORMAL, Place, Setting


class LiteQueuePeer:
    """LiteQueue; its pop sorts all that wait, so the number of jobs decides the figure."""

    name: ClassVar[str] = "litequeue"
    database: ClassVar[Setting] = SQLITE_NORMAL
    job_count: ClassVar[int] = 4_000

    def __init__(self, place: Place) -> None:
        self._queue = LiteQueue(place.file)

    def setting(self) -> Setting:
        """Ask its connection."""
        return sqlite_setting(self._queue.conn)

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Put all inside one of its transactions."""
        with self._queue.transaction():
            for payload in payloads:
                self._queue.put(json.dumps(payload))

    def drain(self, count: int) -> int:
        """Pop, run and mark as done one after another."""
        done = 0
        while done < count and (message := self._queue.pop()) is not None:
            do_nothing(json.loads(message.data))
            self._queue.done(message.message_id)
            done += 1
        return done

    def close(self) -> None:
        """Close its connection."""
        self._queue.close()
