"""What was asked for when a book was made: how it is read, spoken and published?"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tts_pipeline.audio.codec import CodecName, CodecSettings, Effort
from tts_pipeline.audio.formats import FORMATS, Format
from tts_pipeline.documents.options import Notes
from tts_pipeline.text.options import SplittingOptions

AUTO = "auto"
"""Instead of the name of an engine: the best that is installed, for each language."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


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

    def sounds_like(self, other: Speech) -> bool:
        """Say whether the same voice says the same in the same way: who it is, its cast knows."""
        whoever = {"engine": AUTO, "voice": None, "fallback_engine": None}
        return self.model_copy(update=whoever) == other.model_copy(update=whoever)


class BookSettings(_Frozen):
    """What makes two books of the same text different; the formats of a book do not."""

    as_one: bool = False
    """Whether its files are the chapters of one book."""
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


def _known(name: str) -> str:
    if name not in FORMATS:
        raise ValueError(f"{name!r} is not one of {', '.join(FORMATS)}")
    return name


class Encoding(_Frozen):
    """How chapters are encoded; formats that agree in it share them."""

    codec: CodecName
    bit_rate: int | None
    effort: Effort
    normalize: bool

    @property
    def key(self) -> str:
        """What it is called on the shelf."""
        level = "leveled" if self.normalize else "as-spoken"
        return f"{self.codec}-{self.bit_rate or 'usual'}-{self.effort}-{level}"

    def codec_settings(self, sample_rate: int) -> CodecSettings:
        """Return how the encoder is set up."""
        return CodecSettings.fitting(self.codec, sample_rate, self.bit_rate, self.effort)


class Publishing(_Frozen):
    """How one file of a book, or one folder of files, is made."""

    format: Annotated[str, AfterValidator(_known)] = "m4b"
    bit_rate: int | None = Field(default=None, ge=8_000, le=320_000)
    """Else what its codec needs."""
    effort: Effort = Effort.QUICK
    normalize: bool = True
    """Whether every chapter is brought to one loudness."""

    @property
    def kind(self) -> Format:
        """What is known of the format."""
        return FORMATS[self.format]

    @property
    def encoding(self) -> Encoding:
        """How its chapters are encoded: a lossless codec has no bit rate."""
        bit_rate = None if self.kind.codec is CodecName.FLAC else self.bit_rate
        return Encoding(codec=self.kind.codec, bit_rate=bit_rate, effort=self.effort, normalize=self.normalize)
