"""How many tasks of a limited name may be claimed now, over all workers?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import bindparam, select, update

from queue_core.backends.dialect import Due, Spot, Sql, Transaction, as_json
from queue_core.backends.schema import limits
from queue_core.backends.statements import prepared
from queue_core.rate import WINDOW_SECONDS, Recent, budget, current, spend
from queue_core.task import Task

Rates = dict[str, tuple[int, Recent]]
"""For each limited name: its limit per minute and the claims of the last minute."""


@prepared
def _seen(sql: Sql) -> Any:
    return select(limits).where(limits.c.name.in_(sql.listed("names")))


@prepared
def _locked(sql: Sql) -> Any:
    """Lock the limiters before anything is claimed under them, in one order for all."""
    limited = limits.c.name.in_(sql.listed("names"))
    return select(limits).where(limited).order_by(limits.c.name).with_for_update()


@prepared
def _spend() -> Any:
    return update(limits).where(limits.c.name == bindparam("limited")).values(recent=bindparam("spent"))


def rates_of(tx: Transaction, spots: Iterable[Spot], *, lock: bool) -> Rates:
    """Read the rates of the limited names among these spots."""
    limited = {spot.name for spot in spots if spot.per_minute is not None}
    if not limited:
        return {}
    rows = tx.run(_locked if lock else _seen, names=as_json(limited))
    return {name: (most, json.loads(recent)) for name, most, recent in rows}


def budgets(tx: Transaction, rates: Rates, claimed: Iterable[Task]) -> dict[str, int]:
    """Return how many more tasks of each limited name may be taken, after those of this claim."""
    used = Counter(task.name for task in claimed)
    return {name: budget(recent, most, tx.now) - used[name] for name, (most, recent) in rates.items()}


def within(due: Iterable[Due], left: dict[str, int], most: int) -> list[Due]:
    """Keep the first that no limit holds back, and count them off what is left."""
    kept: list[Due] = []
    for task in due:
        if len(kept) < most and left.get(task.name, 1) > 0:
            kept.append(task)
            if task.name in left:
                left[task.name] -= 1
    return kept


def spend_rates(tx: Transaction, rates: Rates, claimed: Sequence[Task]) -> None:
    """Write down what was claimed."""
    for name, (_, recent) in rates.items():
        used = sum(task.name == name for task in claimed)
        if used:
            tx.run(_spend, limited=name, spent=as_json(spend(recent, used, tx.now)))


def freed_at(recent: Recent, now: int) -> int:
    """Return when the oldest claim of the last minute stops counting."""
    return (min(second for second, _ in current(recent, now)) + 1 + WINDOW_SECONDS) * 1000
