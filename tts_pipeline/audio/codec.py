"""Which codecs does a book come in, and how is an encoder set up?"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Self

import av
from av.audio.codeccontext import AudioCodecContext
from pydantic import BaseModel, ConfigDict, Field, model_validator

_BITEXACT = 1 << 23
"""The encoder leaves out its own name and version, so that packets are the same wherever they are made."""


class CodecName(StrEnum):
    """What a book is encoded to."""

    AAC = "aac"
    MP3 = "mp3"


RATES: dict[CodecName, tuple[int, ...]] = {
    CodecName.AAC: (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000),
    CodecName.MP3: (48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000),
}
"""The sample rates that a codec knows; AAC's in the order of their numbers in a packet's head."""

_ENCODERS = {CodecName.AAC: "aac", CodecName.MP3: "libmp3lame"}
_OPTIONS = {CodecName.AAC: {"aac_coder": "fast"}, CodecName.MP3: {}}


class CodecSettings(BaseModel):
    """How chapters are encoded; those of one book all alike, or they could not be joined."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    codec: CodecName = CodecName.AAC
    rate: int = 24000
    bit_rate: int = Field(default=64000, ge=8000, le=320000)

    @model_validator(mode="after")
    def _rate_is_known(self) -> Self:
        if self.rate not in RATES[self.codec]:
            raise ValueError(f"{self.codec} has no sample rate of {self.rate}")
        return self

    @property
    def encoder(self) -> str:
        """FFmpeg's name of what encodes."""
        return _ENCODERS[self.codec]

    @property
    def options(self) -> dict[str, str]:
        """What the encoder is told beyond rates: AAC's fast coder takes half the time of its default."""
        return dict(_OPTIONS[self.codec])

    @property
    def time_base(self) -> Fraction:
        """One sample, in seconds."""
        return Fraction(1, self.rate)


def nearest_rate(codec: CodecName, rate: int) -> int:
    """Return the lowest rate of a codec that loses nothing of a sound, or its highest."""
    return min((known for known in RATES[codec] if known >= rate), default=RATES[codec][0])


def open_encoder(settings: CodecSettings) -> AudioCodecContext:
    """Return an encoder that takes float samples, whole frames at a time."""
    encoder = av.CodecContext.create(settings.encoder, "w")
    assert isinstance(encoder, AudioCodecContext)
    encoder.rate, encoder.layout, encoder.format = settings.rate, "mono", "fltp"
    encoder.bit_rate, encoder.time_base, encoder.options = settings.bit_rate, settings.time_base, settings.options
    encoder.flags |= _BITEXACT
    encoder.open()
    return encoder
