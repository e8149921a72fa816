"""Which words of queuectl's own stand for values?"""

from __future__ import annotations

from collections.abc import Iterable

from queue_core.console.parameters import Word
from queue_core.states import TaskState

STATES = {state.name.lower(): state for state in TaskState} | {
    "failed": TaskState.RETRYABLE,
    "dead": TaskState.DISCARDED,
}
"""The states by their names, and by the other words that people know them by."""


def _state(word: str) -> TaskState:
    found = STATES.get(word.lower())
    if found is None:
        raise ValueError(f"{word!r} is not one of {', '.join(STATES)}")
    return found


def _final(word: str) -> TaskState:
    state = _state(word)
    if not state.is_final:
        raise ValueError(f"{word!r} is not over: say completed, cancelled or dead")
    return state


def _level(word: str) -> int | str:
    from queue_core.config import QueueConfig

    config, text = QueueConfig(), word.lower()
    level = int(text) if text.removeprefix("-").isdecimal() else text
    if config.level(level) is None:
        raise ValueError(f"{word!r} is not one of {config.known_priorities()}")
    return level


def _labels() -> Iterable[str]:
    from queue_core.config import QueueConfig

    return QueueConfig().priorities


STATE = Word("STATE", _state, lambda: STATES)
FINAL_STATE = Word("STATE", _final, lambda: ("completed", "cancelled", "dead"))
LEVEL = Word("PRIORITY", _level, _labels)
