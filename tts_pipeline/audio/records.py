"""What is known of an encoded chapter without opening it?"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from tts_pipeline.audio.codec import CodecSettings


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Span(_Frozen):
    """Where one item is heard in its chapter, without the pause after it, in samples from the chapter's first."""

    first: int = Field(ge=0)
    end: int = Field(ge=0)
    """The sample after its last; the same as `first` where nothing is said."""
    level: float = Field(ge=0)
    """The root of the mean square of its samples; 1 is the loudest there is."""


class EncodedChapter(_Frozen):
    """What an encoder made of a chapter's clips."""

    settings: CodecSettings
    frame_size: int
    """Samples in every packet; 1 where nothing is lost, and the samples themselves are the packets."""
    packet_count: int
    priming: int
    """Samples that a decoder gives before the first of the chapter: the encoder's delay."""
    sample_count: int
    """Samples of clips and pauses, before the encoder's delay and the padding to whole packets."""
    packets_hash: str
    """SHA-256 of the packets one after another, without heads that a container adds.

    Of what is lossless, the samples: 16 bits each, the lower byte first.
    """
    items: tuple[Span, ...]

    @property
    def duration(self) -> int:
        """How many samples its packets last: with priming and padding."""
        return self.packet_count * self.frame_size

    @property
    def seconds(self) -> float:
        """How long its packets last."""
        return self.duration / self.settings.rate
