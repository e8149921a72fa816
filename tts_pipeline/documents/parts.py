"""Where is a text divided that has no chapters?"""

from __future__ import annotations

from tts_pipeline.documents.drafts import Draft, DraftChapter

HALF_HOUR = 27_000
"""How many characters take about half an hour to speak."""


def in_parts(drafts: list[Draft], title: str, size: int = HALF_HOUR) -> list[DraftChapter]:
    """Divide a text into parts of about the same length, at ends of paragraphs; a short one is left whole."""
    total = sum(len(draft.block.text) for draft in drafts)
    count = max(1, round(total / size))
    if count == 1:
        return [DraftChapter(title, list(drafts))]
    parts = [DraftChapter("")]
    done = 0
    for draft in drafts:
        length = len(draft.block.text)
        # Cut where that is nearer to the aim than after this paragraph.
        if parts[-1].drafts and done + length / 2 > len(parts) * total / count:
            parts.append(DraftChapter(""))
        parts[-1].drafts.append(draft)
        done += length
    for number, part in enumerate(parts, 1):
        part.title = f"Part {number}"
    return parts
