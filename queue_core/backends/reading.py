"""What is in the queue?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import and_, bindparam, func, or_, select, text, tuple_, union_all

from queue_core.backends.base import Filter
from queue_core.backends.counting import totals
from queue_core.backends.dialect import Sql, Transaction, as_json
from queue_core.backends.schema import (
    FINAL_STATES,
    HELD_BACK,
    PENDING_FREE,
    PROCESSING,
    RETRYABLE_FREE,
    WAITING_PARTS,
    pauses,
    tasks,
)
from queue_core.backends.statements import literal, prepared, state_is
from queue_core.decoding import SELECTED, decode_leniently
from queue_core.encoding import lane_parts
from queue_core.errors import TaskNotFound
from queue_core.reports import GroupReport, Snapshot
from queue_core.states import WAITING, TaskState
from queue_core.task import Task

_COLUMNS = [tasks.c[column] for column in SELECTED]
_MINUTE = 60_000
_TAGGED_PAGE = 500
"""How many rows are read at once to find tags among them."""


@prepared
def _get() -> Any:
    return select(*_COLUMNS).where(tasks.c.id == bindparam("task_id"))


@prepared
def _counts() -> Any:
    """One count per index, never a walk over the table."""
    parts = (*WAITING_PARTS, PROCESSING, FINAL_STATES)
    return union_all(*(select(tasks.c.state, func.count()).where(text(p)).group_by(tasks.c.state) for p in parts))


def _moves() -> Any:
    """Return the condition of running, or waiting for nothing but its time and a worker."""
    free = (tasks.c.blockers == literal(0), tasks.c.paused == literal(0))
    return or_(state_is(tasks.c.state, TaskState.PROCESSING), and_(state_is(tasks.c.state, *WAITING), *free))


@prepared
def _moving() -> Any:
    """Find one task of a group that moves."""
    return select(tasks.c.id).where(tasks.c.group_id == bindparam("group_id"), _moves()).limit(literal(1))


@prepared
def _group_counts() -> Any:
    of_group = tasks.c.group_id == bindparam("group_id")
    return select(tasks.c.state, func.count()).where(of_group).group_by(tasks.c.state)


@prepared
def _groups(sql: Sql) -> Any:
    """Count the tasks of groups by state, and how many of them run or wait for nothing but their time and a worker."""
    moves = func.count().filter(_moves())
    chosen = tasks.c.group_id.in_(sql.listed("group_ids"))
    columns = (tasks.c.group_id, tasks.c.state, func.count(), moves)
    return select(*columns).where(chosen).group_by(tasks.c.group_id, tasks.c.state)


@prepared
def _lines() -> Any:
    """For each lane and level of claimable tasks: how many, how many are due, and since when."""
    is_due = func.count().filter(tasks.c.due_at <= bindparam("now"))
    return union_all(
        *(
            select(tasks.c.lane, tasks.c.effective_priority, func.count(), is_due, func.min(tasks.c.due_at))
            .where(text(free))
            .group_by(tasks.c.lane, tasks.c.effective_priority)
            for free in (PENDING_FREE, RETRYABLE_FREE)
        )
    )


@prepared
def _held_back() -> Any:
    """Blocked and paused tasks by level."""
    blocked = func.count().filter(tasks.c.blockers > literal(0))
    columns = (tasks.c.effective_priority, func.count(), blocked)
    return select(*columns).where(text(HELD_BACK)).group_by(tasks.c.effective_priority)


@prepared
def _paused_names() -> Any:
    return select(pauses.c.key).where(pauses.c.kind == text("'name'"))


@prepared
def _ended_since() -> Any:
    recent = (text(FINAL_STATES), tasks.c.finalized_at > bindparam("since"))
    return select(tasks.c.state, func.count()).where(*recent).group_by(tasks.c.state)


@prepared
def _before() -> Any:
    """Count what is claimable and stands before a place in the order."""
    place = tuple_(tasks.c.effective_priority, tasks.c.due_at, tasks.c.id)
    mine = tuple_(*(bindparam(name, type_=tasks.c[name].type) for name in ("effective_priority", "due_at", "id")))
    counts = (select(func.count()).where(text(free), place < mine) for free in (PENDING_FREE, RETRYABLE_FREE))
    return union_all(*counts)


def get(tx: Transaction, task_id: str) -> Task:
    """Return a task, without the parts of it that can't be read."""
    rows = tx.run(_get, task_id=task_id)
    if not rows:
        raise TaskNotFound(task_id)
    return decode_leniently(rows[0])


