"""The cost of a claim depends on lanes and levels, never on what stands in the backlog.

Time is not measured here: SQLite counts the instructions of its machine, PostgreSQL tells its plan
and how many rows each part of it handled.
"""

import itertools
import sqlite3
from functools import partial

import psycopg
import pytest

from queue_core import ManualClock, Queue, QueueConfig, Task, TaskState
from queue_core.backends import finishing
from queue_core.backends.claiming import _take_first
from queue_core.backends.dialect import Spot, Sql, as_json, spots_query
from queue_core.backends.postgres_sql import PostgresSql
from queue_core.backends.sqlite_sql import SqliteSql
from queue_core.encoding import lane

FEW, MANY = 50, 2500
TOMORROW = 86_400_000
STATES = (TaskState.PENDING, TaskState.RETRYABLE)


def backlog(clock: ManualClock, count: int) -> list[Task]:
    """Every kind of task that can stand in front of, among and behind those that a worker can take."""
    tomorrow = clock.now_ms() + TOMORROW
    first = Task(name="held", needs={"gpu"})
    kinds = (
        {},
        {"priority": "low"},
        {"priority": "high", "schedule_at": tomorrow},
        {"priority": "high", "needs": {"gpu"}},
        {"priority": "high", "name": "unwanted"},
        {"priority": "high", "depends_on": [first.id]},
    )
    return [first, *(Task(**{"name": "wanted", **kind}) for _ in range(count) for kind in kinds)]


def filled(url: str, clock: ManualClock, count: int) -> Queue:
    queue = Queue.open(url, config=QueueConfig(sqlite_synchronous="OFF"), clock=clock)
    queue.enqueue(backlog(clock, count))
    queue.enqueue([Task(name="wanted") for _ in range(count)])
    for task in queue.claim(count, names=["wanted"]):
        queue.mark_as_retry(task, "failed", delay=0 if int(task.id[-1], 36) % 2 else 100)
    return queue


def steps_of(queue: Queue, action) -> int:
    """Count the instructions that SQLite's machine runs."""
    counter = itertools.count()
    driver: sqlite3.Connection = queue._store._driver()
    driver.set_progress_handler(lambda: next(counter) and None, 1)
    action()
    driver.set_progress_handler(None, 1)
    return next(counter)


@pytest.mark.parametrize("verb", ["claim", "dequeue", "retry"])
def test_sqlite_claims_in_as_many_steps_from_many_as_from_few(tmp_path, clock, verb):
    steps = []
    for count in (FEW, MANY):
        with filled(f"sqlite:///{tmp_path}/{count}.db", clock, count) as queue:
            claim = partial(getattr(queue, verb), 5, names=["wanted"])
            steps.append(steps_of(queue, claim))
            assert queue.counts()[TaskState.PROCESSING] == 5
    few, many = steps
    assert many <= few * 1.02


def test_sqlite_completes_in_as_many_steps_whatever_waits(tmp_path, clock):
    steps = []
    for count in (FEW, MANY):
        with filled(f"sqlite:///{tmp_path}/{count}.db", clock, count) as queue:
            held = queue.claim(5, names=["wanted"])
            steps.append(steps_of(queue, partial(queue.complete, held)))
    assert steps[1] <= steps[0] * 1.02


def taking(sql: Sql, clock: ManualClock, state: TaskState) -> tuple[str, dict[str, object]]:
    """Return the statement of a claim from two lanes, and its parameters."""
    spots = [Spot(5, state, lane(name), name, False, None) for name in ("wanted", "nobody")]
    text, defaults = _take_first(sql, spots).on(sql)
    return text, {**defaults, **sql.first_due_parameters(spots), "now": clock.now_ms(), "most": 5, "worker_id": "w"}


