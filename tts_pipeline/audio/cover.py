"""Which picture can stand on a book?"""

from __future__ import annotations

import io
from dataclasses import dataclass
from fractions import Fraction

import av
from av.video.codeccontext import VideoCodecContext

MOST_PIXELS = 50_000_000

_KINDS = (
    (b"\xff\xd8\xff", "jpeg_pipe"),
    (b"\x89PNG\r\n\x1a\n", "png_pipe"),
    (b"GIF8", "gif"),
    (b"RIFF", "webp_pipe"),
    (b"BM", "bmp_pipe"),
    (b"II*\0", "tiff_pipe"),
    (b"MM\0*", "tiff_pipe"),
)
"""How files begin, and what reads them. Never left to a guess: some of what FFmpeg guesses opens other files."""


@dataclass(frozen=True)
class Picture:
    """A picture that every player shows."""

    data: bytes
    format: str
    """What reads it: jpeg_pipe or png_pipe."""
    width: int
    height: int

    @property
    def media_type(self) -> str:
        """What it is called elsewhere."""
        return "image/png" if self.format == "png_pipe" else "image/jpeg"


def usable_cover(data: bytes | None) -> Picture | None:
    """Return a JPEG or PNG as it is and others as a JPEG; None where it is no picture, for a book can do without."""
    kind = next((kind for mark, kind in _KINDS if data and data.startswith(mark)), None)
    if data is None or kind is None:
        return None
    try:
        frame = _first_frame(data, kind)
        if frame is None:
            return None
        if kind not in ("jpeg_pipe", "png_pipe"):
            data, kind = _jpeg(frame), "jpeg_pipe"
        return Picture(data, kind, frame.width, frame.height)
    except (av.FFmpegError, ValueError, IndexError):
        return None


def _first_frame(data: bytes, kind: str) -> av.VideoFrame | None:
    """Decode it, to know that it is whole; a picture of absurd size is not even tried."""
    with av.open(io.BytesIO(data), "r", format=kind) as container:
        stream = container.streams.video[0]
        if stream.width * stream.height > MOST_PIXELS:
            return None
        return next(container.decode(stream), None)


def _jpeg(frame: av.VideoFrame) -> bytes:
    encoder = av.CodecContext.create("mjpeg", "w")
    assert isinstance(encoder, VideoCodecContext)
    encoder.width, encoder.height, encoder.time_base = frame.width, frame.height, Fraction(1, 25)
    encoder.pix_fmt, encoder.color_range = "yuvj420p", 2
    return b"".join(bytes(packet) for packet in (*encoder.encode(frame.reformat(format="yuvj420p")), *encoder.encode()))
