"""Sounds made for tests, and books of them."""

import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecName, CodecSettings
from tts_pipeline.audio.encode import Piece, encode_chapter
from tts_pipeline.audio.formats import FORMATS, Format, usual_format
from tts_pipeline.audio.mux import ChapterAudio, publish
from tts_pipeline.audio.tags import BookTags

RATE = 24000
AAC = CodecSettings(codec=CodecName.AAC, rate=RATE)
MP3 = CodecSettings(codec=CodecName.MP3, rate=RATE)
OPUS = CodecSettings(codec=CodecName.OPUS, rate=RATE)
FLAC = CodecSettings(codec=CodecName.FLAC, rate=RATE)
EVERY_CODEC = pytest.mark.parametrize("settings", [AAC, MP3, OPUS, FLAC], ids=lambda settings: settings.codec)
LOSSY = pytest.mark.parametrize("settings", [AAC, MP3, OPUS], ids=lambda settings: settings.codec)
EVERY_FORMAT = pytest.mark.parametrize("as_format", FORMATS.values(), ids=lambda known: known.name)
ONE_FILE = pytest.mark.parametrize(
    "as_format", [known for known in FORMATS.values() if not known.is_folder], ids=lambda known: known.name
)


def tone(seconds: float, hertz: float = 220, rate: int = RATE) -> Sound:
    """Return a hum."""
    count = round(seconds * rate)
    return Sound((np.sin(2 * np.pi * hertz * np.arange(count) / rate) * 9000).astype(np.int16), rate)


def murmur(seed: int, seconds: float, rate: int = RATE) -> Sound:
    """Return noise below 3 kHz that resembles no other seed's, so that it is found again where it stands."""
    count = round(seconds * rate)
    spectrum = np.fft.rfft(np.random.default_rng(seed).normal(size=count))
    spectrum[np.fft.rfftfreq(count, 1 / rate) > 3000] = 0
    wave = np.fft.irfft(spectrum, count)
    return Sound((wave / np.abs(wave).max() * 12000).astype(np.int16), rate)


def chapter(
    pieces: Iterable[Piece], settings: CodecSettings = AAC, *, key: str = "chapters/aa/bb", title: str = "A chapter"
) -> ChapterAudio:
    """Return an encoded chapter that is held in memory."""
    file = io.BytesIO()
    record = encode_chapter(pieces, settings, file)
    return ChapterAudio(key, title, record, [file.getvalue()])


def murmurs(seed: int, count: int = 3, settings: CodecSettings = AAC) -> ChapterAudio:
    """Return a chapter of a few murmurs, none of them whole frames long."""
    pieces = [Piece(murmur(seed * 100 + n, 0.7 + 0.013 * n + 0.007 * seed, settings.rate), 150) for n in range(count)]
    return chapter(pieces, settings, key=f"chapters/aa/{seed}", title=f"Chapter {seed}")


def published(
    path: Path, chapters: Sequence[ChapterAudio], tags: BookTags | None = None, as_format: Format | None = None
) -> Path:
    """Publish a book in a folder, or under a path."""
    if path.is_dir():
        path = (as_format or usual_format(chapters[0].record.settings.codec)).path(path, "book")
    publish(path, chapters, tags or BookTags("A title"), as_format)
    return path


def heard(path: Path) -> np.ndarray:
    """Return all samples that a player plays; of Opus, which it plays at 48 kHz, those at our rate."""
    with av.open(str(path)) as container:
        step = 2 if container.streams.audio[0].codec_context.name == "opus" else 1
        samples = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])[::step]
    return samples / 32768 if samples.dtype == np.int16 else samples


def png(width: int = 8, height: int = 8) -> bytes:
    return _picture("png", "rgb24", width, height)


def gif() -> bytes:
    file = io.BytesIO()
    with av.open(file, "w", format="gif") as container:
        stream = container.add_stream("gif", rate=1, width=8, height=8, pix_fmt="rgb8")
        container.mux(stream.encode(_flat(8, 8).reformat(format="rgb8")))
        container.mux(stream.encode(None))
    return file.getvalue()


def jpeg() -> bytes:
    return _picture("mjpeg", "yuvj420p", 16, 16)


def _picture(codec: str, pixels: str, width: int, height: int) -> bytes:
    encoder = av.CodecContext.create(codec, "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = width, height, pixels, Fraction(1, 25)
    if codec == "mjpeg":
        encoder.color_range = 2
    frames = _flat(width, height).reformat(format=pixels)
    return b"".join(bytes(packet) for packet in (*encoder.encode(frames), *encoder.encode(None)))


def _flat(width: int, height: int) -> av.VideoFrame:
    return av.VideoFrame.from_ndarray(np.full((height, width, 3), 90, np.uint8), "rgb24")
