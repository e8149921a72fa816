"""What is written into the files of a book?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tts_pipeline.assemble import read_record
from tts_pipeline.audio import mux
from tts_pipeline.audio.captions import cues, srt, vtt
from tts_pipeline.audio.records import EncodedChapter, Span
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import chapter_marks, common_settings, track_marks
from tts_pipeline.book import Item
from tts_pipeline.book_settings import Publishing
from tts_pipeline.durable import write_whole
from tts_pipeline.manifest import read_items
from tts_pipeline.problems import problems
from tts_pipeline.publication import CAPTIONS, Files
from tts_pipeline.report.model import (
    VERSION,
    BookFacts,
    ChapterLine,
    FileFacts,
    Head,
    Missing,
    SentenceLine,
    Totals,
)
from tts_pipeline.report.writing import pieces
from tts_pipeline.shelf import EncodedRow, Rendition
from tts_pipeline.stages.desk import Desk


@dataclass(frozen=True)
class Bound:
    """What was bound into a file."""

    seconds: float
    missing_count: int


@dataclass(frozen=True)
class _Bookbinder:
    """Walks over the chapters of a book as they lie in the store; holds one at a time."""

    desk: Desk
    rows: Sequence[EncodedRow]
    records: Sequence[EncodedChapter]
    """Without their items, which would be as many as the book has."""
    marks: Sequence[tuple[int, int]]
    """The first sample of each chapter, and the one after its last."""

    def heard(self, number: int) -> Iterator[tuple[Item, Rendition | None, Span]]:
        """Give every sentence of a chapter with its clip, and where in the book it is heard."""
        (start, _), key = self.marks[number], self.rows[number].key or ""
        items = read_items(self.desk.store, self.desk.manifest.chapters[number])
        spans = read_record(self.desk.store, key).items
        made = [one for batch in self.desk.shelf.batches(self.desk.book, number) for one in batch.renditions]
        for item, rendition, span in zip(items, made, spans, strict=True):
            if item.is_heard:
                placed = span.model_copy(update={"first": start + span.first, "end": start + span.end})
                yield item, rendition if span.end > span.first else None, placed

    def chapter_lines(self) -> Iterator[ChapterLine]:
        """Give every chapter, and where it is in the file."""
        heads = self.desk.manifest.chapters
        for number, (head, record, (first, end)) in enumerate(zip(heads, self.records, self.marks, strict=True)):
            yield ChapterLine(
                number=number,
                title=head.title,
                first=first,
                end=end,
                packet_count=record.packet_count,
                packets_hash=record.packets_hash,
            )

    def sentence_lines(self) -> Iterator[SentenceLine]:
        """Give every sentence, where it comes from and where it is heard."""
        for chapter, (item, made, span) in self._all_heard():
            yield SentenceLine(
                number=item.number,
                chapter=chapter,
                source=item.place,
                text_sha256=hashlib.sha256(item.text.encode()).hexdigest(),
                clip=made.checksum if made else None,
                engine=made.engine if made else None,
                first=span.first,
                end=span.end,
                level=span.level,
            )

    def shown(self) -> Iterator[tuple[int, int, str]]:
        """Give what the captions of the book are made of."""
        return ((span.first, span.end, item.text) for _, (item, _, span) in self._all_heard())

    def shown_alone(self, number: int) -> Iterator[tuple[int, int, str]]:
        """Give what the captions of a chapter are made of that is a file of its own."""
        start, _ = self.marks[number]
        return ((span.first - start, span.end - start, item.text) for item, _, span in self.heard(number))

    def _all_heard(self) -> Iterator[tuple[int, tuple[Item, Rendition | None, Span]]]:
        return ((number, heard) for number in range(len(self.rows)) for heard in self.heard(number))


def bind(desk: Desk, publishing: Publishing, rows: Sequence[EncodedRow], files: Files) -> Bound:
    """Write a book's sound, captions and report from its encoded chapters; nothing is encoded.

    Raises NotStored or DamagedFile naming the key where a chapter is not in the store as it was encoded.
    """
    records = [read_record(desk.store, row.key or "").model_copy(update={"items": ()}) for row in rows]
    binder = _Bookbinder(desk, rows, records, (track_marks if files.kind.is_folder else chapter_marks)(records))
    chapters = [_audio(desk, *each) for each in enumerate(zip(rows, records, strict=True))]
    mux.publish(files.sound, chapters, _tags(desk), files.kind)
    _write_captions(binder, files)
    head = _head(publishing, binder, files)
    write_whole(files.report, pieces(head, binder.chapter_lines(), binder.sentence_lines()))
    return Bound(head.totals.seconds, head.totals.missing)


def _write_captions(binder: _Bookbinder, files: Files) -> None:
    rate = common_settings(binder.records).rate
    for number, path in enumerate(files.captioned):
        for ending, written in zip(CAPTIONS, (vtt, srt), strict=True):
            shown = binder.shown_alone(number) if files.kind.is_folder else binder.shown()
            write_whole(path.with_name(path.name + ending), written(cues(shown, rate)))


def _audio(desk: Desk, number: int, encoded: tuple[EncodedRow, EncodedChapter]) -> mux.ChapterAudio:
    row, record = encoded
    key = row.key or ""
    return mux.ChapterAudio(key, desk.manifest.chapters[number].title, record, desk.store.chunks(key))


def _tags(desk: Desk) -> BookTags:
    manifest = desk.manifest
    return BookTags(
        title=manifest.title,
        author=manifest.author,
        narrator=manifest.voices[0],
        language=manifest.language,
        cover=desk.store.get(manifest.cover_key) if manifest.cover_key else None,
    )


def _head(publishing: Publishing, binder: _Bookbinder, files: Files) -> Head:
    desk, records, samples = binder.desk, binder.records, binder.marks[-1][1]
    manifest = desk.manifest
    missing = _missing(desk, {number for row in binder.rows for number in row.missing})
    return Head(
        version=VERSION,
        book=BookFacts(
            id=desk.book.id,
            revision=desk.book.revision,
            title=manifest.title,
            author=manifest.author,
            language=manifest.language,
            narrator=manifest.voices[0],
        ),
        source=manifest.source,
        settings=manifest.settings,
        file=FileFacts(
            name=files.sound.name,
            format=publishing.format,
            bytes=files.size,
            codec=records[0].settings,
            normalize=publishing.normalize,
            frame_size=records[0].frame_size,
            priming=records[0].priming,
        ),
        totals=Totals(
            chapters=len(records),
            sentences=manifest.sentence_count,
            missing=len(missing),
            samples=samples,
            seconds=round(samples / records[0].settings.rate, 3),
        ),
        missing=tuple(missing),
    )


def _missing(desk: Desk, numbers: set[int]) -> list[Missing]:
    """Say of each sentence that is not in the file why not."""
    if not numbers:
        return []
    reasons = {problem.number: problem.reason for problem in problems(desk.shelf, desk.book)}
    return [
        Missing(number=item.number, text=item.text, reason=reasons.get(item.number, "it was not rendered"))
        for chapter in desk.manifest.chapters
        if any(chapter.first_item <= number < chapter.first_item + chapter.item_count for number in numbers)
        for item in read_items(desk.store, chapter)
        if item.number in numbers
    ]
