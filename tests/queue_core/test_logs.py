"""What do the queue and its workers say, and who hears it?"""

from __future__ import annotations

import json
import logging
import multiprocessing
import subprocess
import sys

import pytest

from queue_core.endings import Ending
from queue_core.journal import tell
from queue_core.ledger import Report
from queue_core.logs import FACTS, configure, log
from queue_core.piped_logs import PipeHandler, relay
from queue_core.states import TaskState
from queue_core.task import Task, TaskItem

logger = logging.getLogger("queue_core.test")

PROGRAM = """
import logging, sys
from queue_core.logs import configure, log
configure(json="json" in sys.argv)
log(logging.getLogger("queue_core.x"), logging.WARNING, "task failed", task_id="01", trace_id=None, seconds=0.5)
log(logging.getLogger("queue_core.x"), logging.DEBUG, "too much detail")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("other.library").exception("it broke")
"""


def said(*arguments: str) -> list[str]:
    run = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
    assert not run.stdout
    return run.stderr.splitlines()


def test_a_program_logs_one_json_object_per_event():
    first, second = map(json.loads, said("json"))
    assert {key: first[key] for key in ("event", "level", "task_id", "seconds")} == {
        "event": "task failed",
        "level": "warning",
        "task_id": "01",
        "seconds": 0.5,
    }
    assert "trace_id" not in first
    assert first["timestamp"].endswith("Z")
    assert second["event"] == "it broke"
    assert "ZeroDivisionError" in second["exception"]


def test_a_program_logs_one_line_per_event_for_people():
    first, *rest = said()
    assert "task failed" in first
    assert "task_id=01" in first
    assert "\x1b" not in first
    assert any("ZeroDivisionError" in line for line in rest)


def test_a_program_may_have_lines_of_its_own(capsys):
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers.clear()
    try:
        configure(formatter=logging.Formatter("%(levelname)s! %(message)s"))
        log(logger, logging.WARNING, "task failed", task_id="01")
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    assert capsys.readouterr().err == "WARNING! task failed task_id=01\n"


@pytest.mark.parametrize(
    ("items", "what"),
    [
        ([TaskItem(command="\n make all \nmake more")], "make all"),
        ([TaskItem(command="x" * 100)], "x" * 59 + "…"),
        ([TaskItem(number=3)], None),
        ([], None),
    ],
)
def test_the_end_of_a_task_is_told_with_the_first_line_of_its_command(caplog, items, what):
    caplog.set_level("INFO", "queue_core")
    task = Task(items=items)
    tell("w1", Report(task, Ending.completed(task), 0.5), TaskState.COMPLETED)
    assert getattr(caplog.records[0], FACTS).get("what") == what


@pytest.fixture
def pipe():
    here, there = multiprocessing.Pipe()
    handler = PipeHandler(there)
    yield here, handler
    here.close()
    there.close()


def record(event: str, **facts: object) -> logging.LogRecord:
    return logging.makeLogRecord(
        {"name": "queue_core.child", "levelno": 30, "levelname": "WARNING", "msg": event, FACTS: facts}
    )


def test_a_record_reaches_the_loggers_of_another_process_with_its_facts(pipe, caplog):
    here, handler = pipe
    handler.emit(record("task failed", task_id="01"))
    relay(here.recv_bytes())
    (heard,) = caplog.records
    assert (heard.name, heard.levelname, heard.getMessage()) == ("queue_core.child", "WARNING", "task failed")
    assert getattr(heard, FACTS) == {"task_id": "01"}


def test_the_trace_of_an_error_comes_along(pipe):
    here, handler = pipe
    try:
        int("no number")
    except ValueError:
        broken = logging.LogRecord("queue_core.child", logging.ERROR, "", 0, "it broke", (), sys.exc_info())
    handler.emit(broken)
    assert "ValueError: invalid literal" in (relay(here.recv_bytes()).exc_text or "")


def test_what_has_no_room_is_dropped_and_nobody_waits(pipe):
    here, handler = pipe
    for _ in range(10_000):
        handler.emit(record("x" * 1000))
    assert 0 < sum(1 for _ in iter(lambda: here.poll() and here.recv_bytes(), False)) < 10_000


def test_a_huge_record_is_cut(pipe):
    here, handler = pipe
    handler.emit(record("x" * 1_000_000))
    assert len(relay(here.recv_bytes()).getMessage()) == 1000


def test_a_record_for_nobody_is_no_error(pipe):
    here, handler = pipe
    here.close()
    handler.emit(record("into the void"))


def test_facts_that_are_not_there_are_not_said(caplog):
    caplog.set_level("INFO", "queue_core")
    log(logger, logging.INFO, "claimed", task_id="01", trace_id=None)
    (heard,) = caplog.records
    assert heard.getMessage() == "claimed task_id=01"
    assert getattr(heard, FACTS) == {"event": "claimed", "task_id": "01"}
