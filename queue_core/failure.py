"""What is kept of a failure, whatever it is made of?"""

from __future__ import annotations

import traceback

from queue_core.errors import TaskTimeoutError, WorkerDied
from queue_core.task import TaskError
from queue_core.text import clean


def kind_of(error: BaseException | str) -> str:
    """Return the name under which failures like this one are counted."""
    return "Error" if isinstance(error, str) else clean(type(error).__name__, 200)


def describe(error: BaseException | str, attempt: int, now: int, most_chars: int, kind: str | None = None) -> TaskError:
    """Return an error that any database can store: cleaned of NULs and lone surrogates, and capped."""
    trace = None
    if isinstance(error, BaseException) and error.__traceback__:
        trace = clean("".join(traceback.format_exception(error)), most_chars)  # never raises, whatever str does
    return TaskError(
        attempt=attempt,
        at=now,
        type=kind or kind_of(error),
        message=clean(words_of(error), most_chars),
        traceback=trace,
        step=error.step if isinstance(error, TaskTimeoutError | WorkerDied) else None,
    )


def words_of(error: BaseException | str) -> str:
    """Return the message of an error, whatever its class does when it is asked for one."""
    try:
        return str(error)
    except Exception as broken:  # noqa: BLE001 (the task must be able to end, whatever its error is made of)
        return f"(its message can't be read: {type(broken).__name__})"
