"""Which words of queuectl's own stand for values?"""

from __future__ import annotations

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


STATE = Word("STATE", _state, lambda: STATES)
FINAL_STATE = Word("STATE", _final, lambda: ("completed", "cancelled", "dead"))
