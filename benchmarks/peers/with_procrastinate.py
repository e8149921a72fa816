"""How fast is procrastinate on PostgreSQL?"""

import asyncio
import logging
from collections.abc import Sequence
from typing import ClassVar

from procrastinate import App, PsycopgConnector

from benchmarks.payloads import Payload, do_nothing
from benchmarks.stores import POSTGRES, Place, Setting


class ProcrastinatePeer:
    """One worker with its default concurrency of 1, as `procrastinate worker` starts it."""

    name: ClassVar[str] = "procrastinate"
    database: ClassVar[Setting] = POSTGRES
    job_count: ClassVar[int] = 800
    concurrency: ClassVar[int] = 1

    def __init__(self, place: Place) -> None:
        # It logs several lines per job; a handler that drops them is the cheapest set-up.
        logging.getLogger("procrastinate").setLevel(logging.WARNING)
        self._runner = asyncio.Runner()
        self._done_count = 0
        self._app = App(connector=PsycopgConnector(conninfo=place.url))
        self._noop = self._app.task(name="noop")(self._run)
        self._runner.run(self._open())

    async def _run(self, **payload: str) -> None:
        do_nothing(payload)
        self._done_count += 1

    async def _open(self) -> None:
        await self._app.open_async()
        await self._app.schema_manager.apply_schema_async()

    def setting(self) -> Setting:
        """Logged tables, and the server's own synchronous_commit."""
        return POSTGRES

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Defer all as one batch: one statement."""
        self._runner.run(self._noop.batch_defer_async(*payloads))

    def drain(self, count: int) -> int:
        """Run its worker until it has caught up."""
        self._runner.run(self._work())
        return min(count, self._done_count)

    async def _work(self) -> None:
        await self._app.run_worker_async(wait=False, concurrency=self.concurrency, install_signal_handlers=False)

    def close(self) -> None:
        """Close its pool and the event loop."""
        self._runner.run(self._app.close_async())
        self._runner.close()
