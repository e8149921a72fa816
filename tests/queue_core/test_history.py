"""Does the judge of histories let good ones pass, and flag each kind of bad one?"""

import json

import pytest

from queue_core import TaskState

from . import history as judge
from .history import Call, History, Row, read_log

PATIENCE = 10.0
COMPLETED = Row(TaskState.COMPLETED, 1, 1)


def call(
    verb: str, at: float, *leases: tuple[str, int], by: str = "one", refused: tuple = (), took: float = 0.5
) -> Call:
    return Call(by, verb, at, at + took, leases, frozenset(refused))


def killed(verb: str, at: float, *leases: tuple[str, int], by: str = "one") -> Call:
    return Call(by, verb, at, None, leases)


CLAIMED = call("claim", 1, ("a", 1))
CLAIMED_AGAIN = call("claim", 20, ("a", 2), by="two")

GOOD = {
    "claimed and completed": [CLAIMED, call("complete", 2, ("a", 1))],
    "failed and claimed again": [CLAIMED, call("fail", 2, ("a", 1)), call("claim", 3, ("a", 2))],
    "silent, rescued, late and refused": [CLAIMED, CLAIMED_AGAIN, call("complete", 21, ("a", 1), refused=[("a", 1)])],
    "late, but nobody else had it yet": [CLAIMED, call("complete", 19, ("a", 1))],
    "killed while it failed": [CLAIMED, killed("fail", 2, ("a", 1)), call("claim", 3, ("a", 2), by="two")],
    "killed while it claimed": [killed("claim", 1), call("claim", 15, ("a", 2), by="two")],
    "kept by a heartbeat": [CLAIMED, call("heartbeat", 9, ("a", 1)), call("complete", 18, ("a", 1))],
}
BAD = {
    "handed_out_twice": [CLAIMED, call("claim", 1.1, ("a", 1), by="two")],
    "never_handed_out": [CLAIMED, call("complete", 2, ("a", 7))],
    "handed_out_when_done": [CLAIMED, call("complete", 2, ("a", 1)), CLAIMED_AGAIN],
    "leases_going_back": [call("claim", 1, ("a", 2)), call("claim", 20, ("a", 1))],
    "two_owners": [CLAIMED, call("claim", 3, ("a", 2), by="two")],
    "ended_twice": [CLAIMED, call("fail", 2, ("a", 1)), call("fail", 3, ("a", 1))],
    "accepted_late": [CLAIMED, CLAIMED_AGAIN, call("complete", 21, ("a", 1))],
    "refused_in_time": [CLAIMED, call("complete", 2, ("a", 1), refused=[("a", 1)])],
}
TIMED = {"two_owners", "refused_in_time"}


def found(check: str, calls: list[Call]) -> list[str]:
    patience = (PATIENCE,) if check in TIMED else ()
    return getattr(judge, check)(History(calls), *patience)


@pytest.mark.parametrize("calls", GOOD.values(), ids=GOOD)
@pytest.mark.parametrize("check", BAD)
def test_a_good_history_passes_every_check(check, calls):
    assert found(check, calls) == []


@pytest.mark.parametrize(("check", "calls"), BAD.items(), ids=BAD)
def test_a_bad_history_is_flagged_once(check, calls):
    assert len(found(check, calls)) == 1


def test_a_heartbeat_keeps_its_owner_alive():
    calls = [CLAIMED, call("heartbeat", 9, ("a", 1)), call("claim", 12, ("a", 2), by="two")]
    assert found("two_owners", calls) == ["a: lease 2 was handed out while lease 1 was alive"]


def test_a_refused_heartbeat_is_no_sign_of_life():
    calls = [CLAIMED, call("heartbeat", 15, ("a", 1), refused=[("a", 1)]), CLAIMED_AGAIN]
    assert found("two_owners", calls) == []


def test_a_late_heartbeat_or_failure_that_counts_is_flagged():
    calls = [CLAIMED, CLAIMED_AGAIN, call("heartbeat", 21, ("a", 1)), call("fail", 22, ("a", 1))]
    assert len(found("accepted_late", calls)) == 2


