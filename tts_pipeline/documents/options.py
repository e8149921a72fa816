"""What may be chosen about reading, and how much may a file ask for?"""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field


class Notes(StrEnum):
    """What becomes of footnotes: they never interrupt the sentence that carries them."""

    SKIP = "skip"
    INLINE = "inline"
    """After the paragraph that carries them."""
    END = "end"
    """At the end of the chapter that carries them."""


class Limits(BaseModel):
    """What a file may ask for before it counts as hostile."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file_bytes: int = Field(default=1 << 30, gt=0)
    archive_bytes: int = Field(default=2 << 30, gt=0)
    """All that an archive holds, unpacked."""
    archive_ratio: float = Field(default=200, gt=1)
    """How many times larger than packed a file inside may be, where it is larger than a megabyte."""
    archive_files: int = Field(default=20_000, gt=0)
    nesting: int = Field(default=200, gt=0)
    """How deep elements and folders may lie in each other."""
    text_chars: int = Field(default=50_000_000, gt=0)
    """All of the text, or the markup, that is read."""
    elements: int = Field(default=500_000, gt=0)
    """Of markup, lines of text, or pieces of text in a PDF: each takes memory, however little it says."""
    pages: int = Field(default=10_000, gt=0)
    """Of a PDF."""
    pdf_memory: int = Field(default=256 << 20, gt=0)
    """Bytes that the library which reads a PDF may take."""
    pdf_seconds: int = Field(default=60, gt=0)
    """Of work on one of its pages."""


class ReadingOptions(BaseModel):
    """What may be chosen about reading."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    notes: Notes = Notes.SKIP
    language: str | None = None
    """As a BCP 47 tag: it counts more than what the document says of itself."""
    parts: bool = True
    """Whether a long text without chapters is divided into parts of about half an hour."""
    limits: Limits = Limits()


DEFAULT = ReadingOptions()
