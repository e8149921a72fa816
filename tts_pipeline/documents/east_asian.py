"""Are these bytes Japanese, Korean or Chinese, by what such texts look like?

The character sets share their bytes: what is Japanese in one of them is a row of strange syllables in another.
But Japanese is never without kana, Korean is hardly anything but its syllables, and most of Chinese are its
commonest characters.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import NamedTuple

_LAST_COMMON = b"\xd7\xff"
"""Characters of Chinese are arranged by how common they are: behind this come the rare ones."""


class _Look(NamedTuple):
    """What texts in a language look like."""

    charset: str
    is_typical: Callable[[str], bool]
    share: float
    """Of typical letters among those that are not ASCII, at the least."""
    fewest: int


_LOOKS = (
    _Look("cp932", lambda letter: "\u3041" <= letter <= "\u30fe", 0.2, 3),
    _Look("euc_jp", lambda letter: "\u3041" <= letter <= "\u30fe", 0.2, 3),
    _Look("euc_kr", lambda letter: "\uac00" <= letter <= "\ud7a3", 0.95, 8),
    _Look("gb2312", lambda letter: letter >= "\u4e00" and letter.encode("gb2312") <= _LAST_COMMON, 0.95, 8),
)
_WIDER = {"euc_kr": "cp949", "gb2312": "gb18030"}
"""What has rare characters besides: too many to tell anything by."""


def east_asian(data: bytes) -> str | None:
    """Return the character set that makes what looks like a text of these bytes; None where none does."""
    found = next((look.charset for look in _LOOKS if _looks_so(_decoded(data, look.charset), look)), None)
    return _WIDER.get(found, found) if found else None


def _decoded(data: bytes, name: str) -> str:
    """Return what bytes say, which may end within a character; nothing where they are of another set."""
    try:
        return codecs.getincrementaldecoder(name)().decode(data)
    except UnicodeDecodeError:
        return ""


def _looks_so(text: str, look: _Look) -> bool:
    letters = [letter for letter in text if letter.isalpha() and not letter.isascii()]
    return sum(map(look.is_typical, letters)) >= max(look.fewest, look.share * len(letters))
