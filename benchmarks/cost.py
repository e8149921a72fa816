"""What does a task cost in our queue, against the same work done by hand?"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

from benchmarks.contenders import COPY, OURS, OURS_LIST, RAW, Contender, drain, opened
from benchmarks.ground import Ground
from benchmarks.measure import Cost, cost_of, interleaved, median_cost
from benchmarks.payloads import Payload, payloads
from benchmarks.progress import progress
from benchmarks.report import Row, Table, Target
from benchmarks.scale import Scale
from benchmarks.stores import POSTGRES, SETTINGS, Setting, settle

BULK = "enqueue"
Costs = dict[tuple[str, str], Cost]
"""What each contender's work cost, by who and what."""

_WARM_UP = 20
"""Rounds before the clock runs: statements are compiled and prepared, pages are cached."""


def cost(ground: Ground, scale: Scale) -> list[Table]:
    """Measure enqueue, claim and complete on every database at every durability."""
    table = Table(
        title="Cost: time per task, ours against raw",
        columns=("database", "durability", "work", "ours CPU µs", "raw CPU µs", "ours wall µs", "raw wall µs"),
        judged="CPU ratio",
        notes=(
            "CPU is that of this process; PostgreSQL's own processes show in the wall time only.",
            "raw: the same work by hand with sqlite3 or psycopg, in the same number of transactions.",
            "Tasks are built and handed over one by one. From a list, Python's garbage collector walks them all again.",
            "COPY can't skip a task that is known already, so it is shown for information.",
        ),
    )
    for setting in SETTINGS:
        table.rows.extend(_rows(setting, _measured(ground, setting, scale), scale))
    return [table]


def _measured(ground: Ground, setting: Setting, scale: Scale) -> Costs:
    contenders = [OURS, OURS_LIST, RAW, *([COPY] if setting == POSTGRES else [])]
    known: dict[tuple[str, str], list[Cost]] = defaultdict(list)
    for who in interleaved(contenders, scale.repeat_count):
        progress("cost:", setting, who)
        for work, spent in _costs_of(ground, who, setting, scale):
            known[who, work].append(spent)
    return {key: median_cost(costs) for key, costs in known.items()}


def _costs_of(ground: Ground, who: str, setting: Setting, scale: Scale) -> Iterator[tuple[str, Cost]]:
    new = payloads(scale.bulk_count)
    with ground.place(setting) as place, opened(who, place) as contender:
        yield BULK, cost_of(partial(_enqueue, contender, new))
        if who in (OURS_LIST, COPY):
            return  # they differ in nothing else
        settle(place)
        for size, count in _drains(scale).items():
            drain(contender, size, _WARM_UP * size)
            yield _by(size), cost_of(partial(drain, contender, size, count))


def _enqueue(contender: Contender, new: Sequence[Payload]) -> int:
    contender.enqueue(new)
    return len(new)


def _drains(scale: Scale) -> dict[int, int]:
    """How many tasks are drained for each size of a claim."""
    return {50: scale.by_fifty_count, 5: scale.by_five_count}


def _by(size: int) -> str:
    return f"claim {size} + complete {size}"


def _rows(setting: Setting, costs: Costs, scale: Scale) -> Iterator[Row]:
    bulk = f"enqueue {scale.bulk_count:,} in one call"
    yield _row(setting, bulk, costs[OURS, BULK], costs[RAW, BULK], Target("<=", 3))
    yield _row(setting, f"{bulk}, ours from a list", costs[OURS_LIST, BULK], costs[RAW, BULK])
    if setting == POSTGRES:
        yield _row(setting, f"{bulk}, raw by COPY", costs[OURS, BULK], costs[COPY, BULK])
    for size in _drains(scale):
        yield _row(setting, _by(size), costs[OURS, _by(size)], costs[RAW, _by(size)], Target("<=", 4))


def _row(setting: Setting, work: str, ours: Cost, raw: Cost, target: Target | None = None) -> Row:
    figures = (ours.cpu_micros, raw.cpu_micros, ours.wall_micros, raw.wall_micros)
    cells = (setting.database, setting.durability, work, *figures)
    return Row(cells, ours.cpu_micros / raw.cpu_micros, target)
