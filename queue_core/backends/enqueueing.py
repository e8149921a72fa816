"""How do tasks get in, all or none, and none of them twice?"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from sqlalchemy import BigInteger, bindparam, func, insert, literal_column, null, select, text, union_all, update

from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import WAITING_PARTS, dependencies, lease_floor, pauses, tasks
from queue_core.backends.statements import Prepared, Values, literal, prepared
from queue_core.config import QueueConfig
from queue_core.encoding import INSERTED, Row, encode, is_plain
from queue_core.errors import InvalidRequest, InvalidTask, QueueFull
from queue_core.states import TaskState
from queue_core.task import Task

logger = logging.getLogger("queue_core")
_GROUP = INSERTED.index("group_id")


@prepared
def _paused_groups(sql: Sql) -> Any:
    return select(pauses.c.key).where(
        pauses.c.kind == literal_column("'group'"), pauses.c.key.in_(sql.listed("groups"))
    )


@prepared
def _expire_keys(sql: Sql) -> Any:
    listed = tasks.c.idempotency_key.in_(sql.listed("keys"))
    return update(tasks).where(listed, tasks.c.created_at <= bindparam("before")).values(idempotency_key=null())


@prepared
def _floor() -> Any:
    """Read where leases begin; who is deleting tasks is waited for, and they wait for us."""
    return select(lease_floor.c.lease).with_for_update(read=True)


@prepared
def _known_ids(sql: Sql) -> Any:
    return select(tasks.c.id).where(tasks.c.id.in_(sql.listed("ids")))


@prepared
def _known_keys(sql: Sql) -> Any:
    return select(tasks.c.idempotency_key, tasks.c.id).where(tasks.c.idempotency_key.in_(sql.listed("keys")))


@prepared
def _lock_dependencies(sql: Sql) -> Any:
    """Let none of them finish until the commit: its completion must see who waits for it."""
    listed = tasks.c.id.in_(sql.listed("ids"))
    return select(tasks.c.id, tasks.c.state).where(listed).order_by(tasks.c.id).with_for_update(key_share=True)


@prepared
def _flag_dependencies(sql: Sql) -> Any:
    listed = tasks.c.id.in_(sql.listed("ids"))
    return update(tasks).where(listed, tasks.c.dependents == literal(0)).values(dependents=literal(1))


@prepared
def _add_edge() -> Any:
    return insert(dependencies).values(dependency_id=bindparam("dependency_id"), task_id=bindparam("task_id"))


@prepared
def _set_blockers() -> Any:
    waits: Values = {"blockers": bindparam("unmet"), "depends_on": bindparam("names")}
    return update(tasks).where(tasks.c.id == bindparam("task_id")).values(waits)


@prepared
def _depth() -> Any:
    """Count what waits, but no further than the guard has to know."""
    parts = (select(literal(1).label("one")).select_from(tasks).where(text(part)) for part in WAITING_PARTS)
    bounded = (part.limit(bindparam("most", type_=BigInteger)).subquery() for part in parts)
    return union_all(*(select(func.count()).select_from(part) for part in bounded))


@dataclass(frozen=True)
class Batch:
    """Tasks on their way in."""

    ids: list[str]
    """Of all, in the order that they were given."""
    rows: dict[str, Row]
    """By id: where one comes twice, the first counts."""
    special: dict[str, Task]
    """Those that have a group, a key or dependencies, by id; of the others the row says it all."""


def encoded(new: Iterable[Task], config: QueueConfig, now: int) -> Batch:
    """Check all tasks and write their rows, before anything is locked. Tasks that come one by one need not be kept."""
    batch = Batch([], {}, {})
    for task in new:
        if not isinstance(task, Task):
            raise InvalidRequest("tasks", f"{task!r:.200} is not a Task")
        try:
            row = encode(task, config, now)
        except (TypeError, AttributeError) as error:  # of a task that was built past its own checks
            raise InvalidTask(task.id, "task", str(error)) from error
        batch.ids.append(task.id)
        if batch.rows.setdefault(task.id, row) is row and not is_plain(row):
            batch.special[task.id] = task
    _refuse_cycles({task.id: task.depends_on for task in batch.special.values()})
    return batch


def enqueue(tx: Transaction, new: Batch) -> list[str]:
    """Insert all or none; return each task's id, or that of the one that was there first."""
    _expire_keys_of(tx, new)
    known = _insert(tx, new)
    fresh = len(new.rows) - len(known)
    _guard_capacity(tx, fresh)
    _tie(tx, [task for task in new.special.values() if task.depends_on and task.id not in known], known)
    tx.wakes = tx.wakes or fresh > 0
    return [known.get(task_id, task_id) for task_id in new.ids] if known else new.ids


