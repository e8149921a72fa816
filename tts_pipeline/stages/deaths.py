"""At which steps of a task did workers die?"""

from __future__ import annotations

from collections import Counter

from queue_core import Task


def deaths_of(task: Task) -> Counter[int]:
    """Count the workers that died at each step of a task, back to where its attempts began anew: at a resume."""
    deaths: Counter[int] = Counter()
    attempt = task.attempt_count
    for error in reversed(task.errors):
        if error.attempt >= attempt:
            break
        attempt = error.attempt
        if error.step is not None:
            deaths[error.step] += 1
    return deaths
