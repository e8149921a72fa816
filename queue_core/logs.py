"""How do logs of the queue and its workers look?

The library speaks through Python's own logging, with the facts of each event as fields of the
record; who runs it decides what becomes of them. `configure` is for programs: one line per event for
people, or one JSON object for machines.
"""

from __future__ import annotations

import logging
from typing import Any

FACTS = "facts"
"""The field of a record that holds the facts of its event."""


def log(logger: logging.Logger, level: int, event: str, **facts: Any) -> None:
    """Log an event with its facts."""
    if logger.isEnabledFor(level):
        known = {key: value for key, value in facts.items() if value is not None}
        words = " ".join(f"{key}={value}" for key, value in known.items())
        logger.log(level, "%s", f"{event} {words}".rstrip(), extra={FACTS: {"event": event, **known}})


def configure(*, json: bool = False, level: str = "INFO", formatter: logging.Formatter | None = None) -> None:
    """Write the logs of this program to its standard error, as JSON or as the formatter has it."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter if formatter and not json else _structured(json=json))
    logging.basicConfig(handlers=[handler], level=level, force=True)


def _structured(*, json: bool) -> logging.Formatter:
    import structlog  # noqa: PLC0415 (programs alone need it)

    renderer: Any = structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    shared: list[Any] = [
        _with_facts,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    final = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.format_exc_info, renderer]
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=final)


def _with_facts(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """Take the facts of an event from its record, in the place of the words made of them."""
    record = event["_record"]
    trace = {"exception": record.exc_text} if record.exc_text and not record.exc_info else {}
    return {**event, **trace, **(getattr(record, FACTS, None) or {})}
