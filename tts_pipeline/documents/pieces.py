"""What does a reader of structured files know of each block, before chapters are made of them?"""

from __future__ import annotations

from dataclasses import dataclass

from tts_pipeline.book import Block, Kind, Place
from tts_pipeline.documents.drafts import Draft
from tts_pipeline.documents.language import normalised_tag
from tts_pipeline.mapped import Mapped

Target = tuple[str, str]
"""(file, id of an element)"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A block of a page."""

    kind: Kind
    text: Mapped
    """Mapped to the text of its element, or of its file."""
    file: str
    element: str | None = None
    language: str | None = None
    level: int = 0
    """Of a heading: 1 to 6; otherwise 0."""
    ids: tuple[str, ...] = ()
    """What links could lead to it by."""
    refs: tuple[Target, ...] = ()
    note: Target | None = None
    heads: tuple[Target, ...] = ()
    """Of a heading: the notes that are all there is under it."""
    continues: bool = False
    """Whether it is a further line of the heading before it."""

    def draft(self, language: str | None) -> Draft:
        """Return it as a block of a document in a language."""
        own = normalised_tag(self.language)
        block = Block(
            kind=self.kind,
            text=self.text.text,
            place=Place(file=self.file, element=self.element, offset=self.text.at(0)),
            runs=self.text.runs,
            language=own if own != language else None,
        )
        note = "#".join(self.note) if self.note else None
        heads = tuple("#".join(each) for each in self.heads)
        refs = tuple(dict.fromkeys("#".join(ref) for ref in self.refs))
        return Draft(block, refs if self.kind is not Kind.BREAK else (), note, heads)
