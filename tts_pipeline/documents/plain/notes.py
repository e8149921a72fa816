"""Which paragraphs of a plain text are footnotes, and which marks refer to them?"""

from __future__ import annotations

import re
from collections import defaultdict, deque

from tts_pipeline.book import Block, Kind, Place
from tts_pipeline.documents.drafts import Draft, DraftChapter
from tts_pipeline.documents.plain.lines import Group
from tts_pipeline.mapped import Mapped

_LABEL = r"\d{1,4}|[*†‡§]+|[A-Z]"
_BRACKETED = re.compile(rf"\[(?:Foot)?(?:note|Fußnote|Nota|Note)\s+({_LABEL})\s*[:.]\s*", re.IGNORECASE)
_LABELLED = re.compile(rf"\[({_LABEL})\]:?\s+(?=\S)")
_MARK = re.compile(rf"\s?\[({_LABEL})\]")
_CLOSED = re.compile(r"\]\s*$")
_NOTHING = re.compile(r"^$")


def label_of(group: Group) -> str | None:
    """Return the label of the note that begins in a group; None where none does."""
    begun = _BRACKETED.match(group[0].text) or _LABELLED.match(group[0].text)
    return begun[1] if begun else None


def is_open(group: Group) -> bool:
    """Return whether a note that began with [Footnote goes on in the next group."""
    return bool(_BRACKETED.match(group[0].text)) and not _CLOSED.search(group[-1].text)


def closes(group: Group) -> bool:
    """Return whether an open note ends in a group."""
    return bool(_CLOSED.search(group[-1].text))


def linked(chapters: list[DraftChapter]) -> None:
    """Take the marks out of the text, and join each with the first note that follows under its label.

    Until now notes carry their bare label. A labelled paragraph that no mark refers to is no note.
    """
    waiting: dict[str, deque[str]] = defaultdict(deque)
    labels = {draft.note for chapter in chapters for draft in chapter.drafts if draft.note}
    number = 0
    for chapter in chapters if labels else ():
        for at, draft in enumerate(chapter.drafts):
            if draft.note is None:
                found = [label for label in _MARK.findall(draft.block.text) if label in labels]
                keys = [f"{label} {number + step}" for step, label in enumerate(found)]
                number += len(found)
                for label, key in zip(found, keys, strict=True):
                    waiting[label].append(key)
                chapter.drafts[at] = Draft(_unmarked(draft.block, labels), tuple(keys))
    _named(chapters, waiting)


def _named(chapters: list[DraftChapter], waiting: dict[str, deque[str]]) -> None:
    """Give notes the keys of their marks."""
    for chapter in chapters:
        for at, draft in enumerate(chapter.drafts):
            if draft.note is None:
                continue
            key = waiting[draft.note].popleft() if waiting[draft.note] else None
            chapter.drafts[at] = Draft(_unlabelled(draft.block), note=key) if key else _plain(draft)


def _plain(draft: Draft) -> Draft:
    if _BRACKETED.match(draft.block.text):
        return Draft(_unlabelled(draft.block), note=f"unreferred {draft.block.place.offset}")
    return Draft(draft.block.model_copy(update={"kind": Kind.PARAGRAPH}))


def _unmarked(block: Block, labels: set[str]) -> Block:
    if "[" not in block.text:
        return block
    text = Mapped(block.text, block.runs).sub(_MARK, lambda match: "" if match[1] in labels else match[0])
    return _with_text(block, text)


def _unlabelled(block: Block) -> Block:
    text = Mapped(block.text, block.runs)
    bracketed = _BRACKETED.match(text.text)
    begun = bracketed or _LABELLED.match(text.text)
    closing = _CLOSED.search(text.text) if bracketed else None
    start, end = begun.end() if begun else 0, closing.start() if closing else len(text.text)
    return _with_text(block, text.cut(start, max(start, end)).stripped())


def _with_text(block: Block, text: Mapped) -> Block:
    place = Place(file=block.place.file, offset=text.at(0))
    return block.model_copy(update={"text": text.text, "runs": text.runs, "place": place})
