"""At which sample of the published file does each chapter and each item stand?

Chapters follow each other packet by packet. Players leave out the priming of the first, and
hear that of every other as silence; all are equally long. So the first sample of a chapter's
sound stands exactly where the packets of the chapters before it end. The last chapter ends
with its last packet; in Ogg, which can say so, with its last sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from tts_pipeline.audio.codec import CodecName, CodecSettings
from tts_pipeline.audio.records import EncodedChapter


class Placed(NamedTuple):
    """Where an item is heard in the published file: from one sample up to another that is not its own."""

    chapter: int
    item: int
    """Its place in its chapter, from 0."""
    first: int
    end: int


def chapter_marks(chapters: Sequence[EncodedChapter]) -> list[tuple[int, int]]:
    """Return the first sample of each chapter, and the one after its last."""
    bounds = [0, *accumulate(chapter.duration for chapter in chapters)]
    if chapters:
        bounds[-1] = bounds[-2] + _heard(chapters[-1])
    return list(pairwise(bounds))


def track_marks(chapters: Sequence[EncodedChapter]) -> list[tuple[int, int]]:
    """Return the same where each chapter is a file of its own, and they are played one after another."""
    return list(pairwise([0, *accumulate(map(_heard, chapters))]))


def _heard(last: EncodedChapter) -> int:
    """Return how many samples a player plays of the last chapter of a file."""
    return last.sample_count if last.settings.codec is CodecName.OPUS else last.duration - last.priming


def placed(chapters: Sequence[EncodedChapter]) -> Iterator[Placed]:
    """Give every item of a book, in order."""
    for chapter, (record, (start, _)) in enumerate(zip(chapters, chapter_marks(chapters), strict=True)):
        for item, span in enumerate(record.items):
            yield Placed(chapter, item, start + span.first, start + span.end)


def sample_count(chapters: Sequence[EncodedChapter]) -> int:
    """Return how many samples a decoder gives of the published file."""
    return chapter_marks(chapters)[-1][1] if chapters else 0


def common_settings(chapters: Sequence[EncodedChapter]) -> CodecSettings:
    """Return how a book is encoded; ValueError where its chapters can't be joined."""
    alike = {(chapter.settings, chapter.frame_size, chapter.priming) for chapter in chapters}
    if len(alike) != 1:
        raise ValueError(f"chapters encoded in {len(alike)} ways can't be joined")
    return chapters[0].settings
