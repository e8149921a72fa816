"""What does a report say?

A report is one JSON object, written with one chapter and one sentence a line: so it is written and searched without
being held in memory, and two of them can be compared line by line. Samples count at the rate of the file, from the
first that a player plays.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from tts_pipeline.audio.codec import CodecSettings
from tts_pipeline.book import Place
from tts_pipeline.book_settings import BookSettings
from tts_pipeline.manifest import Source

VERSION = 1


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BookFacts(_Frozen):
    """Which book it is."""

    id: str
    revision: int
    title: str
    author: str | None
    language: str
    narrator: str | None


class FileFacts(_Frozen):
    """How the file was made."""

    name: str
    format: str
    bytes: int
    codec: CodecSettings
    normalize: bool
    frame_size: int
    priming: int


class Totals(_Frozen):
    """How much there is."""

    chapters: int
    sentences: int
    missing: int
    samples: int
    seconds: float


class Missing(_Frozen):
    """A sentence that is not in the file."""

    number: int
    text: str
    reason: str


class ChapterLine(_Frozen):
    """Where a chapter is in the file, and what its packets are."""

    number: int
    title: str
    first: int
    end: int
    packet_count: int
    packets_hash: str


class SentenceLine(_Frozen):
    """Where a sentence comes from, and where it is heard."""

    number: int
    chapter: int
    source: Place
    text_sha256: str
    clip: str | None
    """The checksum of its clip; none where it is missing."""
    engine: str | None
    first: int
    end: int
    """The sample after its last."""
    level: float


class Head(_Frozen):
    """All but the chapters and the sentences."""

    version: int
    book: BookFacts
    source: Source
    settings: BookSettings
    file: FileFacts
    totals: Totals
    missing: tuple[Missing, ...]


class Report(Head):
    """A whole report."""

    chapters: tuple[ChapterLine, ...]
    sentences: tuple[SentenceLine, ...]