def test_two_completions_under_two_leases_are_flagged():
    calls = [CLAIMED, CLAIMED_AGAIN, call("complete", 21, ("a", 1)), call("complete", 22, ("a", 2))]
    assert found("ended_twice", calls) == ["a was completed under leases [1, 2]"]


def test_what_waits_must_not_be_claimed_before_what_it_waits_for_is_done():
    calls = [CLAIMED, call("claim", 2, ("b", 1)), call("complete", 3, ("a", 1))]
    assert judge.claimed_too_early(History(calls), {"b": ["a"]}) == ["b was handed out before a was done"]
    assert judge.claimed_too_early(History([*calls[::2], call("claim", 4, ("b", 1))]), {"b": ["a"]}) == []


def test_a_task_that_vanished_or_did_not_end_is_lost():
    rows = {"b": Row(TaskState.RETRYABLE, 1, 1), "c": COMPLETED}
    assert judge.lost(["a", "b", "c"], rows, {}) == ["a is not in the store", "b is RETRYABLE, not COMPLETED"]


def test_a_task_may_be_discarded_only_after_its_last_attempt():
    rows = {"a": Row(TaskState.DISCARDED, 3, 3), "b": Row(TaskState.DISCARDED, 2, 2)}
    assert judge.lost(["a", "b"], rows, {"a": 3, "b": 3}) == ["b was discarded after 2 of 3 attempts"]
    assert judge.lost(["a"], rows, {}) == ["a is DISCARDED, not COMPLETED", "b is DISCARDED, not COMPLETED"]


@pytest.mark.parametrize(
    ("calls", "row"),
    [
        ([CLAIMED, call("complete", 2, ("a", 1))], Row(TaskState.DISCARDED, 1, 1)),
        ([CLAIMED, call("complete", 2, ("a", 1)), CLAIMED_AGAIN], Row(TaskState.COMPLETED, 2, 2)),
        ([CLAIMED], COMPLETED),
        ([CLAIMED, CLAIMED_AGAIN], Row(TaskState.DISCARDED, 1, 1)),
        ([CLAIMED], Row(TaskState.DISCARDED, 1, 0)),
    ],
    ids=["other state", "other lease", "nobody completed it", "lease went back", "attempts do not fit"],
)
def test_a_store_that_says_something_else_is_flagged(calls, row):
    assert judge.store_disagrees(History(calls), {"a": row}) != []


@pytest.mark.parametrize("verb", [call, killed])
def test_a_completion_without_an_answer_may_have_counted(verb):
    calls = [CLAIMED, verb("complete", 2, ("a", 1))]
    assert judge.store_disagrees(History(calls), {"a": COMPLETED}) == []


def test_leases_that_nobody_saw_need_claims_without_an_answer():
    rows = {"a": Row(TaskState.COMPLETED, 3, 3)}
    seen = [CLAIMED, call("claim", 40, ("a", 3))]
    assert judge.unexplained_leases(History(seen), rows, batch=5) != []
    assert judge.unexplained_leases(History([*seen, killed("claim", 20)]), rows, batch=5) == []


def test_a_claim_must_not_get_more_than_it_asked_for():
    calls = [call("claim", 1, ("a", 1), ("b", 1))]
    assert judge.too_many_at_once(History(calls), batch=2) == []
    assert judge.too_many_at_once(History(calls), batch=1) == ["one asked for 1 and got 2"]


def test_a_log_is_read_up_to_the_line_that_was_torn():
    lines = [
        json.dumps({"n": 0, "verb": "claim", "at": 1.0, "leases": []}),
        json.dumps({"n": 0, "at": 1.5, "got": [["a", 1], ["b", 2]], "refused": []}),
        json.dumps({"n": 1, "verb": "complete", "at": 2.0, "leases": [["a", 1], ["b", 2]]}),
        json.dumps({"n": 1, "at": 2.5, "got": [], "refused": [["b", 2]]}),
        json.dumps({"n": 2, "verb": "claim", "at": 3.0, "leases": []}),
    ]
    log = [f"{line}\n" for line in lines] + ['{"n": 2, "at": 3.5, "go']
    assert read_log("one", log) == [
        call("claim", 1, ("a", 1), ("b", 2)),
        call("complete", 2, ("a", 1), ("b", 2), refused=[("b", 2)]),
        killed("claim", 3),
    ]
