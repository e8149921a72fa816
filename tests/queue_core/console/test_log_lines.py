"""A person who watches workers sees one short line for each event."""

import logging
import sys

import click
import pytest

from queue_core.console.log_lines import LogLines
from queue_core.logs import FACTS

ENDED = {
    "event": "task completed", "task_id": "01K", "name": "command", "what": "make all", "worker_id": "w1",
    "trace_id": "t1", "attempt": 1, "seconds": 0.04,
}  # fmt: skip


def line(*, level: int = logging.INFO, is_coloured: bool = False, **facts: object) -> str:
    record = logging.LogRecord("queue_core.x", level, "", 0, "", (), None)
    setattr(record, FACTS, {key: value for key, value in facts.items() if value is not None})
    return LogLines(is_coloured=is_coloured).format(record)


def said(**facts: object) -> str:
    """Return what a line says after its time."""
    time, _, rest = line(**facts).partition("  ")
    assert len(time) == 8
    return rest


def test_a_task_is_told_by_its_command_or_its_name_and_no_worker_is():
    assert said(**ENDED) == "completed   01K    40ms  make all"
    assert said(**{**ENDED, "what": None, "name": "child"}) == "completed   01K    40ms  child"


def test_of_a_task_whose_worker_died_less_is_known():
    known = {"event": "task given back", "task_id": "01K", "worker_id": "w1", "reason": "its worker ended"}
    assert said(**known) == "given back  01K          its worker ended"


def test_an_attempt_is_told_from_the_second_on():
    assert said(**{**ENDED, "attempt": 2}).endswith("make all  attempt 2")


def test_of_a_reason_the_last_line_that_says_something_is_told():
    failed = {**ENDED, "event": "task failed and will be tried again", "reason": "exited with 2: x\ncc: no file\n \n"}
    assert said(**failed) == "failed      01K    40ms  make all  cc: no file"
    assert len(said(**{**failed, "reason": "y" * 5000})) < 260


def test_draining_says_what_a_second_interrupt_does():
    assert said(event="draining", workers=2) == (
        "info        draining 2 workers: what runs is finished; a second Ctrl-C ends all at once"
    )


def test_other_events_keep_their_facts_but_ids_of_workers():
    told = said(level=logging.WARNING, event="worker died", worker_id="w1", how="was killed by SIGKILL", tasks=["01K"])
    assert told == "warning     worker died how=was killed by SIGKILL tasks=['01K']"


@pytest.mark.parametrize(
    ("event", "colour"), [("task completed", "green"), ("task discarded", "red"), ("task cancelled", "cyan")]
)
def test_a_terminal_gets_colours(event, colour):
    facts = {**ENDED, "event": event}
    coloured = line(is_coloured=True, **facts)
    assert click.style(event.removeprefix("task ").ljust(10), fg=colour) in coloured
    assert click.unstyle(coloured)[8:] == line(**facts)[8:]


def test_what_a_command_is_made_of_can_not_steer_a_terminal():
    assert "\x1b" not in line(**{**ENDED, "what": "printf '\x1b[2J'"})


def test_a_trace_of_another_library_is_told_in_full():
    try:
        int("x")
    except ValueError:
        record = logging.LogRecord("other", logging.ERROR, "", 0, "it %s", ("broke",), sys.exc_info())
    head, *trace = LogLines().format(record).splitlines()
    assert head.endswith("error       it broke")
    assert "ValueError" in trace[-1]
