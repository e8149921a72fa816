"""What is asked for along with a call becomes what the queue understands, or one clear error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from queue_core import InvalidRequest, QueueConfig, Task, TaskItem
from queue_core.bounds import MOST
from queue_core.options import Options, level

NOW = 1_000_000
NAN = float("nan")
OWN_LABELS = QueueConfig(priorities={"express": -100, "normal": 0, "freight": 7}, promotions=())


def task_of(config: QueueConfig | None = None, **asked: object) -> Task:
    return Options(**asked).task("f", TaskItem(), config or QueueConfig(), NOW)


def test_who_asks_for_nothing_gets_a_plain_task():
    assert task_of().model_fields_set == {"name", "items"}
    assert task_of(tags={}, needs=[], depends_on=(), delay_seconds=0).model_fields_set == {"name", "items"}


def test_each_option_is_said_as_the_queue_says_it():
    found = task_of(
        max_retries=2, timeout_seconds=30, priority=10, tags={"a": "b"}, needs=["gpu"], delay_seconds=1.5,
        idempotency_key="k", group_id="g", trace_id="t", depends_on=["1", "2"],
    )  # fmt: skip
    assert (found.max_attempts, found.timeout_seconds, found.priority, found.tags) == (3, 30, 0, {"a": "b"})
    assert (found.needs, found.schedule_at) == ({"gpu"}, NOW + 1500)
    assert (found.idempotency_key, found.group_id, found.trace_id) == ("k", "g", "t")
    assert found.depends_on == ("1", "2")


def test_no_retries_mean_one_attempt():
    assert task_of(max_retries=0).max_attempts == 1
    assert task_of(max_retries=MOST - 1).max_attempts == MOST


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("max_retries", -1),
        ("max_retries", 1.5),
        ("max_retries", True),
        ("max_retries", "3"),
        ("max_retries", MOST),
        ("timeout_seconds", 0),
        ("timeout_seconds", -1),
        ("timeout_seconds", NAN),
        ("timeout_seconds", float("inf")),
        ("timeout_seconds", "30"),
        ("timeout_seconds", True),
        ("priority", 11),
        ("priority", -11),
        ("priority", 2.5),
        ("priority", True),
        ("priority", "urgent"),
        ("priority", ["high"]),
        ("tags", ["a"]),
        ("tags", "a"),
        ("tags", {"a": 1}),
        ("tags", {1: "a"}),
        ("needs", "gpu"),
        ("needs", 5),
        ("needs", [5]),
        ("needs", [["gpu"]]),
        ("needs", [""]),
        ("delay_seconds", -1),
        ("delay_seconds", NAN),
        ("delay_seconds", 1e10),
        ("delay_seconds", "1"),
        ("delay_seconds", True),
        ("idempotency_key", ""),
        ("idempotency_key", 5),
        ("idempotency_key", "k" * 256),
        ("group_id", ""),
        ("group_id", 5),
        ("trace_id", 5),
        ("depends_on", "one id"),
        ("depends_on", 5),
        ("depends_on", [5]),
    ],
)
def test_a_bad_value_gives_one_error_that_names_the_option(option, value):
    with pytest.raises(InvalidRequest) as caught:
        task_of(**{option: value})
    assert caught.value.argument.partition(".")[0] == option
    assert str(caught.value).startswith(option)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("asked", "level_of_the_queue"),
    [(10, 0), (9, 0), (8, 1), (5, 2), (3, 4), (1, 4), (0, 5), (-1, 6), (-3, 6), (-5, 8), (-8, 9), (-10, 10)],
)
def test_a_priority_is_higher_first_here_and_lower_first_there(asked, level_of_the_queue):
    assert task_of(priority=asked).priority == level_of_the_queue


@pytest.mark.parametrize("label", ["high", "normal", "low"])
def test_a_label_is_the_queues_own(label):
    assert task_of(priority=label).priority == label


def test_a_label_of_this_queue_is_known():
    assert task_of(OWN_LABELS, priority="express").priority == "express"
    with pytest.raises(InvalidRequest, match=r"priority: 'high' .* one of express, normal, freight"):
        task_of(OWN_LABELS, priority="high")


@given(st.integers(-10, 10), st.integers(-10, 10), st.sampled_from([QueueConfig(), OWN_LABELS]))
def test_who_asks_for_more_never_gets_less(one, other, config):
    low, high = sorted([one, other])
    assert level(high, config) <= level(low, config)
    assert config.level(level(one, config)) is not None
    assert level(0, config) == config.priorities["normal"]


def test_what_is_asked_goes_over_the_defaults():
    defaults = Options(max_retries=5, timeout_seconds=30, priority="low", tags={"a": "1", "b": "1"}, needs={"gpu"})
    found = Options(max_retries=0, tags={"b": "2", "c": "2"}, delay_seconds=3).over(defaults)
    assert (found.max_retries, found.timeout_seconds, found.priority, found.delay_seconds) == (0, 30, "low", 3)
    assert found.tags == {"a": "1", "b": "2", "c": "2"}
    assert found.needs == {"gpu"}


def test_tags_that_are_no_mapping_are_refused_when_joined():
    with pytest.raises(InvalidRequest, match="tags"):
        Options(tags=["a"]).over(Options(tags={"a": "1"}))


def test_defaults_do_not_change_with_the_lists_that_they_came_from():
    tags, needs = {"a": "1"}, iter(["gpu"])
    kept = Options(tags=tags, needs=needs).as_defaults()
    tags["a"] = "2"
    assert (kept.tags, kept.needs) == ({"a": "1"}, {"gpu"})


@pytest.mark.parametrize("bad", [{"max_retries": -1}, {"timeout_seconds": 0}, {"priority": 11}, {"tags": {"a": 1}}])
def test_bad_defaults_are_refused(bad):
    with pytest.raises(InvalidRequest):
        Options(**bad).as_defaults()


def test_a_label_among_defaults_waits_for_its_queue():
    assert Options(priority="express").as_defaults().priority == "express"
