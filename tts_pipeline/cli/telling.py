"""What are people told of what workers have to say?"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from queue_core.console.shown import printable
from queue_core.logs import FACTS
from tts_pipeline.cli.outage import Outage
from tts_pipeline.stages.patience import AWAY

_WORDS = {
    "task failed and will be tried again": "will be tried again: {reason}",
    "task discarded": "given up: {reason}",
    "worker died": "a worker ended ({how}); what it did is done again",
    "worker killed": "a worker was ended: {reason}",
    "the store is away": "the database is away: {reason}; waiting for it",
    AWAY: "{reason}; waiting for it",
}
"""What people are told of the events of workers; of others that are no warnings, nothing."""
_OUTAGES = {"the store is away", AWAY}
_LOGGERS = ("queue_core", "tts_pipeline")


@contextmanager
def told(say: Callable[[str], object], outage: Outage) -> Iterator[None]:
    """Tell of what workers log from warnings on; what is away is told once."""
    handler = _Teller(say, outage)
    with ExitStack() as stack:
        for name in _LOGGERS:
            stack.enter_context(_heard(logging.getLogger(name), handler))
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


class _Teller(logging.Handler):
    """Says each event in a line."""

    def __init__(self, say: Callable[[str], object], outage: Outage) -> None:
        super().__init__()
        self._say, self._outage = say, outage

    def emit(self, record: logging.LogRecord) -> None:
        facts = defaultdict(str, getattr(record, FACTS, None) or {"event": record.getMessage()})
        words = _WORDS.get(facts["event"])
        if words is None and record.levelno < logging.WARNING:
            return
        if facts["event"] in _OUTAGES and not self._outage.note(facts["reason"]):
            return
        try:
            self._say(printable((words or "{event} {reason}").format_map(facts).strip()))
        except Exception:  # noqa: BLE001 (logging's own way with what can't be logged)
            self.handleError(record)
