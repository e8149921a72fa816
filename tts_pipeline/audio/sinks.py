"""What becomes of a chapter's samples while they come in?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import IO, Protocol

import av
import numpy as np
from numpy.typing import NDArray

from tts_pipeline.audio.clips import BARE, Samples, little_endian
from tts_pipeline.audio.codec import CodecName, CodecSettings
from tts_pipeline.audio.encoder import open_encoder
from tts_pipeline.audio.packets import framed

LOUDEST = 32768

Floats = NDArray[np.float32]


class Sink(Protocol):
    """Takes samples, any number at a time, and writes what they are encoded to."""

    @property
    def sample_count(self) -> int:
        """How many samples it has taken. This and what follows is in a chapter's record."""

    @property
    def frame_size(self) -> int:
        """Samples in every packet."""

    @property
    def priming(self) -> int:
        """The encoder's delay."""

    @property
    def packet_count(self) -> int:
        """How many packets it has written."""

    @property
    def packets_hash(self) -> str:
        """SHA-256 of all of them."""

    def feed(self, samples: Floats) -> None:
        """Take samples; 1 is the loudest there is."""

    def finish(self) -> None:
        """Pad to whole packets, one at least, and let the encoder give what it holds back."""


def open_sink(settings: CodecSettings, into: IO[bytes]) -> Sink:
    """Return what encodes to a file."""
    return _SampleSink(settings, into) if settings.is_lossless else _PacketSink(settings, into)


def whole_numbers(samples: Floats) -> Samples:
    """Return samples as 16 bits keep them; those that came from there come back to the bit."""
    scaled: Floats = np.rint(samples * np.float32(LOUDEST))
    np.clip(scaled, -LOUDEST, LOUDEST - 1, out=scaled)
    return scaled.astype(np.int16)


class _PacketSink:
    """Writes packets, each with its head."""

    def __init__(self, settings: CodecSettings, into: IO[bytes]) -> None:
        self._settings, self._into = settings, into
        self._encoder, self._hash = open_encoder(settings), hashlib.sha256()
        self.frame_size = self._encoder.frame_size
        self.sample_count = self.packet_count = self.priming = 0

    @property
    def packets_hash(self) -> str:
        return self._hash.hexdigest()

    def feed(self, samples: Floats) -> None:
        if not len(samples):
            return
        frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), self._settings.sample_format, "mono")
        frame.rate, frame.pts, frame.time_base = self._settings.rate, self.sample_count, self._settings.time_base
        self.sample_count += len(samples)
        self._write(self._encoder.encode(frame))

    def finish(self) -> None:
        self.feed(np.zeros(self._padding() if self.sample_count else self.frame_size, np.float32))
        self._write(self._encoder.encode(None))

    def _padding(self) -> int:
        """Say how much silence makes whole packets; Opus fills its last one with the encoder's delay and no more."""
        return 0 if self._settings.codec is CodecName.OPUS else -self.sample_count % self.frame_size

    def _write(self, packets: Iterable[av.Packet[av.AudioStream]]) -> None:
        for packet in packets:
            if not packet.size:
                continue
            if not self.packet_count:
                self.priming = -(packet.pts or 0)
            data = bytes(packet)
            self._hash.update(data)
            self._into.write(framed(data, self._settings))
            self.packet_count += 1


class _SampleSink:
    """Writes a .flac; where the file can't go back, without its length and MD5, which nobody needs of a chapter."""

    frame_size, priming = 1, 0

    def __init__(self, settings: CodecSettings, into: IO[bytes]) -> None:
        self._rate, self._hash = settings.rate, hashlib.sha256()
        self._container = av.open(into, "w", format="flac", container_options=BARE)
        stream = self._container.add_stream(settings.encoder, rate=settings.rate, options=settings.options)
        assert isinstance(stream, av.AudioStream)
        self._stream = stream
        self._stream.layout, self._stream.format = "mono", settings.sample_format
        self.sample_count = 0

    @property
    def packet_count(self) -> int:
        return self.sample_count

    @property
    def packets_hash(self) -> str:
        return self._hash.hexdigest()

    def feed(self, samples: Floats) -> None:
        if not len(samples):
            return
        numbers = whole_numbers(samples)
        frame = av.AudioFrame.from_ndarray(numbers.reshape(1, -1), "s16", "mono")
        frame.rate = self._rate
        self.sample_count += len(numbers)
        self._hash.update(little_endian(numbers))
        self._container.mux(self._stream.encode(frame))

    def finish(self) -> None:
        if not self.sample_count:
            self.feed(np.zeros(1, np.float32))
        self._container.mux(self._stream.encode(None))
        self._container.close()
