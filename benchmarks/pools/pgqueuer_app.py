"""How do pgqueuer's workers run? `python -m benchmarks.pools.pgqueuer_app BATCH_SIZE`."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pgqueuer
import uvloop
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.models import Job

from benchmarks.pools.noop import noop
from benchmarks.pools.order import Order


@asynccontextmanager
async def manager() -> AsyncIterator[PgQueuer]:
    """Give the runner a manager on one connection, as the documentation asks for in workers."""
    connection = await asyncpg.connect(Order.given().url)
    try:
        made = PgQueuer(AsyncpgDriver(connection))
        made.entrypoint("noop")(_run)
        yield made
    finally:
        await connection.close()


async def _run(job: Job) -> None:
    noop(json.loads(job.payload or b"{}"))


if __name__ == "__main__":
    # What `pgq run` does; the command itself stumbles over its log level where typer is recent.
    uvloop.run(pgqueuer.run(manager, batch_size=int(sys.argv[1])))
