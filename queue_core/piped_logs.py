"""How do the logs of a child reach the log of its supervisor?"""

from __future__ import annotations

import json
import logging
import select
from multiprocessing.connection import Connection
from typing import Any

from queue_core.logs import FACTS

_LONGEST = 16_000
"""Of one record, in bytes: more is sent in two parts, and who reads the first waits for the second, which may never
come from a process that hangs."""


class PipeHandler(logging.Handler):
    """Sends records as JSON; drops what the supervisor has no room for, so that no worker waits for its log."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__()
        self._pipe = pipe
        self._poll = select.poll()
        self._poll.register(pipe.fileno(), select.POLLOUT)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if self._poll.poll(0):
                self._pipe.send_bytes(_packed(record))
        except OSError:
            pass  # the supervisor is gone: this process ends any moment
        except Exception:  # noqa: BLE001 (logging's own way with what can't be logged)
            self.handleError(record)


def _packed(record: logging.LogRecord) -> bytes:
    said: dict[str, Any] = {
        "name": record.name,
        "levelno": record.levelno,
        "levelname": record.levelname,
        "msg": record.getMessage(),
        "created": record.created,
        "process": record.process,
        FACTS: getattr(record, FACTS, None),
        "exc_text": logging.Formatter().formatException(record.exc_info) if record.exc_info else None,
    }
    packed = json.dumps(said, default=str).encode()
    if len(packed) <= _LONGEST:
        return packed
    return json.dumps({**said, "msg": said["msg"][:1000], "exc_text": None, FACTS: None}).encode()


def relay(packed: bytes) -> logging.LogRecord:
    """Hand a child's record to the loggers of this process, as if it had been said here; return it."""
    said = {key: value for key, value in json.loads(packed).items() if value is not None}
    record = logging.makeLogRecord(said)
    logger = logging.getLogger(record.name)
    if logger.isEnabledFor(record.levelno):
        logger.handle(record)
    return record
