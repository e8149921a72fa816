"""Is a published file what its records say: every packet, every sample, and every sentence heard?"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

import av
import numpy as np
from av.container import InputContainer
from numpy.typing import NDArray

from tts_pipeline.audio.clips import little_endian
from tts_pipeline.audio.formats import Format, usual_format
from tts_pipeline.audio.playlist import PLAYLIST, track_paths
from tts_pipeline.audio.records import EncodedChapter
from tts_pipeline.audio.sinks import LOUDEST
from tts_pipeline.audio.timeline import chapter_marks, common_settings, placed, sample_count

MARK_TOLERANCE_SECONDS = 0.020
QUIETEST = 0.00005
"""What is softer than this, 86 dB below the loudest there is, was never a recording."""
_LEAST_SHARE = 0.25
"""Of the level that was encoded: an encoder takes away some of a noise, never 12 dB of a voice."""
_BLOCK_FRAMES = 32


class Flaw(StrEnum):
    """What can be wrong with a published file."""

    UNREADABLE = "unreadable"
    MARKS = "marks"
    PACKETS = "packets"
    SAMPLES = "samples"
    SILENT = "silent"


class Finding(NamedTuple):
    """One thing that is wrong, and where."""

    flaw: Flaw
    reason: str
    chapter: int | None = None
    """Its place in the book, from 0."""
    item: int | None = None
    """Its place in the chapter, from 0."""


def verify(path: Path, chapters: Sequence[EncodedChapter], as_format: Format | None = None) -> list[Finding]:
    """Return all that is wrong with a published book; nothing where it is good. Decodes it once, as a stream."""
    chosen = as_format or usual_format(common_settings(chapters).codec)
    if chosen.is_folder:
        return list(_tracks(path, chapters, chosen))
    return list(_file(path, chapters, chosen, is_marked=True))


def _tracks(folder: Path, chapters: Sequence[EncodedChapter], chosen: Format) -> Iterator[Finding]:
    paths = track_paths(folder)
    if len(paths) != len(chapters):
        yield Finding(Flaw.UNREADABLE, f"{PLAYLIST} names {len(paths)} files instead of {len(chapters)}")
        return
    for number, (path, chapter) in enumerate(zip(paths, chapters, strict=True)):
        for finding in _file(path, [chapter], chosen, is_marked=False):
            yield finding._replace(chapter=number)


def _file(path: Path, chapters: Sequence[EncodedChapter], chosen: Format, *, is_marked: bool) -> Iterator[Finding]:
    try:
        with av.open(str(path), "r", format=chosen.reader) as container:
            if not container.streams.audio[0].rate:
                yield Finding(Flaw.UNREADABLE, f"{path.name} holds no sound")
                return
            if is_marked:
                yield from _marks(container, chapters, chosen)
            yield from _sound(container, chapters)
    except (av.FFmpegError, OSError, IndexError) as error:
        yield Finding(Flaw.UNREADABLE, f"{path.name} can't be read: {error}")


def _marks(container: InputContainer, chapters: Sequence[EncodedChapter], chosen: Format) -> Iterator[Finding]:
    found, rate = container.chapters(), chapters[0].settings.rate
    starts = [start for start, _ in chapter_marks(chapters)]
    starts = starts[: chosen.mark_count(starts)]
    if len(found) != len(starts):
        yield Finding(Flaw.MARKS, f"{len(found)} chapter marks instead of {len(starts)}")
        return
    for number, (mark, start) in enumerate(zip(found, starts, strict=True)):
        off = float(mark["start"] * (mark["time_base"] or 0)) - start / rate
        if abs(off) > MARK_TOLERANCE_SECONDS:
            yield Finding(Flaw.MARKS, f"its mark is off by {off:.3f} s", number)


def _sound(container: InputContainer, chapters: Sequence[EncodedChapter]) -> Iterator[Finding]:
    is_lossless = chapters[0].settings.is_lossless
    packets, levels = _Samples(chapters) if is_lossless else _Packets(chapters), _Levels(chapters)
    try:
        for packet in container.demux(container.streams.audio[0]):
            if packet.size and not is_lossless:
                packets.take(bytes(packet))
            for frame in packet.decode():
                samples = frame.to_ndarray()[0]
                if is_lossless:
                    packets.take(little_endian(samples))
                    samples = samples.astype(np.float32) / LOUDEST
                levels.take(samples)
    except av.FFmpegError as error:
        yield Finding(Flaw.UNREADABLE, f"after {levels.sample_count} samples: {error}")
    yield from packets.findings()
    yield from levels.findings()


class _Packets:
    """Compares the packets of each chapter with those that were encoded."""

    _unit = "packets"

    def __init__(self, chapters: Sequence[EncodedChapter]) -> None:
        self._expected = [(chapter.packet_count, chapter.packets_hash) for chapter in chapters]
        self._found: list[str] = []
        self._hash, self._count, self._beyond = hashlib.sha256(), 0, 0

    def take(self, packet: bytes) -> None:
        self._add(packet, 1)

    def _add(self, data: bytes, count: int) -> None:
        """Add packets of which no two belong to different chapters."""
        if len(self._found) == len(self._expected):
            self._beyond += count
            return
        self._hash.update(data)
        self._count += count
        if self._count == self._expected[len(self._found)][0]:
            self._found.append(self._hash.hexdigest())
            self._hash, self._count = hashlib.sha256(), 0

    def findings(self) -> Iterator[Finding]:
        for number, (count, expected) in enumerate(self._expected):
            if number > len(self._found) or (number == len(self._found) and not self._count):
                yield Finding(Flaw.PACKETS, f"all of its {count} {self._unit} are missing", number)
            elif number == len(self._found):
                yield Finding(Flaw.PACKETS, f"only {self._count} of its {count} {self._unit} are there", number)
            elif self._found[number] != expected:
                yield Finding(Flaw.PACKETS, f"its {self._unit} are not those that were encoded", number)
        if self._beyond:
            yield Finding(Flaw.PACKETS, f"{self._beyond} {self._unit} belong to no chapter")


class _Samples(_Packets):
    """Compares the samples instead, where a packet may belong to two chapters."""

    _unit = "samples"
    _bytes = 2

    def take(self, packet: bytes) -> None:
        while packet:
            missing = self._expected[len(self._found)][0] - self._count if len(self._found) < len(self._expected) else 0
            part = packet[: missing * self._bytes] or packet
            self._add(part, len(part) // self._bytes)
            packet = packet[len(part) :]


class _Levels:
    """Measures how loud each item is, and how many samples there are in all."""

    def __init__(self, chapters: Sequence[EncodedChapter]) -> None:
        settings = common_settings(chapters)
        factor = settings.decoded_rate // settings.rate
        self._expected_count = sample_count(chapters) * factor
        self._levels = [span.level for chapter in chapters for span in chapter.items]
        self._items = [item._replace(first=item.first * factor, end=item.end * factor) for item in placed(chapters)]
        self._energies = [0.0] * len(self._items)
        self._current, self._waiting = 0, list[NDArray[np.float32]]()
        self.sample_count = 0

    def take(self, samples: NDArray[np.float32]) -> None:
        self._waiting.append(samples)
        if len(self._waiting) == _BLOCK_FRAMES:
            self._measure()

    def _measure(self) -> None:
        """Add a block to the energies of the items that it belongs to."""
        if not self._waiting:
            return
        block = np.concatenate(self._waiting)
        self._waiting.clear()
        start, self.sample_count = self.sample_count, self.sample_count + len(block)
        while self._current < len(self._items) and self._items[self._current].first < self.sample_count:
            item = self._items[self._current]
            part = block[max(0, item.first - start) : item.end - start]
            self._energies[self._current] += float(np.dot(part, part))
            if item.end > self.sample_count:
                break
            self._current += 1

    def findings(self) -> Iterator[Finding]:
        self._measure()
        if self.sample_count != self._expected_count:
            yield Finding(Flaw.SAMPLES, f"{self.sample_count} samples instead of {self._expected_count}")
        for item, energy, expected in zip(self._items, self._energies, self._levels, strict=True):
            if item.end == item.first:
                continue
            level = math.sqrt(energy / (item.end - item.first))
            if level < max(expected * _LEAST_SHARE, QUIETEST):
                reason = f"its level is {level:.4f}, and {expected:.4f} was encoded"
                yield Finding(Flaw.SILENT, reason, item.chapter, item.item)
