"""How much CPU time does it take that every chapter is equally loud?"""

import argparse
import io
import sys
from collections.abc import Callable, Sequence

from benchmarks.measure import cost_of, interleaved, median_cost
from benchmarks.report import Row, Table, Target
from benchmarks.voices import SENTENCES
from tts_pipeline.audio.clips import Sound, from_flac, to_flac
from tts_pipeline.audio.edit import fitted
from tts_pipeline.audio.encode import Piece, encode_chapter
from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.leveling import chapter_gain
from tts_pipeline.audio.loudness import Loudness, measure
from tts_pipeline.engines import VoiceSettings, available, engine

MOST = 1.1
"""How many times the CPU time of a book that is left as loud as it was spoken."""
RATE = 24_000
PAUSE_MS = 350
_LEAVES_AS_IT_IS, _LEVELS = False, True

Stored = tuple[bytes, str | None]
"""A clip, and what is kept of its loudness."""


def loudness(round_count: int) -> Table:
    """Render and encode a chapter in each way in turn, with each voice and in some formats."""
    table = Table(
        title="Loudness: CPU time of a second of a book, from text to encoded chapter, milliseconds (median)",
        columns=("voice", "format", "as spoken", "-19 LUFS"),
        judged="ratio",
        notes=("espeak stands for pyttsx3, which calls it; tone costs nearly nothing, and needs no limiter.",),
    )
    voices = [name for name, reason in available() if reason is None and name != "pyttsx3"]
    for voice in voices:
        for name in ("m4b", "mp3", "opus"):
            before, after = _costs(voice, name, round_count)
            target = None if voice == "tone" else Target("<=", MOST)
            table.rows.append(Row((voice, name, before, after), after / before, target))
    return table


def _costs(voice: str, name: str, round_count: int) -> tuple[float, float]:
    """Return milliseconds per second of audio: as spoken, and leveled."""
    ways: dict[bool, Callable[[], int]] = {
        is_leveled: _way(voice, name, is_leveled=is_leveled) for is_leveled in (_LEAVES_AS_IT_IS, _LEVELS)
    }
    for way in ways.values():
        way()
    costs = {key: [] for key in ways}
    for key in interleaved(ways, round_count):
        costs[key].append(cost_of(ways[key]))
    before, after = (median_cost(costs[key]).cpu_micros for key in ways)
    return before, after


def _way(voice: str, name: str, *, is_leveled: bool) -> Callable[[], int]:
    """Return what renders and encodes, and says how many milliseconds came out of it."""
    speaker, settings = engine(voice), FORMATS[name].settings(RATE)

    def rendered(text: str) -> Stored:
        clip = fitted(speaker.synthesize(text, VoiceSettings()), RATE)
        sound = Sound(clip.samples, clip.rate)
        return to_flac(sound), measure(sound).to_text() if is_leveled else None

    def run() -> int:
        stored = [rendered(text) for text in SENTENCES]
        pieces = (Piece(from_flac(data), PAUSE_MS) for data, _ in stored)
        gain = 1.0
        if is_leveled:
            gain = chapter_gain([(Loudness.from_text(text or ""), PAUSE_MS) for _, text in stored], settings)
        record = encode_chapter(pieces, settings, io.BytesIO(), gain, limit=is_leveled)
        return round(record.seconds * 1000)

    return run


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if the target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loudness", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    table = loudness(parser.parse_args(arguments).rounds)
    print("\n".join(table.lines()))
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
