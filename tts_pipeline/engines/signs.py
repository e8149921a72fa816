"""What are the signs called in English that a voice would leave out in silence?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

VERSION = 1
"""Raised when a text is spelled otherwise."""
_CALLED = {
    "−": "minus",
    "∓": "minus or plus",
    "¬": "not",
    "\u2044": "over",
    "\u2215": "divided by",
    "∗": "times",
    "⋅": "times",
    "≈": "approximately",
    "≡": "is identical to",
    "∑": "sum of",
    "∏": "product of",
    "∂": "partial",
    "∆": "delta",
    "∈": "in",
    "∧": "and",
    "\u2228": "or",
    "←": "from",
    "⇒": "implies",
}
"""Where the name that Unicode gives them is not what people say."""
_HYPHEN = re.compile("[\u2010\u2011\ufe63\uff0d]")
_OF_NAMES = re.compile(r"\b(SIGN|FULLWIDTH|SMALL|SUPERSCRIPT|SUBSCRIPT)\b")
_AMOUNT = re.compile(r"(?<![\d.,])(\d+(?:[.,]\d+)*)[ \u00a0\u202f]?([€£$¥₹])(?![\d.])")
_OTHER = "‰‱"


def spelled(text: str, is_dropped: Callable[[str], bool]) -> str:
    """Return a text with words for signs of arithmetic and currencies that a voice drops."""
    if text.isascii() and "$" not in text:
        return text
    text = _AMOUNT.sub(r"\2\1", _HYPHEN.sub("-", text))
    signs = {sign for sign in text if _is_sign(sign) and is_dropped(sign)}
    return "".join(f" {_called(sign)} " if sign in signs else sign for sign in text)


def _is_sign(character: str) -> bool:
    return not character.isascii() and (unicodedata.category(character) in {"Sm", "Sc"} or character in _OTHER)


def _called(sign: str) -> str:
    return _CALLED.get(sign) or _OF_NAMES.sub("", unicodedata.name(sign, "")).strip().lower()
