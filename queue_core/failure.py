"""What is kept of a failure, whatever it is made of?"""

from __future__ import annotations

import traceback

from queue_core.task import TaskError


def describe(error: BaseException | str, attempt: int, now: int, most_chars: int) -> TaskError:
    """Return an error that any database can store: cleaned of NULs and lone surrogates, and capped."""
    if isinstance(error, str):
        return TaskError(attempt=attempt, at=now, type="Error", message=clean(error, most_chars))
    trace = "".join(traceback.format_exception(error)) if error.__traceback__ else None
    return TaskError(
        attempt=attempt,
        at=now,
        type=clean(type(error).__name__, 200),
        message=clean(str(error), most_chars),
        traceback=trace and clean(trace, most_chars),
    )


def clean(text: str, most_chars: int) -> str:
    """Return text that can be stored, its middle left out where it is too long."""
    if len(text) > most_chars:
        half = (most_chars - 40) // 2
        text = f"{text[:half]} … {len(text) - 2 * half} characters left out … {text[-half:]}"
    return text.replace("\0", "�").encode(errors="replace").decode()
