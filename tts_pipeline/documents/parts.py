"""Where is a text divided that has no chapters?"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace

from tts_pipeline.documents.drafts import Draft, DraftChapter
from tts_pipeline.mapped import Mapped

HALF_HOUR = 27_000
"""How many characters take about half an hour to speak."""
_HUGE = HALF_HOUR // 4
"""Of a paragraph, that is divided itself: no other is."""
_ENDS = (
    re.compile(r"(?<=[^\W\d_]{3}[.!?…])[\"'”’»)\]]*\s+(?![a-zà-ÿ])|(?<=[。！？])[」』”]*|\n"),
    re.compile(r"\s+"),
)
"""Where to divide it: at the end of a sentence; where there is none, between words."""


def in_parts(drafts: list[Draft], title: str, size: int = HALF_HOUR) -> list[DraftChapter]:
    """Divide a text into parts of about the same length, at ends of paragraphs; a short one is left whole."""
    total = sum(len(draft.block.text) for draft in drafts)
    count = max(1, round(total / size))
    if count == 1:
        return [DraftChapter(title, list(drafts))]
    parts = [DraftChapter("")]
    waiting = deque(drafts)
    left = total / count
    while waiting:
        draft = waiting.popleft()
        # Cut where that is nearer to the aim than after this paragraph.
        if parts[-1].drafts and left < min(len(draft.block.text), _HUGE) / 2:
            parts.append(DraftChapter(""))
            left += total / count
        if len(draft.block.text) > max(left, 0) + _HUGE / 2:
            draft, rest = _cut(draft, round(left))
            waiting.appendleft(rest)
        parts[-1].drafts.append(draft)
        left -= len(draft.block.text)
    for number, part in enumerate(parts, 1):
        part.title = f"Part {number}"
    return parts


def _cut(draft: Draft, aim: int) -> tuple[Draft, Draft]:
    """Divide a paragraph near a place; the notes that it refers to come after its end."""
    at = _end_near(draft.block.text, aim)
    text = Mapped(draft.block.text, draft.block.runs)
    first, rest = text.cut(0, at).stripped(), text.cut(at, len(text.text)).stripped()
    return replace(_with(draft, first), refs=()), _with(draft, rest)


def _end_near(text: str, aim: int) -> int:
    for pattern in _ENDS:
        ends = [match.end() for match in pattern.finditer(text, aim - _HUGE // 3, aim + _HUGE // 3)]
        if ends:
            return min(ends, key=lambda end: abs(end - aim))
    return aim


def _with(draft: Draft, text: Mapped) -> Draft:
    block = draft.block
    place = block.place.model_copy(update={"offset": text.at(0)})
    return replace(draft, block=block.model_copy(update={"text": text.text, "runs": text.runs, "place": place}))