def test_sqlite_walks_the_claim_index_only(sqlite_url, clock):
    with filled(sqlite_url, clock, FEW) as queue:
        driver = queue._store._driver()
        for state, index in ((TaskState.PENDING, "tasks_pending"), (TaskState.RETRYABLE, "tasks_retryable")):
            statement, parameters = taking(SqliteSql(), clock, state)
            plan = [row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()]
            seek = f"SEARCH tasks USING INDEX {index} (lane=? AND effective_priority=? AND due_at<?)"
            touching = [line for line in plan if " tasks" in line]
            assert touching == ["SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)", seek, seek]
        hops = [row[3] for row in driver.execute(f"EXPLAIN QUERY PLAN {spots_query(SqliteSql, STATES)}").fetchall()]
    for index in ("tasks_pending", "tasks_retryable"):
        walks = [line for line in hops if index in line]
        assert sorted(line.partition("INDEX ")[2] for line in walks) == [
            index,  # the first hop: the head of the index
            f"{index} (lane=? AND effective_priority>?)",
            f"{index} (lane>?)",
        ]


def nodes(plan: dict) -> list[dict]:
    return [plan, *(node for child in plan.get("Plans", ()) for node in nodes(child))]


def explained(url: str, sql: str, parameters: dict | None = None) -> list[dict]:
    with psycopg.connect(url) as connection:
        (found,) = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", parameters).fetchone()
        connection.rollback()
    return nodes(found[0]["Plan"])


@pytest.fixture
def crowded(postgres_url, clock):
    with filled(postgres_url, clock, MANY):
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("ANALYZE")
        yield postgres_url


@pytest.mark.parametrize("state", STATES)
def test_postgres_seeks_the_due_rows_of_each_lane_and_level(crowded, clock, state):
    found = explained(crowded, *taking(PostgresSql(), clock, state))
    lines, rows = [], []
    for node in found:
        if node.get("Relation Name") == "tasks" and "Index Name" in node:
            (lines if node["Index Name"].startswith("tasks_pend") or "retry" in node["Index Name"] else rows).append(
                node
            )
    (line,) = lines
    assert line["Index Name"] == f"tasks_{state.name.lower()}"
    assert all(column in line["Index Cond"] for column in ("lane", "effective_priority", "due_at"))
    assert line["Actual Rows"] * line["Actual Loops"] <= 5
    assert line.get("Rows Removed by Filter", 0) == 0
    assert [(node["Index Name"], node["Actual Rows"], node["Actual Loops"]) for node in rows] == [("tasks_pkey", 1, 5)]
    assert not any(node["Node Type"] == "Seq Scan" for node in found)


def test_postgres_hops_from_lane_to_lane(crowded):
    found = explained(crowded, spots_query(PostgresSql, STATES))
    scans = [node for node in found if node.get("Relation Name") == "tasks"]
    assert scans
    for scan in scans:
        assert scan["Node Type"] in ("Index Scan", "Index Only Scan")
        assert scan["Index Name"] in ("tasks_pending", "tasks_retryable")
        assert scan["Actual Rows"] <= 1
        assert scan.get("Rows Removed by Filter", 0) == 0
    assert sum(scan["Actual Rows"] * scan["Actual Loops"] for scan in scans) < 15


@pytest.mark.parametrize("statement", [finishing._complete_many, finishing._beat])
def test_postgres_reports_by_id_even_before_it_has_statistics(postgres_url, clock, statement):
    """Not through the index of all that runs, which a busy queue fills with the dead rows of what ran before."""
    text, defaults = statement.on(PostgresSql())
    with filled(postgres_url, clock, MANY) as queue:
        running, mine = queue.claim(FEW), queue.claim(5)
        held = {"held": as_json((task.id, task.lease) for task in mine), "now": clock.now_ms()}
        with queue._store._writing() as session:
            (plan,) = session.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {text}", {**defaults, **held}).fetchone()
    found = nodes(plan[0]["Plan"])
    scans = [node for node in found if node.get("Relation Name") == "tasks" and "Scan" in node["Node Type"]]
    assert len(running) > len(mine)
    assert [(node.get("Index Name"), node["Actual Rows"], node["Actual Loops"]) for node in scans] == [
        ("tasks_pkey", 1, 5)
    ]


def test_the_write_ahead_log_stays_small_under_a_reader(tmp_path):
    """Reads are short, so they never keep SQLite from folding its log back into the file."""
    with Queue.open(f"sqlite:///{tmp_path}/queue.db") as queue:
        for _ in range(40):
            queue.enqueue([Task() for _ in range(250)])
            queue.snapshot()
            while tasks := queue.claim(50):
                queue.complete(tasks)
        assert (tmp_path / "queue.db-wal").stat().st_size < 16 * 1024 * 1024
