"""What of a text can be handed to a library in C, or to a program?"""

from __future__ import annotations

import re

# NUL ends a text in C; other controls are commands to some engines; half a surrogate pair can't be encoded.
_UNSPEAKABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")


def plain(text: str) -> str:
    """Return a text as long as it was, with a space for each character that is none."""
    return _UNSPEAKABLE.sub(" ", text)
