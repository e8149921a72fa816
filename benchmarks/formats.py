"""How large is an hour of a book in each format, and how long does it take to make?"""

import argparse
import io
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import Cost, cost_of, interleaved, median_cost
from benchmarks.report import Row, Table
from benchmarks.voices import SENTENCES
from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import Effort
from tts_pipeline.audio.edit import fitted
from tts_pipeline.audio.encode import Piece, encode_chapter
from tts_pipeline.audio.formats import FORMATS, Format
from tts_pipeline.audio.leveling import chapter_gain
from tts_pipeline.audio.loudness import measure
from tts_pipeline.audio.mux import ChapterAudio, publish
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.engines import VoiceSettings, auto

RATE = 24_000
PAUSE_MS = 350
CHAPTERS = 4
HOUR = 3600
_BIT_RATES = {"m4b": (48000, 64000, 96000), "mp3": (48000, 64000, 96000), "opus": (24000, 32000, 48000)}


class _Book:
    """A short book that is encoded and published again and again in one way."""

    def __init__(self, sounds: Sequence[Sound], as_format: Format, bit_rate: int | None, effort: Effort) -> None:
        self.format, self.settings = as_format, as_format.settings(RATE, bit_rate, effort)
        self._sounds, self._chapters = sounds, list[ChapterAudio]()
        self._gain = chapter_gain([(measure(sound), PAUSE_MS) for sound in sounds], self.settings)
        self.encoding, self.publishing = list[Cost](), list[Cost]()
        self.bytes = 0

    @property
    def seconds(self) -> float:
        return sum(chapter.record.seconds for chapter in self._chapters)

    def make(self, folder: Path) -> None:
        self.encoding.append(cost_of(self._encode))
        path = self.format.path(folder, "book")
        self.publishing.append(cost_of(lambda: self._publish(path)))
        self.bytes = sum(file.stat().st_size for file in ([path] if path.is_file() else path.iterdir()))

    def _encode(self) -> int:
        self._chapters = [self._chapter(number) for number in range(CHAPTERS)]
        return round(self.seconds * 1000)

    def _chapter(self, number: int) -> ChapterAudio:
        file = io.BytesIO()
        pieces = (Piece(sound, PAUSE_MS) for sound in self._sounds)
        record = encode_chapter(pieces, self.settings, file, self._gain, limit=True)
        return ChapterAudio(f"chapters/{number}", f"Chapter {number}", record, [file.getvalue()])

    def _publish(self, path: Path) -> int:
        publish(path, self._chapters, BookTags("A book"), self.format)
        return round(self.seconds * 1000)


def formats(round_count: int) -> Table:
    """Encode and publish a chapter in every way in turn."""
    table = Table(
        title=f"Formats: an hour of a book by {auto('en').name}, {RATE} Hz",
        columns=("format", "kbit/s", "effort", "default", "MB", "publish, s"),
        judged="encode, s",
        notes=("CPU time of one core, medians; a lossless book is encoded once per chapter, and once at publish.",),
    )
    books = dict(enumerate(_ways()))
    with tempfile.TemporaryDirectory() as folder:
        for number in interleaved(books, round_count):
            books[number].make(Path(folder))
    for book in books.values():
        encode, write = (median_cost(costs).cpu_micros * HOUR / 1000 for costs in (book.encoding, book.publishing))
        size, settings = book.bytes / book.seconds * HOUR / 1e6, book.settings
        is_default = "yes" if settings == book.format.settings(RATE) else None
        shown = (settings.bit_rate // 1000 or None, str(settings.effort), is_default, size, write)
        table.rows.append(Row((book.format.name, *shown), encode))
    return table


def _ways() -> Iterator[_Book]:
    speaker = auto("en")
    clips = (fitted(speaker.synthesize(text, VoiceSettings()), RATE) for text in SENTENCES)
    sounds = [Sound(clip.samples, clip.rate) for clip in clips]
    for name, known in FORMATS.items():
        if known.is_folder:
            continue  # as mp3
        for bit_rate in _BIT_RATES.get(name, (None,)):
            yield _Book(sounds, known, bit_rate, Effort.QUICK)
        if known.settings(RATE).options != known.settings(RATE, effort=Effort.THOROUGH).options:
            yield _Book(sounds, known, None, Effort.THOROUGH)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.formats", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    print("\n".join(formats(parser.parse_args(arguments).rounds).lines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
