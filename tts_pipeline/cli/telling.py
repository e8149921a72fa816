"""What are people told of what workers have to say?"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from queue_core.console.shown import printable
from queue_core.logs import FACTS
from tts_pipeline.cli.outage import Outage
from tts_pipeline.cli.spoken import sentence
from tts_pipeline.stages.patience import AWAY

_QUEUE_AWAY, _QUEUE_BACK = "the store is away", "the store is back"
_WORDS = {
    "task failed and will be tried again": "will be tried again: {reason}",
    "task discarded": "given up: {reason}",
    "worker died": "a worker ended ({how}); what it did is done again",
    "worker killed": "a worker was ended: {reason}",
    _QUEUE_AWAY: "the database is away: {reason}; waiting for it",
    AWAY: "{reason}; waiting for it",
}
"""What people are told of the events of workers; of others that are no warnings, nothing."""
_OUTAGES = {_QUEUE_AWAY, AWAY}
_STEP = re.compile(r" at step (\d+)")
_LOGGERS = ("queue_core", "tts_pipeline")


@contextmanager
def told(teller: Teller) -> Iterator[None]:
    """Tell of what workers log from warnings on."""
    with ExitStack() as stack:
        for name in _LOGGERS:
            stack.enter_context(_heard(logging.getLogger(name), teller))
        yield


@contextmanager
def _heard(logger: logging.Logger, handler: logging.Handler) -> Iterator[None]:
    before, propagates = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        logger.propagate = propagates


class Teller(logging.Handler):
    """Says each event in a line; what is away, once."""

    def __init__(self, say: Callable[[str], object], outage: Outage, whose: Callable[[str], str]) -> None:
        """`whose` gives what is said before a line about a task: its book, where several are at work."""
        super().__init__()
        self._say, self._outage, self._whose = say, outage, whose

    def emit(self, record: logging.LogRecord) -> None:
        facts = defaultdict(str, getattr(record, FACTS, None) or {"event": record.getMessage()})
        words = _WORDS.get(facts["event"])
        if (words is None and record.levelno < logging.WARNING) or self._is_old(facts):
            return
        try:
            line = _counted_from_one((words or "{event} {reason}").format_map(facts)).strip()
            self._say(printable(self._about(facts) + line))
        except Exception:  # noqa: BLE001 (logging's own way with what can't be logged)
            self.handleError(record)

    def _is_old(self, facts: Mapping[str, Any]) -> bool:
        """Note outages and their ends; return whether people know of it."""
        event = facts["event"]
        if event == _QUEUE_BACK:
            self._outage.note_back()
            return True
        return event in _OUTAGES and not self._outage.note(facts["reason"], is_queue=event == _QUEUE_AWAY)

    def _about(self, facts: Mapping[str, Any]) -> str:
        tasks = facts["tasks"] or [facts["task_id"]]
        return self._whose(tasks[0]) if tasks[0] and facts["event"] not in _OUTAGES else ""


def _counted_from_one(words: str) -> str:
    """Name the step at which a worker ended as people do: it is the place of a sentence."""
    return _STEP.sub(lambda found: f" at {sentence(int(found[1]))}", words)
