"""How do tasks get in, all or none, and none of them twice?"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from sqlalchemy import BigInteger, bindparam, func, insert, literal_column, null, select, text, union_all, update

from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import WAITING_PARTS, dependencies, pauses, tasks
from queue_core.backends.statements import Prepared, Values, literal, prepared
from queue_core.config import QueueConfig
from queue_core.errors import InvalidTask, QueueFull
from queue_core.rows import Row, encode
from queue_core.states import TaskState
from queue_core.task import Task

logger = logging.getLogger("queue_core")


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


def encoded(new: Sequence[Task], config: QueueConfig, now: int) -> list[Row]:
    """Check all tasks and write their rows, before anything is locked."""
    _refuse_cycles(new)
    return [encode(task, config, now) for task in new]


def enqueue(tx: Transaction, new: Sequence[Task], rows: Sequence[Row]) -> list[str]:
    """Insert all or none; return each task's id, or that of the one that was there first."""
    _expire_keys_of(tx, new)
    ids, fresh = _insert(tx, new, _with_pauses(tx, new, rows))
    _guard_capacity(tx, len(fresh))
    _tie(tx, [task for task in fresh.values() if task.depends_on], ids)
    tx.wakes = tx.wakes or bool(fresh)
    return [ids[task.id] for task in new]


def _refuse_cycles(new: Sequence[Task]) -> None:
    graph = {task.id: task.depends_on for task in new if task.depends_on}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        around = " -> ".join(reversed(error.args[1]))
        raise InvalidTask(error.args[1][0], "depends_on", f"a cycle: {around}") from error


def _expire_keys_of(tx: Transaction, new: Sequence[Task]) -> None:
    keys = [task.idempotency_key for task in new if task.idempotency_key]
    if keys:
        before = tx.now - round(tx.config.idempotency_window * 1000)
        tx.run(_expire_keys, keys=as_json(keys), before=before)


def _with_pauses(tx: Transaction, new: Sequence[Task], rows: Sequence[Row]) -> Sequence[Row]:
    """Mark the rows of paused groups."""
    groups = {task.group_id for task in new if task.group_id}
    if not groups:
        return rows
    tx.sql.lock_groups(tx)
    paused = {row[0] for row in tx.run(_paused_groups, groups=as_json(groups))}
    return [(*row[:-1], int(task.group_id in paused)) for task, row in zip(new, rows, strict=True)] if paused else rows


def _insert(tx: Transaction, new: Sequence[Task], rows: Sequence[Row]) -> tuple[Mapping[str, str], Mapping[str, Task]]:
    """Return which id stands for each task, and the tasks that are new by their id."""
    inserted = _insert_batches(tx, rows)
    fresh = {task.id: task for task in reversed(new) if task.id in inserted}
    ids = {task_id: task_id for task_id in fresh}
    while len(ids) < len(new) and (missing := [n for n, task in enumerate(new) if task.id not in ids]):
        known = _known(tx, [new[n] for n in missing])
        ids |= known
        # Whoever was there first may have been cleaned away meanwhile: then it is our turn again.
        again = _insert_batches(tx, [rows[n] for n in missing if new[n].id not in known])
        fresh |= {task.id: task for task in new if task.id in again}
        ids |= {task_id: task_id for task_id in again}
    return ids, fresh


def _insert_batches(tx: Transaction, rows: Sequence[Row]) -> set[str]:
    size = tx.config.batch_size
    batches = (rows[start : start + size] for start in range(0, len(rows), size))
    return {task_id for batch in batches for task_id in tx.sql.insert_rows(tx, batch)}


def _known(tx: Transaction, new: Sequence[Task]) -> dict[str, str]:
    """Find which tasks of the store stand for these: by id, else by key."""
    ids = {row[0] for row in tx.run(_known_ids, ids=as_json(task.id for task in new))}
    keys = [task.idempotency_key for task in new if task.idempotency_key]
    by_key = {row[0]: row[1] for row in tx.run(_known_keys, keys=as_json(keys))} if keys else {}
    found = {task.id: task.id if task.id in ids else by_key.get(task.idempotency_key) for task in new}
    return {task_id: stored for task_id, stored in found.items() if stored is not None}


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


def _tie(tx: Transaction, new: Sequence[Task], ids: Mapping[str, str]) -> None:
    """Let tasks wait for those that they depend on, unless these are done already."""
    if not new:
        return
    wanted = {task.id: {ids.get(name, name) for name in task.depends_on} for task in new}
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