def _refuse_cycles(graph: Mapping[str, Iterable[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        around = " -> ".join(reversed(error.args[1]))
        raise InvalidTask(error.args[1][0], "depends_on", f"a cycle: {around}") from error


def _keys(new: Iterable[Task]) -> list[str]:
    return [task.idempotency_key for task in new if task.idempotency_key]


def _expire_keys_of(tx: Transaction, new: Batch) -> None:
    keys = _keys(new.special.values())
    if keys:
        before = tx.now - round(tx.config.idempotency_window * 1000)
        tx.run(_expire_keys, keys=as_json(keys), before=before)


def _insert(tx: Transaction, new: Batch) -> dict[str, str]:
    """Insert what is not known; return, for each task that is, the id of the one that was there first."""
    rows, floor = _with_pauses(tx, new), tx.run(_floor)[0][0]
    known: dict[str, str] = {}
    while skipped := _insert_batches(tx, rows, floor):
        found = _known(tx, skipped, new.special)
        known |= found
        # Whoever was there first may have been cleaned away meanwhile: then it is our turn again.
        rows = [row for row in rows if row[0] in skipped and row[0] not in found]
        if not rows:
            break
    return known


def _with_pauses(tx: Transaction, new: Batch) -> list[Row]:
    """Mark the rows of paused groups."""
    groups = {task.group_id for task in new.special.values() if task.group_id}
    if not groups:
        return list(new.rows.values())
    tx.sql.lock_groups(tx)
    paused = {row[0] for row in tx.run(_paused_groups, groups=as_json(groups))}
    return [row if is_plain(row) else (*row[:-1], int(row[_GROUP] in paused)) for row in new.rows.values()]


def _insert_batches(tx: Transaction, rows: Sequence[Row], lease: int) -> set[str]:
    """Return the ids that were not inserted."""
    skipped: set[str] = set()
    for start in range(0, len(rows), tx.config.batch_size):
        batch = rows[start : start + tx.config.batch_size]
        plain = [row for row in batch if is_plain(row)]
        full = [row for row in batch if not is_plain(row)] if len(plain) < len(batch) else []
        for alike in filter(None, (plain, full)):
            skipped |= tx.sql.insert_rows(tx, alike, lease)
    return skipped


def _known(tx: Transaction, skipped: set[str], special: Mapping[str, Task]) -> dict[str, str]:
    """Find which tasks of the store stand for these: by id, else by key."""
    ids = {row[0] for row in tx.run(_known_ids, ids=as_json(skipped))}
    keyed = {task_id: special[task_id].idempotency_key for task_id in skipped - ids if task_id in special}
    rows = tx.run(_known_keys, keys=as_json(filter(None, keyed.values()))) if keyed else ()
    by_key: dict[str | None, str] = {row[0]: row[1] for row in rows}
    found = {task_id: by_key[key] for task_id, key in keyed.items() if key in by_key}
    return found | {task_id: task_id for task_id in ids}


def _guard_capacity(tx: Transaction, added: int) -> None:
    most, warn = tx.config.max_pending, tx.config.warn_depth
    if not added or not (most or warn):
        return
    if most:
        tx.sql.lock_capacity(tx)
    depth = sum(row[0] for row in tx.run(_depth, most=max(most or 0, warn or 0) + 1))
    if most and depth > most:
        raise QueueFull(depth - added, added, most)
    if warn and depth >= warn:
        logger.warning("%d tasks wait (warn_depth=%d)", depth, warn)


def _tie(tx: Transaction, new: Sequence[Task], known: Mapping[str, str]) -> None:
    """Let tasks wait for those that they depend on, unless these are done already."""
    if not new:
        return
    wanted = {task.id: {known.get(name, name) for name in task.depends_on} for task in new}
    if known:  # a duplicate may stand for the very task that waits for it
        _refuse_cycles(wanted)
    states = _lock(tx, {name for names in wanted.values() for name in names})
    for task_id, names in wanted.items():
        _refuse_impossible(task_id, names, states)
    unmet = {task_id: {n for n in names if states[n] is not TaskState.COMPLETED} for task_id, names in wanted.items()}
    _many(tx, _add_edge, [{"dependency_id": n, "task_id": t} for t, names in unmet.items() for n in sorted(names)])
    tx.run(_flag_dependencies, ids=as_json({name for names in unmet.values() for name in names}))
    differing = [task.id for task in new if set(task.depends_on) != unmet[task.id]]
    _many(tx, _set_blockers, [_blocked_by(t, wanted[t], unmet[t]) for t in differing])


def _lock(tx: Transaction, ids: set[str]) -> dict[str, TaskState]:
    return {row[0]: TaskState(row[1]) for row in tx.run(_lock_dependencies, ids=as_json(ids))}


def _refuse_impossible(task_id: str, names: set[str], states: Mapping[str, TaskState]) -> None:
    for name in sorted(names):
        if name not in states:
            raise InvalidTask(task_id, "depends_on", f"task {name} does not exist")
        if states[name] is TaskState.CANCELLED:
            raise InvalidTask(task_id, "depends_on", f"task {name} is CANCELLED and will never be done")


def _blocked_by(task_id: str, names: set[str], unmet: set[str]) -> dict[str, Any]:
    return {"task_id": task_id, "unmet": len(unmet), "names": as_json(sorted(names))}


def _many(tx: Transaction, statement: Prepared, parameters: Sequence[Mapping[str, Any]]) -> None:
    if parameters:
        tx.driver.cursor().executemany(statement.on(tx.sql)[0], parameters)
