"""What does huey's consumer import?"""

from huey import SqliteHuey

from benchmarks.pools.noop import noop
from benchmarks.pools.order import Order

huey = SqliteHuey(filename=Order.given().file)
run = huey.task()(noop)
