"""Which number does a Roman numeral stand for?"""

from __future__ import annotations

import re

ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})")
"""Also with four of a kind, as on clocks and in old books: IIII."""
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman(text: str) -> int | None:
    """Return the number; None where it is no numeral."""
    if not ROMAN.fullmatch(text.upper()):
        return None
    values = [_VALUES[letter] for letter in text.upper()]
    return sum(-one if one < following else one for one, following in zip(values, [*values[1:], 0], strict=True))
