"""What does procrastinate's worker import?"""

from procrastinate import App, PsycopgConnector

from benchmarks.pools.noop import noop
from benchmarks.pools.order import Order

app = App(connector=PsycopgConnector(conninfo=Order.given().url))


@app.task(name="noop")
async def run(**payload: str) -> None:
    """Run one job; async, as a plain function would get a thread of its own."""
    noop(payload)
