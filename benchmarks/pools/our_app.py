"""How do our workers run? `python -m benchmarks.pools.our_app SIZE COUNT`."""

import sys

from benchmarks.pools.noop import noop_task
from benchmarks.pools.order import Order
from queue_core import QueueConfig
from queue_core.settings import WorkerSettings
from queue_core.supervisor import Supervisor


def main(size: int, count: int) -> None:
    """Work until nothing is left."""
    order = Order.given()
    config = QueueConfig(sqlite_synchronous=order.synchronous) if order.synchronous else QueueConfig()
    settings = WorkerSettings(size=size, until_empty=True)
    Supervisor(order.url, {"noop": noop_task}, count=count, settings=settings, config=config).run()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
