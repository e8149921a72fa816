"""How long does a claim take, whatever waits behind it or stands in front of it?"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median

from benchmarks.ground import Ground
from benchmarks.measure import interleaved
from benchmarks.ours import Ours
from benchmarks.payloads import Payload, payloads
from benchmarks.progress import progress
from benchmarks.report import Row, Table, Target
from benchmarks.scale import Scale
from benchmarks.stores import POSTGRES, SQLITE_NORMAL, Setting, settle

SIZE = 5
FEW = 1_000
_BULK = 50_000
_WARM_UP = 20

Medians = dict[str, float]
"""The median claim of each store, in seconds."""


@dataclass(frozen=True)
class Backlog:
    """What a store holds before the clock runs."""

    name: str
    waiting_count: int
    future_count: int = 0
    incapable_count: int = 0


def latency(ground: Ground, scale: Scale) -> list[Table]:
    """Time single claims in a small store and in stores that could slow them down."""
    table = Table(
        title=f"Latency: one claim of {SIZE} against one with {FEW:,} waiting and nothing in front",
        columns=("database", "durability", "store", "median ms", f"median ms, {FEW:,} waiting"),
        notes=(
            f"Medians of {scale.repeat_count} times {scale.claim_count} claims, the stores in turn.",
            "What was claimed is not completed; as many are enqueued again outside the clock.",
            "What stands in front has the highest priority. SQLite runs at NORMAL: a sync per claim would hide much.",
        ),
    )
    for setting in (SQLITE_NORMAL, POSTGRES):
        few, *others = _backlogs(scale)
        medians = _measured(ground, setting, [few, *others], scale)
        table.rows.extend(_row(setting, other, medians, few) for other in others)
    return [table]


def _backlogs(scale: Scale) -> list[Backlog]:
    many, front = scale.backlog_count, scale.front_count
    return [
        Backlog(f"{FEW:,} waiting", FEW),
        Backlog(f"{many:,} waiting", many),
        Backlog(f"{front:,} due tomorrow in front", FEW, future_count=front),
        Backlog(f"{front:,} that need what the worker lacks in front", FEW, incapable_count=front),
    ]


def _row(setting: Setting, backlog: Backlog, medians: Medians, few: Backlog) -> Row:
    spent, base = medians[backlog.name], medians[few.name]
    cells = (setting.database, setting.durability, backlog.name, spent * 1e3, base * 1e3)
    return Row(cells, spent / base, Target("<=", 1.5))


def _measured(ground: Ground, setting: Setting, backlogs: Sequence[Backlog], scale: Scale) -> Medians:
    known: dict[str, list[float]] = defaultdict(list)
    with ExitStack() as stack:
        stores = {each.name: stack.enter_context(_filled(ground, setting, each)) for each in backlogs}
        _claims(stores, _WARM_UP)
        for repeat in range(scale.repeat_count):
            progress("latency:", setting, f"repeat {repeat + 1}")
            for name, seconds in _claims(stores, scale.claim_count).items():
                known[name].append(median(seconds))
    return {name: median(medians) for name, medians in known.items()}


def _claims(stores: dict[str, Ours], count: int) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = defaultdict(list)
    for name in interleaved(stores, count):
        spent[name].append(_timed_claim(stores[name]))
        stores[name].enqueue(payloads(SIZE))
    return spent


def _timed_claim(store: Ours) -> float:
    started_at = time.perf_counter()
    claimed = store.claim(SIZE)
    spent = time.perf_counter() - started_at
    if len(claimed) != SIZE:
        raise RuntimeError(f"a claim of {SIZE} found {len(claimed)}")
    return spent


@contextmanager
def _filled(ground: Ground, setting: Setting, backlog: Backlog) -> Iterator[Ours]:
    progress("latency:", setting, "filling a store with", backlog.name)
    with ground.place(setting) as place:
        store = Ours(place)
        try:
            _insert(store.enqueue_future, backlog.future_count)
            _insert(store.enqueue_incapable, backlog.incapable_count)
            _insert(store.enqueue, backlog.waiting_count)
            settle(place)
            yield store
        finally:
            store.close()


def _insert(enqueue: Callable[[Sequence[Payload]], None], count: int) -> None:
    for start in range(0, count, _BULK):
        enqueue(payloads(min(_BULK, count - start)))
