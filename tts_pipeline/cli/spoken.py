"""How are lengths and numbers written?"""

from __future__ import annotations

import re

_STEP = 1024
_UNITS = "KMGT"
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,3})?)\s*(?:([KMGT])(?:i?B)?|B)?", re.IGNORECASE)


def clock(seconds: float) -> str:
    """Write a length as players do: 1:02:03 or 2:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def size(count: int) -> str:
    """Write bytes in the unit that says most: 1.5 GiB."""
    if count < _STEP:
        return counted(count, "byte")
    number, power = float(count), 0
    while number >= _STEP and power < len(_UNITS):
        number, power = number / _STEP, power + 1
    return f"{number:.1f} {_UNITS[power - 1]}iB"


def bytes_of(text: str) -> int:
    """Read 500M, 20G, 1.5T, 20 GiB or a number of bytes; raises ValueError."""
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no size: write 500M, 20G or 1.5T")
    return int(float(found[1]) * _STEP ** (_UNITS.upper().index(found[2].upper()) + 1 if found[2] else 0))


def sentence(number: int) -> str:
    """Name a sentence as people count: from 1."""
    return f"sentence {number + 1}"


def counted(count: int, noun: str) -> str:
    """Write a number with its noun: 1 sentence, 2 sentences."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
