"""What is a book, from the document that it was read from to the sentences that are spoken?"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from queue_core import TaskItem
from tts_pipeline.mapped import Run, offset_at


class Kind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    VERSE = "verse"
    QUOTE = "quote"
    LIST = "list"
    CODE = "code"
    TABLE = "table"
    NOTE = "note"
    BREAK = "break"
    """A change of scene: nothing is said, and the pause is longer."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(_Frozen):
    """Where in the source something stands."""

    file: str
    """The file, or the file inside of an archive."""
    element: str | None = None
    """Which element of a structured file: its id, or its path from the root; `page 3`, or `paragraph 12` of Word."""
    offset: int = Field(ge=0)
    """Characters from the start of the file's decoded text or, in an element, of its text and what follows it."""


class Block(_Frozen):
    """A heading, a paragraph, or something of that size."""

    kind: Kind
    text: str
    """In one line, as in the source. Verse and code keep their line ends; rows of tables have a cell a line."""
    place: Place
    runs: tuple[Run, ...] = ()
    """Where in the source its characters stand, as in Mapped; none where they follow each other from the place on."""
    language: str | None = None
    """Where it differs from the document's."""

    def place_at(self, index: int) -> Place:
        """Return where in the source the character at an index of the text stands."""
        offset = offset_at(self.runs, index) if self.runs else self.place.offset + index
        return Place(file=self.place.file, element=self.place.element, offset=offset)


class Chapter(_Frozen):
    """A part of a document that gets a mark of its own."""

    title: str
    blocks: tuple[Block, ...]


class Cover(_Frozen):
    """The picture of a book."""

    data: bytes
    media_type: str


class Document(_Frozen):
    """What a reader found in a file."""

    title: str
    author: str | None = None
    language: str | None = None
    """As a BCP 47 tag, such as en or pt-BR."""
    cover: Cover | None = None
    chapters: tuple[Chapter, ...]


class Item(TaskItem):
    """One sentence, or a heading: what is spoken in one go, and the pause after it."""

    number: int
    """Its place in the book, from 0."""
    chapter: int
    """The place of its chapter in the book, from 0."""
    kind: Kind
    text: str
    """What is to be heard, as the document has it: normalised; empty for nothing but the pause."""
    spoken: str | None = None
    """What the voice is given instead, where pronunciations or edits changed it: nothing, perhaps."""
    take: int = 0
    """How often somebody asked for another rendering of it."""
    source: str
    """The same as it stands in the document."""
    place: Place
    language: str
    pause_ms: int = Field(ge=0)
    """Silence after it, in milliseconds."""
    ends_block: bool
    """Whether it is the last of its block: tasks are cut there."""

    @property
    def said(self) -> str:
        """What the voice is given."""
        return self.text if self.spoken is None else self.spoken

    @property
    def is_heard(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.said)
