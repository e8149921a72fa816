"""How do the clips of a chapter become one encoded stream that others can be joined to?

Every chapter starts with an encoder of its own, and is padded to whole packets. So packets
of one chapter may follow those of another, and their number alone says where each begins.
A lossless chapter is as long as its samples, and is stored as a .flac that any player opens.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import IO, NamedTuple

import av
import numpy as np

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecSettings
from tts_pipeline.audio.leveling import ceiling
from tts_pipeline.audio.limiter import limited
from tts_pipeline.audio.records import EncodedChapter, Span
from tts_pipeline.audio.resample import resampled
from tts_pipeline.audio.sinks import LOUDEST, Floats, open_sink
from tts_pipeline.store import address

VERSION = 2
"""Raised when the same clips would be encoded to something else."""


class Piece(NamedTuple):
    """One item of a chapter: its sound, None where nothing is said, and the silence after it."""

    sound: Sound | None
    pause_ms: int


def chapter_key(
    clips: Iterable[tuple[str | None, int]], settings: CodecSettings, gain: float = 1.0, *, limit: bool = False
) -> str:
    """Return where a chapter lies that is made of these clips, each as its checksum and the pause after it.

    The encoder's own version is part of it: two versions make different packets of the same clips, and a record
    holds for one of them only.
    """
    made_by = [VERSION, av.library_versions["libavcodec"], settings.model_dump(mode="json"), float(gain), limit]
    digest = hashlib.sha256(json.dumps([made_by, list(clips)]).encode()).hexdigest()
    return address("chapters", digest, f".{settings.codec}")


def encode_chapter(
    pieces: Iterable[Piece], settings: CodecSettings, into: IO[bytes], gain: float = 1.0, *, limit: bool = False
) -> EncodedChapter:
    """Encode a chapter piece by piece, and return its record.

    With a limit, no true peak comes out above leveling.TRUE_PEAK, however much the gain is, and what a codec takes
    away from all samples alike is made up for.
    """
    shape = _limiter(settings) if limit else _clipped
    sink, spans = open_sink(settings, into), []
    for piece in pieces:
        voice = shape(_voice(piece.sound, settings.rate, gain))
        first = sink.sample_count
        sink.feed(voice)
        spans.append(Span(first=first, end=sink.sample_count, level=_level(voice)))
        sink.feed(np.zeros(round(piece.pause_ms * settings.rate / 1000), np.float32))
    sample_count = sink.sample_count
    sink.finish()
    return EncodedChapter(
        settings=settings,
        frame_size=sink.frame_size,
        packet_count=sink.packet_count,
        priming=sink.priming,
        sample_count=sample_count,
        packets_hash=sink.packets_hash,
        items=tuple(spans),
    )


def _voice(sound: Sound | None, rate: int, gain: float) -> Floats:
    if sound is None:
        return np.zeros(0, np.float32)
    voice: Floats = resampled(sound, rate).samples.astype(np.float32) * np.float32(gain / LOUDEST)
    return voice


def _clipped(voice: Floats) -> Floats:
    return np.clip(voice, -1, 1, out=voice)


def _limiter(settings: CodecSettings) -> Callable[[Floats], Floats]:
    most, makeup = ceiling(settings), np.float32(1 / settings.level)
    return lambda voice: limited(voice, settings.rate, most) * makeup


def _level(voice: Floats) -> float:
    return round(float(np.sqrt(np.mean(np.square(voice), dtype=np.float64))), 6) if len(voice) else 0.0
