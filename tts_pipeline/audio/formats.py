"""Which formats does a book come in?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tts_pipeline.audio.codec import CodecName, CodecSettings, Effort
from tts_pipeline.errors import BadSetting


@dataclass(frozen=True)
class Format:
    """What a book can be published as."""

    name: str
    codec: CodecName
    """What its chapters are encoded to; two formats of one codec share their encoded chapters."""
    ending: str
    """What follows the book's name."""
    reader: str
    """FFmpeg's name of what reads it."""
    is_folder: bool = False
    """Whether there is a file for each chapter, in a folder."""
    encoded_at_publish: bool = False
    """Whether publishing encodes once more, because the packets of its chapters can't be joined."""
    most_marks: int | None = None
    """For how many chapters its marks have numbers."""
    last_marked: int | None = None
    """The last sample that a mark can point to."""

    def path(self, folder: Path, name: str) -> Path:
        """Return what a book of this name is called in a folder."""
        return folder / f"{name}{self.ending}"

    def settings(self, rate: int, bit_rate: int | None = None, effort: Effort = Effort.QUICK) -> CodecSettings:
        """Return how chapters are encoded for it that are spoken at a sample rate."""
        return CodecSettings.fitting(self.codec, rate, bit_rate, effort)

    def mark_count(self, starts: Sequence[int]) -> int:
        """Say how many of the chapters that begin at these samples it can mark; those at the end go without."""
        room = len(starts) if self.most_marks is None else min(len(starts), self.most_marks)
        if self.last_marked is None:
            return room
        return sum(start <= self.last_marked for start in starts[:room])


_COMMENTS = 999
"""Vorbis comments number chapters with three digits."""

FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        Format("m4b", CodecName.AAC, ".m4b", "mp4"),
        Format("mp3", CodecName.MP3, ".mp3", "mp3"),
        Format("mp3-chapters", CodecName.MP3, " (mp3)", "mp3", is_folder=True),
        Format("opus", CodecName.OPUS, ".opus", "ogg", most_marks=_COMMENTS),
        Format("flac", CodecName.FLAC, ".flac", "flac", encoded_at_publish=True, most_marks=_COMMENTS),
        Format("wav", CodecName.FLAC, ".wav", "wav", encoded_at_publish=True, last_marked=(1 << 32) - 1),
    )
}


def parse_formats(text: str) -> tuple[Format, ...]:
    """Return the formats of a list with commas, each once; BadSetting where one is unknown."""
    names = dict.fromkeys(name.strip().lower().removeprefix(".") for name in text.split(","))
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        wrong = ", ".join(repr(name) for name in unknown)
        raise BadSetting("format", f"{wrong} is not one of {', '.join(FORMATS)}")
    return tuple(FORMATS[name] for name in names)


def usual_format(codec: CodecName) -> Format:
    """Return the format that a codec is best known by."""
    return next(known for known in FORMATS.values() if known.codec is codec)
