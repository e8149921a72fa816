"""Memory does not grow with the length of a chapter or of a book."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")

PEAK = """
import sys
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) / 1024
"""
ENCODE = (
    PEAK
    + """
from tests.tts_pipeline.audio.sounds import CodecSettings, Piece, encode_chapter, murmur
clip, settings = murmur(1, 3), CodecSettings(codec=sys.argv[3])
with open(sys.argv[1], "wb") as file:
    encode_chapter((Piece(clip, 1000) for _ in range(int(sys.argv[2]) * 15)), settings, file)
print(peak())
"""
)
PUBLISH = (
    PEAK
    + """
from pathlib import Path
from tests.tts_pipeline.audio.sounds import FORMATS, Piece, chapter, murmur, published
known = FORMATS[sys.argv[3]]
minute = chapter([Piece(murmur(n, 3), 1000) for n in range(15)], known.settings(24000))
published(Path(sys.argv[1]), [minute] * int(sys.argv[2]), None, known)
print(peak())
"""
)


def peak_mb(program: str, *args: object) -> float:
    """Return the peak of a process of its own."""
    command = [sys.executable, "-c", program, *map(str, args)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("codec", ["aac", "opus", "flac"])
def test_encoding_a_long_chapter_takes_no_more_memory_than_a_short_one(codec, tmp_path):
    short, long = (peak_mb(ENCODE, tmp_path / "chapter", minutes, codec) for minutes in (1, 10))
    assert long - short < 6, "10 minutes are 28 MB of samples"


@pytest.mark.parametrize(("name", "most"), [("mp3", 6), ("opus", 6), ("flac", 6), ("wav", 6), ("m4b", 40)])
def test_publishing_two_hours_takes_no_more_than_ten_minutes(name, most, tmp_path):
    """Of an m4b the index grows: it has a place for each of 170,000 packets."""
    short, long = (peak_mb(PUBLISH, tmp_path / "book", minutes, name) for minutes in (10, 120))
    assert long - short < most, "two hours are 58 MB of packets and 350 MB of samples"
