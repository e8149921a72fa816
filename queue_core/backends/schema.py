"""How do tasks lie in the database?

Times are integer UTC milliseconds, ids ULID text, everything structured JSON text, so that
anyone can read the tables with `sqlite3` or `psql`.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import BigInteger, Column, Float, Index, Integer, MetaData, Table, Text, text

from queue_core.states import FINAL, WAITING, TaskState

metadata = MetaData()


def _state(state: TaskState) -> str:
    """Write a state as a literal: a partial index serves no query whose state is a parameter."""
    return f"state = {int(state)}"


def _one_of(states: Iterable[TaskState]) -> str:
    return f"state IN ({', '.join(str(int(state)) for state in sorted(states))})"


ENDED = "finalized_at IS NOT NULL"
FINAL_STATES = f"{ENDED} AND {_one_of(FINAL)}"
_FREE = "blockers = 0 AND paused = 0"
PENDING_FREE = f"{_state(TaskState.PENDING)} AND {_FREE}"
RETRYABLE_FREE = f"{_state(TaskState.RETRYABLE)} AND {_FREE}"
_NOT_FREE = f"NOT ({_FREE})"
HELD_BACK = f"{_one_of(WAITING)} AND {_NOT_FREE}"
WAITING_PARTS = (PENDING_FREE, RETRYABLE_FREE, HELD_BACK)
"""All waiting tasks, in parts that an index serves each."""
PROCESSING = _state(TaskState.PROCESSING)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("state", Integer, nullable=False),
    Column("schedule_at", BigInteger, nullable=False),  # the visibility clock while PROCESSING
    Column("attempt_count", Integer, nullable=False, server_default=text("0")),
    Column("attempted_at", BigInteger),
    Column("attempted_error", Text),
    Column("finalized_at", BigInteger),
    Column("items", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("group_id", Text),
    Column("due_at", BigInteger, nullable=False),  # its place in the order; no claim touches it
    Column("priority", Integer, nullable=False),
    Column("effective_priority", Integer, nullable=False),
    Column("max_attempts", Integer),
    Column("timeout_seconds", Float),
    Column("visibility_timeout", Float),
    Column("lease", BigInteger, nullable=False, server_default=text("0")),
    Column("worker_id", Text),
    Column("needs", Text),
    Column("lane", Text, nullable=False),
    Column("tags", Text),
    Column("depends_on", Text),
    Column("idempotency_key", Text),
    Column("trace_id", Text),
    Column("result", Text),
    Column("blockers", Integer, nullable=False, server_default=text("0")),
    Column("dependents", Integer, nullable=False, server_default=text("0")),  # 1 once others wait for it
    Column("paused", Integer, nullable=False, server_default=text("0")),
    Column("cancel_requested_at", BigInteger),
    Column("progress", Text),  # what its handler said last
    # Rows leave room on their page, so that a state change need not move them to another. A claim has to step
    # over what was claimed before it until a vacuum removes that: don't let it wait for a fifth of the table.
    postgresql_with={
        "fillfactor": "70",
        "autovacuum_vacuum_scale_factor": "0.02",
        "autovacuum_vacuum_threshold": "1000",
        "autovacuum_vacuum_cost_delay": "0",
    },
)


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    condition = text(where)
    chosen = [tasks.c[column] for column in columns]
    return Index(name, *chosen, unique=unique, sqlite_where=condition, postgresql_where=condition)


CLAIM_ORDER = ("lane", "effective_priority", "due_at", "id")
_partial("tasks_pending", *CLAIM_ORDER, where=PENDING_FREE)
_partial("tasks_retryable", *CLAIM_ORDER, where=RETRYABLE_FREE)
_partial("tasks_processing", "schedule_at", "worker_id", where=PROCESSING)
# By the instant, not by the state: SQLite takes 2 µs longer to test a list of states for each row that it inserts.
_partial("tasks_final", "state", "finalized_at", where=ENDED)
# The state is in neither of these three, so that no change of it has to touch them.
_partial("tasks_held_back", "effective_priority", where=_NOT_FREE)
_partial("tasks_group", "group_id", where="group_id IS NOT NULL")
_partial("tasks_idempotency", "idempotency_key", where="idempotency_key IS NOT NULL", unique=True)

dependencies = Table(
    "task_dependencies",
    metadata,
    Column("dependency_id", Text, primary_key=True),
    Column("task_id", Text, primary_key=True),
    Index("task_dependencies_task", "task_id"),
)

workers = Table(
    "workers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("host", Text, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("heartbeat_at", BigInteger, nullable=False),
    Column("version", Text, nullable=False),
    Column("capabilities", Text, nullable=False),
    Column("capacity", Integer, nullable=False),
    Column("load", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("machine", Text),  # which boot of which machine, and which space of pids
    Column("process_start", Text),  # with the pid it names one process
    Column("supervisor_pid", Integer),  # who knows best how the process ended
    Column("supervisor_start", Text),
    Column("stop_requested_at", BigInteger),
)

turns = Table(
    "turns",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", BigInteger, nullable=False),
)

pauses = Table(
    "pauses",
    metadata,
    Column("kind", Text, primary_key=True),  # "name" or "group"
    Column("key", Text, primary_key=True),
    Column("paused_at", BigInteger, nullable=False),
)

limits = Table(
    "limits",
    metadata,
    Column("name", Text, primary_key=True),
    Column("per_minute", Integer, nullable=False),
    Column("recent", Text, nullable=False),  # JSON: [[second, claims], …] of the last minute
)

lease_floor = Table(
    "lease_floor",
    metadata,
    Column("id", Integer, primary_key=True),  # one row
    Column("lease", BigInteger, nullable=False),  # the highest of any deleted task: new ones begin there
)

counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("shard", Integer, primary_key=True),  # many writers, few waits for the same row
    Column("value", BigInteger, nullable=False),
)

schema_versions = Table(
    "schema_versions",
    metadata,
    Column("version", Integer, primary_key=True),
    Column("applied_at", BigInteger, nullable=False),
)
