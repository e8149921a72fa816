"""What was asked for when a book was made: how it is read, spoken and published?"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from tts_pipeline.audio.codec import CodecName, CodecSettings, nearest_rate
from tts_pipeline.documents.options import Notes
from tts_pipeline.text.options import SplittingOptions

AUTO = "auto"
"""Instead of the name of an engine: the best that is installed, for each language."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BookFormat(StrEnum):
    """What kind of file a book is published as."""

    M4B = "m4b"
    MP3 = "mp3"

    @property
    def codec(self) -> CodecName:
        """What its chapters are encoded to."""
        return CodecName.AAC if self is BookFormat.M4B else CodecName.MP3


class Speech(_Frozen):
    """Who speaks, and how."""

    engine: str = AUTO
    voice: str | None = None
    """Of the book's own language; passages in another are spoken by the engine's best voice for it."""
    rate: float = Field(default=1.0, ge=0.5, le=2.0)
    pitch: float = Field(default=1.0, ge=0.5, le=2.0)
    volume: float = Field(default=1.0, ge=0.1, le=1.0)
    fallback_engine: str | None = None
    """Speaks the sentences that the other fails at for good."""
    sample_rate: int = Field(default=24_000, ge=8_000, le=48_000)


class BookSettings(_Frozen):
    """What makes two books of the same text different; the formats of a book do not."""

    notes: Notes = Notes.SKIP
    language: str | None = None
    """Counts more than what the document says of itself."""
    title: str | None = None
    author: str | None = None
    splitting: SplittingOptions = SplittingOptions()
    speech: Speech = Speech()
    outputs: str = "outputs"
    """The folder in which books are published, as an absolute path."""

    def digest(self) -> str:
        """Return what is the same for the same book: who helps out where its voice fails makes no other."""
        said = self.model_dump(mode="json", exclude={"speech": {"fallback_engine"}})
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


class Publishing(_Frozen):
    """How one file of a book is made."""

    format: BookFormat = BookFormat.M4B
    bit_rate: int = Field(default=64_000, ge=8_000, le=320_000)

    def codec_settings(self, sample_rate: int) -> CodecSettings:
        """Return how chapters are encoded for it."""
        codec = self.format.codec
        return CodecSettings(codec=codec, rate=nearest_rate(codec, sample_rate), bit_rate=self.bit_rate)
