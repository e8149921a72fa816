"""Which codecs does a book come in, and what is an encoder told?

A chapter of a lossless book is stored as FLAC, whose packets can't be joined: they are numbered. So its unit is the
sample, and what is published is encoded once more.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, model_validator


class CodecName(StrEnum):
    """What a chapter is encoded to."""

    AAC = "aac"
    MP3 = "mp3"
    OPUS = "opus"
    FLAC = "flac"


class Effort(StrEnum):
    """What an encoder is to take its time for: docs/formats.md has both in figures."""

    QUICK = "quick"
    THOROUGH = "thorough"


RATES: dict[CodecName, tuple[int, ...]] = {
    CodecName.AAC: (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000),
    CodecName.MP3: (48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000),
    CodecName.OPUS: (48000, 24000, 16000, 12000, 8000),
    CodecName.FLAC: (192000, 176400, 96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000),
}
"""The sample rates that a codec knows; AAC's in the order of their numbers in a packet's head."""

BIT_RATES: dict[CodecName, int] = {CodecName.AAC: 64000, CodecName.MP3: 64000, CodecName.OPUS: 32000, CodecName.FLAC: 0}
"""What speech needs to sound as it was spoken; a lossless codec takes what it takes."""

_OPUS_CLOCK = 48000
_LEAST_BIT_RATE = 8000
_MOST_BIT_RATES = {CodecName.AAC: 320000, CodecName.MP3: 320000, CodecName.OPUS: 256000}
"""libopus refuses more for one channel; the others take what is more than a sample rate can have for its most."""


class _Encoder(NamedTuple):
    """What is to be known of an encoder."""

    name: str
    """FFmpeg's."""
    format: str
    """Of the samples that it takes."""
    options: dict[Effort, dict[str, str]]
    overshoot: float
    """Decibels by which a peak may come out higher than it went in, as measured of voices and tones."""
    low_bit_rate: int = 0
    """Below this it is more."""
    level: float = 1.0
    """What comes out of a sample that went in: LAME makes everything a little softer."""


_MORE_OVERSHOOT = 1.1
_ENCODERS = {
    # FFmpeg's slower coder takes four times as long, and its peaks overshoot by up to 7 dB.
    CodecName.AAC: _Encoder("aac", "fltp", {effort: {"aac_coder": "fast"} for effort in Effort}, 0.7, 48000),
    CodecName.MP3: _Encoder(
        "libmp3lame",
        "fltp",
        {Effort.QUICK: {"compression_level": "7"}, Effort.THOROUGH: {"compression_level": "2"}},
        0.7,
        48000,
        0.95,
    ),
    CodecName.OPUS: _Encoder(
        "libopus",
        "flt",
        {Effort.QUICK: {"compression_level": "5"}, Effort.THOROUGH: {"compression_level": "10"}},
        1.9,
        24000,
    ),
    CodecName.FLAC: _Encoder(
        "flac", "s16", {Effort.QUICK: {"compression_level": "5"}, Effort.THOROUGH: {"compression_level": "8"}}, 0.3
    ),
}


class CodecSettings(BaseModel):
    """How chapters are encoded; those of one book all alike, or they could not be joined."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    codec: CodecName = CodecName.AAC
    rate: int = 24000
    bit_rate: int = BIT_RATES[CodecName.AAC]
    """Where it is not given, the codec's own of BIT_RATES; 0 where nothing is lost."""
    effort: Effort = Effort.QUICK

    @model_validator(mode="before")
    @classmethod
    def _bit_rate_fits(cls, given: Any) -> Any:
        codec = given.get("codec", CodecName.AAC) if isinstance(given, dict) else None
        if codec == CodecName.FLAC or (codec in BIT_RATES and given.get("bit_rate") is None):
            return given | {"bit_rate": BIT_RATES[CodecName(codec)]}
        return given

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        if self.rate not in RATES[self.codec]:
            raise ValueError(f"{self.codec} has no sample rate of {self.rate}")
        if self.bit_rate:
            check_bit_rate(self.codec, self.bit_rate)
        if not self.bit_rate and not self.is_lossless:
            raise ValueError(f"{self.codec} needs a bit rate")
        return self

    @classmethod
    def fitting(cls, codec: CodecName, rate: int, bit_rate: int | None = None, effort: Effort = Effort.QUICK) -> Self:
        """Return how chapters are encoded that are spoken at a sample rate; with the codec's own bit rate if none."""
        given = {"bit_rate": bit_rate} if bit_rate else {}
        return cls(codec=codec, rate=nearest_rate(codec, rate), effort=effort, **given)

    @property
    def is_lossless(self) -> bool:
        """Whether a decoder gives the samples that went in."""
        return self.codec is CodecName.FLAC

    @property
    def encoder(self) -> str:
        """FFmpeg's name of what encodes."""
        return _ENCODERS[self.codec].name

    @property
    def options(self) -> dict[str, str]:
        """What the encoder is told beyond rates."""
        return dict(_ENCODERS[self.codec].options[self.effort])

    @property
    def sample_format(self) -> str:
        """FFmpeg's name of the samples that the encoder takes."""
        return _ENCODERS[self.codec].format

    @property
    def overshoot(self) -> float:
        """By how many decibels a peak may come out higher than it went in."""
        known = _ENCODERS[self.codec]
        return known.overshoot + (_MORE_OVERSHOOT if self.bit_rate < known.low_bit_rate else 0)

    @property
    def level(self) -> float:
        """What comes out of a sample that went in as 1."""
        return _ENCODERS[self.codec].level

    @property
    def decoded_rate(self) -> int:
        """The rate of what a decoder gives: Opus has but one."""
        return _OPUS_CLOCK if self.codec is CodecName.OPUS else self.rate

    @property
    def time_base(self) -> Fraction:
        """One sample, in seconds."""
        return Fraction(1, self.rate)


def check_bit_rate(codec: CodecName, bit_rate: int) -> None:
    """Raise ValueError where a codec has no such bit rate; one that is lossless has none, and takes no notice."""
    most = _MOST_BIT_RATES.get(codec)
    if most is not None and not _LEAST_BIT_RATE <= bit_rate <= most:
        raise ValueError(f"{codec} has bit rates from {_LEAST_BIT_RATE} to {most}, not {bit_rate}")


def nearest_rate(codec: CodecName, rate: int) -> int:
    """Return the lowest rate of a codec that loses nothing of a sound, or its highest."""
    return min((known for known in RATES[codec] if known >= rate), default=RATES[codec][0])
