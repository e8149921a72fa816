"""What is a clip, and how is it kept without losing a bit?"""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass

import av
import numpy as np
from numpy.typing import NDArray

from tts_pipeline.errors import DamagedFile

Samples = NDArray[np.int16]

BARE = {"fflags": "+bitexact", "metadata_header_padding": "0"}
"""Without room for tags, which would be 8 kB in every clip."""

_STREAMINFO_MD5 = slice(26, 42)
"""Where a FLAC file keeps the MD5 of its samples: after its mark, a block's head, and 18 bytes of figures."""


@dataclass(frozen=True, eq=False)
class Sound:
    """Mono samples, and how many there are to a second."""

    samples: Samples
    rate: int

    @property
    def checksum(self) -> str:
        """What is the same for the same sound, however it is packed."""
        return hashlib.sha256(b"%d\0" % self.rate + little_endian(self.samples)).hexdigest()

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / self.rate


def to_flac(sound: Sound) -> bytes:
    """Pack a sound; what from_flac gives back is the same to the bit."""
    if not len(sound.samples):
        raise ValueError("a clip without samples can't be kept")
    file = io.BytesIO()
    with av.open(file, "w", format="flac", container_options=BARE) as container:
        stream = container.add_stream("flac", rate=sound.rate, layout="mono", format="s16")
        frame = av.AudioFrame.from_ndarray(sound.samples.reshape(1, -1), "s16", "mono")
        frame.rate = sound.rate
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


def from_flac(data: bytes, checksum: str | None = None, name: str = "clip") -> Sound:
    """Unpack a sound; DamagedFile where it is not what was packed.

    With a checksum it is compared to that, otherwise to the MD5 that every FLAC file carries.
    """
    try:
        sound = _decoded(data)
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise DamagedFile(name, "it is no whole FLAC file") from error
    if checksum is None:
        md5 = hashlib.md5(little_endian(sound.samples), usedforsecurity=False).digest()
        is_whole = md5 == data[_STREAMINFO_MD5]
    else:
        is_whole = sound.checksum == checksum
    if not is_whole:
        raise DamagedFile(name, "its samples are not those that were stored")
    return sound


def _decoded(data: bytes) -> Sound:
    with av.open(io.BytesIO(data), "r", format="flac") as container:
        stream = container.streams.audio[0]
        stream.codec_context.thread_count = 1  # threads cost more to start than a clip takes
        parts = [frame.to_ndarray()[0] for frame in container.decode(stream)]
        return Sound(np.concatenate(parts).astype(np.int16, copy=False), stream.rate)


def little_endian(samples: Samples) -> bytes:
    """Return the samples as files keep them."""
    return samples.astype("<i2", copy=False).tobytes()
