"""How are lengths and numbers written?"""

from __future__ import annotations


def clock(seconds: float) -> str:
    """Write a length as players do: 1:02:03 or 2:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def sentence(number: int) -> str:
    """Name a sentence as people count: from 1."""
    return f"sentence {number + 1}"


def counted(count: int, noun: str) -> str:
    """Write a number with its noun: 1 sentence, 2 sentences."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
