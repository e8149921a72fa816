"""How is much said in a few words?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from queue_core.task import Task

_MOST_WORDS = 200


def cut(text: str, most: int) -> str:
    """Return text of at most so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def last_line(text: str, most: int = _MOST_WORDS) -> str:
    """Return the last line that says something: of an error's output, that is mostly the reason."""
    said = [line for line in text.splitlines() if line.strip()]
    return cut(said[-1].strip(), most) if said else ""


def work_of(task: Task) -> str:
    """Say what a task does: its command, or the call of its function."""
    fields = [item.model_extra or {} for item in task.items]
    for each in fields:
        if command := each.get("command"):
            return str(command)
    if len(fields) != 1:
        return f"{task.name}: {len(fields)} items"
    arguments = ", ".join(f"{name}={cut(repr(value), 50)}" for name, value in fields[0].items())
    return cut(f"{task.name}({arguments})", _MOST_WORDS)
