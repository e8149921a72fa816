"""The pure parts: ids, clocks, backoff, rates, settings."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from ulid import ULID

from queue_core import PriorityPolicy, Promotion, QueueConfig, Task, TaskState
from queue_core.backoff import backoff
from queue_core.clock import ManualClock, ServerClock, SystemClock
from queue_core.encoding import lane, lane_parts
from queue_core.failure import describe
from queue_core.ids import IdFactory, new_id
from queue_core.rate import WINDOW_SECONDS, budget, spend
from queue_core.text import clean, flaw


def test_ids_grow_within_a_millisecond():
    make = IdFactory(ManualClock())
    ids = [make() for _ in range(5000)]
    assert ids == sorted(set(ids))


def test_ids_grow_past_the_end_of_their_counter():
    make = IdFactory(ManualClock())
    make()
    make._tail = (1 << 20) - 3
    ids = [make() for _ in range(6)]
    assert ids == sorted(set(ids))


def test_ids_grow_when_the_clock_steps_back():
    clock = ManualClock()
    make = IdFactory(clock)
    first = make()
    clock.advance(-3600)
    assert make() > first


def test_ids_are_ulids_of_their_time():
    clock = ManualClock()
    assert ULID.from_str(IdFactory(clock)()).milliseconds == clock.now_ms()
    assert len(new_id()) == 26


def test_ids_are_unique_over_threads():
    with ThreadPoolExecutor(8) as pool:
        ids = [task_id for part in pool.map(lambda _: [new_id() for _ in range(2000)], range(8)) for task_id in part]
    assert len(set(ids)) == 16_000


def test_a_forked_child_makes_other_ids():
    new_id()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writer, new_id().encode())
        os._exit(0)
    os.waitpid(pid, 0)
    mine, theirs = new_id(), os.read(reader, 26).decode()
    os.close(reader)
    os.close(writer)
    assert mine[:-4] != theirs[:-4]


def test_the_system_clock_is_wall_time_and_never_runs_back():
    clock = SystemClock()
    before = clock.now_ms()
    assert abs(before - time.time_ns() // 1_000_000) < 5000
    assert clock.now_ms() >= before


def test_a_changed_wall_clock_disturbs_nothing(monkeypatch):
    clock = SystemClock()
    before = clock.now_ms()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert 0 <= clock.now_ms() - before < 60_000


def test_the_servers_clock_wins_over_ours_and_never_runs_back(monkeypatch):
    samples = iter([1_000_000, 500_000])
    clock = ServerClock(lambda: next(samples))
    first = clock.now_ms()
    assert 1_000_000 <= first < 1_060_000
    monkeypatch.setattr("queue_core.clock.RESAMPLE_SECONDS", -1)
    assert clock.now_ms() >= first


@given(attempt=st.integers(1, 10_000), base=st.floats(0, 1e6), multiplier=st.floats(1, 100), most=st.floats(0, 1e6))
def test_a_backoff_never_passes_the_maximum(attempt, base, multiplier, most):
    config = QueueConfig(retry_base_delay=base, retry_backoff_multiplier=multiplier, max_retry_delay=most)
    assert 0 <= backoff(attempt, config) <= most


def test_a_backoff_grows_to_the_maximum():
    assert [backoff(attempt, QueueConfig()) for attempt in (1, 2, 3, 6, 7, 100, 10_000)] == [
        60,
        120,
        240,
        1920,
        3600,
        3600,
        3600,
    ]


@given(st.lists(st.tuples(st.integers(0, 90_000), st.integers(1, 10)), max_size=60), st.integers(1, 20))
def test_no_minute_ever_sees_more_than_the_limit(requests, per_minute):
    now, recent, taken = 0, [], []
    for pause, wanted in requests:
        now += pause
        got = min(wanted, budget(recent, per_minute, now))
        recent = spend(recent, got, now)
        taken.append((now, got))
    for start, _ in taken:
        assert sum(got for at, got in taken if start <= at < start + WINDOW_SECONDS * 1000) <= per_minute


@given(st.text(min_size=1), st.frozensets(st.text()))
def test_a_lane_names_what_it_was_made_of(name, needs):
    if any(map(flaw, (name, *needs))):
        with pytest.raises(ValueError, match="can't be stored"):
            lane(name, needs)
    else:
        assert lane_parts(lane(name, needs)) == (name, needs)


@given(st.text(), st.integers(100, 500))
def test_cleaned_text_can_be_stored(text, most):
    cleaned = clean(text * 20, most)
    assert flaw(cleaned) is None
    assert len(cleaned) <= most


def test_a_traceback_is_capped_in_its_middle():
    try:
        int("x" * 100_000)
    except ValueError as error:
        found = describe(ValueError("x" * 9999).with_traceback(error.__traceback__), 1, 0, 1000)
    assert len(found.traceback) <= 1000
    assert found.traceback.startswith("Traceback")
    assert "characters left out" in found.traceback


def test_the_settings_have_the_defaults_of_the_plan():
    found = QueueConfig()
    assert found.database_url == "sqlite:///data/queue.db"
    assert (found.default_max_attempts, found.default_visibility_timeout, found.batch_size) == (3, 3600, 100)
    assert (found.retry_backoff_multiplier, found.retry_base_delay, found.max_retry_delay) == (2.0, 60, 3600)
    assert found.sqlite_synchronous == "FULL"
    assert found.retention[TaskState.DISCARDED] == 30 * 86_400


@pytest.mark.parametrize(
    "settings",
    [
        {"default_max_attempts": 0},
        {"default_visibility_timeout": 0},
        {"retry_backoff_multiplier": 0.5},
        {"retry_base_delay": -1},
        {"batch_size": 0},
        {"max_pending": 0},
        {"unknown": 1},
        {"retry_base_delay": float("nan")},
        {"sqlite_synchronous": "MAYBE"},
        {"retention": {TaskState.PENDING: 1}},
        {"promotions": [Promotion(source="low", target="urgent", after_seconds=1)]},
        {"promotions": [Promotion(source="high", target="low", after_seconds=1)]},
        {"priority_policies": {"urgent": PriorityPolicy(max_attempts=1)}},
        {"priorities": {"high": 0}},
    ],
)
def test_senseless_settings_are_refused(settings):
    with pytest.raises(ValidationError):
        QueueConfig(**settings)


def test_a_new_task_says_nothing_about_its_future():
    task = Task()
    assert (task.state, task.lease, task.due_at, task.errors) == (TaskState.PENDING, 0, None, ())
