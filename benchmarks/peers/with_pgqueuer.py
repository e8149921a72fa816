"""How fast is pgqueuer on PostgreSQL?"""

import asyncio
import json
from collections.abc import Sequence
from typing import ClassVar

import asyncpg
import uvloop
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job
from pgqueuer.queries import Queries

from benchmarks.payloads import Payload, do_nothing
from benchmarks.stores import POSTGRES, Place, Setting


class PgQueuerPeer:
    """Its asyncpg driver on uvloop, as `pgq run` has it, with its default batch of 10."""

    name: ClassVar[str] = "pgqueuer"
    database: ClassVar[Setting] = POSTGRES
    job_count: ClassVar[int] = 12_000
    batch_size: ClassVar[int] = 10

    def __init__(self, place: Place) -> None:
        self._runner = asyncio.Runner(loop_factory=uvloop.new_event_loop)
        self._done_count = 0
        self._runner.run(self._open(place.url))

    async def _open(self, url: str) -> None:
        self._connection = await asyncpg.connect(url)
        driver = AsyncpgDriver(self._connection)
        self._queries = Queries(driver)
        await self._queries.install()
        self._manager = PgQueuer(driver).qm

    def setting(self) -> Setting:
        """Logged tables by default, and the server's own synchronous_commit."""
        return POSTGRES

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Enqueue all as lists: one statement."""
        count = len(payloads)
        encoded: list[bytes | None] = [json.dumps(payload).encode() for payload in payloads]
        self._runner.run(self._queries.enqueue(["noop"] * count, encoded, [0] * count))

    def drain(self, count: int) -> int:
        """Run its worker, and stop it at the last job: its own drain mode may idle for a while."""
        self._manager.entrypoint("noop")(self._stopping_at(count))
        self._runner.run(self._manager.run(batch_size=self.batch_size))
        return self._done_count

    def _stopping_at(self, count: int):
        async def noop(job: Job) -> None:
            do_nothing(json.loads(job.payload or b"{}"))
            self._done_count += 1
            if self._done_count == count:
                self._manager.shutdown.set()

        return noop

    def close(self) -> None:
        """Close its connection and the event loop."""
        self._runner.run(self._connection.close())
        self._runner.close()
