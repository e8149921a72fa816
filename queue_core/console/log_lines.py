"""How does an event of a worker look to people?"""

from __future__ import annotations

import logging
import os
import sys
from datetime import UTC, datetime
from typing import Any

import click

from queue_core.console.durations import rough
from queue_core.console.shortened import last_line
from queue_core.console.shown import printable
from queue_core.logs import FACTS, configure

_ENDS = {
    "task completed": ("completed", "green"),
    "task failed and will be tried again": ("failed", "yellow"),
    "task discarded": ("discarded", "red"),
    "task cancelled": ("cancelled", "cyan"),
    "task given back": ("given back", "cyan"),
    "report refused: the lease was lost": ("lost", "yellow"),
}
"""The word for each end of a task, and its colour."""
_COLOURS = {logging.WARNING: "yellow", logging.ERROR: "red", logging.CRITICAL: "red"}
_WIDTH = max(len(word) for word, _ in _ENDS.values())
_FOR_MACHINES = frozenset({"event", "reason", "worker_id", "trace_id"})


def configure_logs(*, as_json: bool, level: str) -> None:
    """Write the logs of this program to its standard error: for machines, or a line for each event."""
    is_coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    configure(json=as_json, level=level.upper(), formatter=LogLines(is_coloured=is_coloured))


class LogLines(logging.Formatter):
    """Writes one short line per event; `--log-json` has all of its facts."""

    def __init__(self, *, is_coloured: bool = False) -> None:
        super().__init__()
        self._is_coloured = is_coloured

    def format(self, record: logging.LogRecord) -> str:
        facts = getattr(record, FACTS, None) or {"event": record.getMessage()}
        word, colour = _ENDS.get(facts["event"], ("", None))
        said = _end(facts) if word else _event(facts)
        time = datetime.fromtimestamp(record.created, tz=UTC).astimezone()
        head = self._coloured(f"{word or record.levelname.lower():<{_WIDTH}}", colour or _COLOURS.get(record.levelno))
        return f"{time:%H:%M:%S}  {head}  {printable(said)}{self._trace(record)}"

    def _coloured(self, word: str, colour: str | None) -> str:
        return click.style(word, fg=colour) if self._is_coloured and colour else word

    def _trace(self, record: logging.LogRecord) -> str:
        trace = self.formatException(record.exc_info) if record.exc_info else record.exc_text
        return "".join(f"\n  {printable(line)}" for line in (trace or "").splitlines())


def _end(facts: dict[str, Any]) -> str:
    attempt = f"attempt {facts['attempt']}" if facts.get("attempt", 0) > 1 else ""
    took = rough(facts["seconds"]) if "seconds" in facts else ""  # nobody knows of a task whose worker died
    parts = [f"{took:>6}", facts.get("what") or facts.get("name"), attempt, _reason(facts)]
    return "  ".join([facts["task_id"], *(part for part in parts if part)])


def _event(facts: dict[str, Any]) -> str:
    if facts["event"] == "draining":
        return f"draining {_workers(facts['workers'])}: what runs is finished; a second Ctrl-C ends all at once"
    told = (f"{key}={value}" for key, value in facts.items() if key not in _FOR_MACHINES)
    return " ".join(part for part in (facts["event"], *told, _reason(facts)) if part)


def _reason(facts: dict[str, Any]) -> str:
    return last_line(str(facts.get("reason") or ""))


def _workers(count: int) -> str:
    return "1 worker" if count == 1 else f"{count} workers"
