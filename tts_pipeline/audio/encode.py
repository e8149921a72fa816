"""How do the clips of a chapter become one encoded stream that others can be joined to?

Every chapter starts with an encoder of its own, and is padded to whole packets. So packets
of one chapter may follow those of another, and their number alone says where each begins.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import IO, NamedTuple

import av
import numpy as np
from numpy.typing import NDArray

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecSettings, open_encoder
from tts_pipeline.audio.packets import framed
from tts_pipeline.audio.records import EncodedChapter, Span
from tts_pipeline.audio.resample import resampled
from tts_pipeline.store import address

VERSION = 1
"""Raised when the same clips would be encoded to something else."""

_LOUDEST = 32768


class Piece(NamedTuple):
    """One item of a chapter: its sound, None where nothing is said, and the silence after it."""

    sound: Sound | None
    pause_ms: int


def chapter_key(clips: Iterable[tuple[str | None, int]], settings: CodecSettings, gain: float = 1.0) -> str:
    """Return where a chapter lies that is made of these clips, each as its checksum and the pause after it.

    The encoder's own version is part of it: two versions make different packets of the same clips, and a record
    holds for one of them only.
    """
    made_by = [VERSION, av.library_versions["libavcodec"], settings.model_dump(mode="json"), float(gain)]
    digest = hashlib.sha256(json.dumps([made_by, list(clips)]).encode()).hexdigest()
    return address("chapters", digest, f".{settings.codec}")


def encode_chapter(
    pieces: Iterable[Piece], settings: CodecSettings, into: IO[bytes], gain: float = 1.0
) -> EncodedChapter:
    """Encode a chapter piece by piece, and return its record."""
    sink, spans = _PacketSink(settings, into), []
    for piece in pieces:
        voice = _voice(piece.sound, settings.rate, gain)
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
        packets_hash=sink.hash.hexdigest(),
        items=tuple(spans),
    )


class _PacketSink:
    """Takes samples, any number at a time, and writes the packets that they make."""

    def __init__(self, settings: CodecSettings, into: IO[bytes]) -> None:
        self._settings, self._into = settings, into
        self._encoder = open_encoder(settings)
        self.frame_size = self._encoder.frame_size
        self.hash = hashlib.sha256()
        self.sample_count = self.packet_count = self.priming = 0

    def feed(self, samples: NDArray[np.float32]) -> None:
        if not len(samples):
            return
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), "fltp", "mono")
        frame.rate, frame.pts, frame.time_base = self._settings.rate, self.sample_count, self._settings.time_base
        self.sample_count += len(samples)
        self._write(self._encoder.encode(frame))

    def finish(self) -> None:
        """Pad to whole frames, one at least, and let the encoder give what it holds back."""
        missing = -self.sample_count % self.frame_size
        self.feed(np.zeros(missing if self.sample_count else self.frame_size, np.float32))
        self._write(self._encoder.encode(None))

    def _write(self, packets: Iterable[av.Packet[av.AudioStream]]) -> None:
        for packet in packets:
            if not packet.size:
                continue
            if not self.packet_count:
                self.priming = -(packet.pts or 0)
            data = bytes(packet)
            self.hash.update(data)
            self._into.write(framed(data, self._settings))
            self.packet_count += 1


def _voice(sound: Sound | None, rate: int, gain: float) -> NDArray[np.float32]:
    if sound is None:
        return np.zeros(0, np.float32)
    samples = resampled(sound, rate).samples.astype(np.float32) * np.float32(gain / _LOUDEST)
    return np.clip(samples, -1, 1, out=samples)


def _level(voice: NDArray[np.float32]) -> float:
    return round(float(np.sqrt(np.mean(np.square(voice), dtype=np.float64))), 6) if len(voice) else 0.0
