"""What does a reader hold before it is decided where the notes go?"""

from __future__ import annotations

from dataclasses import dataclass, field

from tts_pipeline.book import Block, Chapter, Kind
from tts_pipeline.documents.options import Notes

_TITLE_PAGE = 300
"""Characters that a title and its author take at most."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A block, and what it has to do with notes."""

    block: Block
    refs: tuple[str, ...] = ()
    """The notes that it refers to, in order."""
    note: str | None = None
    """The note that it is a part of."""
    heads: tuple[str, ...] = ()
    """Of a heading: the notes that are all there is under it."""


@dataclass(slots=True)
class DraftChapter:
    """A chapter on its way."""

    title: str
    drafts: list[Draft] = field(default_factory=list)
    is_front: bool = False
    """Whether it is what stands before the first heading; with little in it, it is a part of what follows."""
    is_container: bool = False
    """Whether other chapters lie in it: with nothing but its heading, it is a part of the first of them."""

    @property
    def leads_into_next(self) -> bool:
        """Whether it is too little for a mark of its own."""
        if self.is_front:
            return sum(len(draft.block.text) for draft in self.drafts) <= _TITLE_PAGE
        return self.is_container and all(draft.block.kind in {Kind.HEADING, Kind.BREAK} for draft in self.drafts)


def finished(chapters: list[DraftChapter], notes: Notes) -> tuple[Chapter, ...]:
    """Put the notes where they are wanted, and leave out chapters of which nothing is left."""
    placed = _Notes(chapters, notes)
    finished = (Chapter(title=each.title, blocks=tuple(placed.blocks(each))) for each in _joined(chapters))
    return tuple(chapter for chapter in finished if any(block.kind is not Kind.BREAK for block in chapter.blocks))


class _Notes:
    """The notes of a document, each of which goes to the first block that refers to it."""

    def __init__(self, chapters: list[DraftChapter], wanted: Notes) -> None:
        drafts = [draft for chapter in chapters for draft in chapter.drafts]
        self._wanted = wanted
        self._referred = {ref for draft in drafts if draft.note is None for ref in draft.refs}
        self._bodies: dict[str, list[Block]] = {}
        for draft in drafts:
            if draft.note is not None:
                self._bodies.setdefault(draft.note, []).append(draft.block)

    def blocks(self, chapter: DraftChapter) -> list[Block]:
        """Return what is read of a chapter, its notes included."""
        blocks: list[Block] = []
        ends: list[Block] = []
        for draft in chapter.drafts:
            if self._is_read(draft):
                blocks.append(draft.block)
            if draft.note is None and self._wanted is not Notes.SKIP:
                notes = [block for ref in draft.refs for block in self._taken(ref)]
                (blocks if self._wanted is Notes.INLINE else ends).extend(notes)
        return _without_outer_breaks(blocks + ends)

    def _is_read(self, draft: Draft) -> bool:
        """Return whether a block is read where it stands; a heading of notes goes with the last of them."""
        if draft.note is not None:
            return self._stays(draft.note)
        return not draft.heads or any(map(self._stays, draft.heads))

    def _stays(self, note: str) -> bool:
        """Return whether a note is read where it stands, since nothing refers to it."""
        return self._wanted is not Notes.SKIP and note not in self._referred

    def _taken(self, ref: str) -> list[Block]:
        return self._bodies.pop(ref, [])


def _joined(chapters: list[DraftChapter]) -> list[DraftChapter]:
    """Put a title page, or a part's bare heading, in front of the chapter that follows."""
    joined: list[DraftChapter] = []
    leads = False
    for chapter in chapters:
        before = joined[-1] if joined else None
        if before and leads:
            is_said = before.is_front or chapter.title.startswith(before.title)
            title = chapter.title if is_said else f"{before.title} — {chapter.title}"
            drafts = before.drafts + chapter.drafts
            joined[-1] = DraftChapter(title, drafts, is_front=chapter.is_front, is_container=chapter.is_container)
        else:
            joined.append(chapter)
        leads = bool(chapter.drafts) and chapter.leads_into_next
    return joined


def _without_outer_breaks(blocks: list[Block]) -> list[Block]:
    """Leave out changes of scene at the ends of a chapter, behind headings, and behind each other."""
    kept: list[Block] = []
    for block in blocks:
        if block.kind is not Kind.BREAK or (kept and kept[-1].kind not in {Kind.BREAK, Kind.HEADING}):
            kept.append(block)
    while kept and kept[-1].kind is Kind.BREAK:
        kept.pop()
    return kept
