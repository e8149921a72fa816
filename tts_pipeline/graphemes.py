"""Where may a text be cut without tearing a character that is seen as one?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

_JOINER, _NON_JOINER = "\u200d", "\u200c"


def clusters(text: str) -> Iterator[str]:
    """Give what is seen as one character: a letter with its marks, an emoji with all that it is made of, a flag."""
    start = 0
    for place in range(1, len(text)):
        if not _belongs_together(text, start, place):
            yield text[start:place]
            start = place
    if text:
        yield text[start:]


def fit(text: str, most_bytes: int) -> str:
    """Return as many whole characters from the start as have room in so many bytes of UTF-8."""
    kept, size = [], 0
    for cluster in clusters(text):
        size += len(cluster.encode())
        if size > most_bytes:
            break
        kept.append(cluster)
    return "".join(kept)


def columns(text: str) -> int:
    """Return how many columns a text takes: Chinese, Japanese and Korean characters take two."""
    if text.isascii():  # every character by itself; a book's captions ask for millions of words
        return len(text)
    return sum(2 if unicodedata.east_asian_width(cluster[0]) in "WF" else 1 for cluster in clusters(text))


def _belongs_together(text: str, start: int, place: int) -> bool:
    before, after = text[place - 1], text[place]
    if unicodedata.combining(after) or unicodedata.category(after) in ("Mn", "Mc", "Me"):
        return True
    if after in (_JOINER, _NON_JOINER) or before == _JOINER or _modifies(after):
        return True
    return _is_half_flag(before) and _is_half_flag(after) and place - start == 1


def _modifies(character: str) -> bool:
    """Say whether it colours the emoji before it, or is a tag of a flag."""
    return "\U0001f3fb" <= character <= "\U0001f3ff" or "\U000e0020" <= character <= "\U000e007f"


def _is_half_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
