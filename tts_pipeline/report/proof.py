"""Is a published book what its report says?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.records import EncodedChapter, Span
from tts_pipeline.audio.verify import Finding, verify
from tts_pipeline.report.model import ChapterLine, Report, SentenceLine
from tts_pipeline.report.published import read_report


@dataclass(frozen=True)
class Proof:
    """What came of checking a file against its report."""

    file: Path
    report: Report
    flaws: tuple[str, ...]

    @property
    def is_good(self) -> bool:
        """Whether the file is all that the report says."""
        return not self.flaws


def prove(report_path: Path) -> Proof:
    """Check the file beside a report: its packets, its length, its marks, and that each sentence is heard in it.

    Raises DamagedFile where there is no report that can be read.
    """
    report = read_report(report_path)
    file = report_path.with_name(report.file.name)
    chapters = [_record(report, chapter) for chapter in report.chapters]
    found = [_in_words(report, finding) for finding in verify(file, chapters, FORMATS.get(report.file.format))]
    return Proof(file, report, (*_contradictions(report), *found))


def _record(report: Report, chapter: ChapterLine) -> EncodedChapter:
    return EncodedChapter(
        settings=report.file.codec,
        frame_size=report.file.frame_size,
        packet_count=chapter.packet_count,
        priming=report.file.priming,
        sample_count=chapter.end - chapter.first,
        packets_hash=chapter.packets_hash,
        items=tuple(
            Span(first=one.first - chapter.first, end=one.end - chapter.first, level=one.level)
            for one in _heard(report, chapter.number)
        ),
    )


def _heard(report: Report, chapter: int) -> list[SentenceLine]:
    return [one for one in report.sentences if one.chapter == chapter and one.clip is not None]


def _contradictions(report: Report) -> Iterator[str]:
    """Give what in a report can't be: it was written by hand, or lost lines."""
    numbers = [one.number for one in report.sentences]
    if numbers != sorted(set(numbers)):
        yield "its sentences are not in order"
    if len(numbers) != report.totals.sentences:
        yield f"it lists {len(numbers)} sentences instead of {report.totals.sentences}"
    silent = {one.number for one in report.sentences if one.clip is None}
    if silent != {one.number for one in report.missing}:
        yield "its list of missing sentences is not complete"
    ends = [(one.first, one.end) for one in report.sentences if one.clip is not None]
    if any(before[1] > after[0] for before, after in pairwise(ends)):
        yield "its sentences overlap"


def _in_words(report: Report, finding: Finding) -> str:
    if finding.chapter is None:
        return finding.reason
    chapter = report.chapters[finding.chapter]
    where = f"chapter {chapter.number + 1}"
    if finding.item is not None:
        where += f", sentence {_heard(report, chapter.number)[finding.item].number + 1}"
    return f"{where}: {finding.reason}"