def listed(tx: Transaction, wanted: Filter) -> list[Task]:
    """Return one page, in the order of ids."""
    found: list[Task] = []
    after = wanted.after
    while len(found) < wanted.limit:
        page = _page(tx, wanted, after)
        found += [task for task in page if wanted.tags.items() <= task.tags.items()]
        if len(page) < _page_size(wanted):
            break
        after = page[-1].id
    return found[: wanted.limit]


def _page_size(wanted: Filter) -> int:
    return max(wanted.limit, _TAGGED_PAGE) if wanted.tags else wanted.limit


def _page(tx: Transaction, wanted: Filter, after: str | None) -> list[Task]:
    """Tags are compared by the caller: a row whose JSON is broken must not break the query."""
    query = select(*_COLUMNS).order_by(tasks.c.id).limit(_page_size(wanted))
    if wanted.state is not None:
        query = query.where(state_is(tasks.c.state, wanted.state))
    if wanted.name is not None:
        query = query.where(tasks.c.name == wanted.name)
    if wanted.group_id is not None:
        query = query.where(tasks.c.group_id == wanted.group_id)
    if after is not None:
        query = query.where(tasks.c.id > after)
    return [decode_leniently(row) for row in tx.run(query)]


def counts(tx: Transaction, group_id: str | None) -> dict[TaskState, int]:
    """Return how many tasks are in each state, zeros included."""
    rows = tx.run(_counts) if group_id is None else tx.run(_group_counts, group_id=group_id)
    found = dict.fromkeys(TaskState, 0)
    for state, number in rows:
        found[TaskState(state)] += number
    return found


def is_at_rest(tx: Transaction, group_id: str) -> bool:
    """Return whether no task of a group runs, or can be claimed as things stand: one look, between two claims."""
    return not tx.run(_moving, group_id=group_id)


def groups(tx: Transaction, group_ids: Sequence[str]) -> dict[str, GroupReport]:
    """Return how groups stand."""
    found = {group_id: dict.fromkeys(TaskState, 0) for group_id in group_ids}
    moving = set()
    for group_id, state, count, moves in tx.run(_groups, group_ids=as_json(group_ids)):
        found[group_id][TaskState(state)] = count
        if moves:
            moving.add(group_id)
    return {key: GroupReport(counts=counts, is_at_rest=key not in moving) for key, counts in found.items()}


def position(tx: Transaction, task_id: str) -> int | None:
    """Return how many claimable tasks stand before a waiting one; None where it does not wait."""
    task = get(tx, task_id)
    if task.state not in WAITING:
        return None
    place = {"effective_priority": task.effective_priority, "due_at": task.due_at, "id": task.id}
    return sum(int(row[0]) for row in tx.run(_before, **place))


def snapshot(tx: Transaction, shutdown: bool) -> Snapshot:
    """Return the queue at one instant."""
    lines, held = tx.run(_lines, now=tx.now), tx.run(_held_back)
    paused_names = {row[0] for row in tx.run(_paused_names)}
    open_lines = [line for line in lines if _name_of(line[0]) not in paused_names]
    ended = {TaskState(state): number for state, number in tx.run(_ended_since, since=tx.now - _MINUTE)}
    by_state = counts(tx, None)
    blocked = sum(row[2] for row in held)
    oldest = min((line[4] for line in open_lines), default=tx.now)
    ready = sum(line[3] for line in open_lines)
    return Snapshot(
        depth=sum(by_state[state] for state in WAITING),
        ready=ready,
        scheduled=sum(line[2] - line[3] for line in open_lines),
        blocked=blocked,
        paused=sum(line[2] for line in lines)
        - sum(line[2] for line in open_lines)
        + sum(row[1] for row in held)
        - blocked,
        shutdown=shutdown,
        by_state=by_state,
        by_priority=_by_priority(lines, held),
        oldest_age_seconds=(tx.now - oldest) / 1000 if ready else None,
        completed_last_minute=ended.get(TaskState.COMPLETED, 0),
        failed_last_minute=ended.get(TaskState.DISCARDED, 0),
        counters=totals(tx, by_state[TaskState.COMPLETED]),
    )


def _by_priority(lines: Sequence[Sequence[Any]], held: Sequence[Sequence[Any]]) -> dict[int, int]:
    levels: Counter[int] = Counter()
    for _, level, number, *_ in lines:
        levels[level] += number
    for level, number, _ in held:
        levels[level] += number
    return dict(sorted(levels.items()))


def _name_of(lane: str) -> str | None:
    try:
        return lane_parts(lane)[0]
    except (ValueError, TypeError):
        return None
