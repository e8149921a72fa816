"""Is this line a change of scene?"""

from __future__ import annotations

import re

_BREAK = re.compile(r"(?:[*⁂⁎⁑∗✱✻✽❦❧☙§◆◇●○■□•·∙~#=_+\-–—―−.°^|/\\<>x×]\s*)+", re.IGNORECASE)
_LETTERS = re.compile(r"[x.]*", re.IGNORECASE)


def is_break(text: str) -> bool:
    """Tell a line of ornaments, such as * * *, ⁂, --- or a lone #, from words and from dots that say "and so on"."""
    text = text.strip()
    if not _BREAK.fullmatch(text):
        return False
    compact = "".join(text.split())
    return not _LETTERS.fullmatch(compact) or (len(compact) >= 3 and " " in text)
