"""How is a chapter encoded, and what happens where a clip of it is not there any more?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from queue_core import Snooze, Task, begin_step, is_draining
from tts_pipeline.assemble import ChapterSound, Encoder, mended
from tts_pipeline.book import Item
from tts_pipeline.book_settings import Publishing
from tts_pipeline.errors import DamagedFile, NotStored
from tts_pipeline.manifest import read_items
from tts_pipeline.orders import EncodeItem
from tts_pipeline.shelf import Batch, EncodedRow, Rendition
from tts_pipeline.stages.desk import Desk, desk_for
from tts_pipeline.store import Store


@dataclass(frozen=True)
class EncodeStage:
    """The handler of encode tasks."""

    store: Store

    def __call__(self, task: Task) -> dict[str, object]:
        (order,) = task.items_as(EncodeItem)
        maker = ChapterMaker(desk_for(task, self.store), order.publishing, allow_missing=order.allow_missing)
        made = maker.make(order.chapter)
        return {"key": made.key, "missing": len(made.missing)}


@dataclass(frozen=True)
class ChapterMaker:
    """Encodes chapters of one book for one file."""

    desk: Desk
    publishing: Publishing
    allow_missing: bool = False

    def make(self, number: int, *, is_trusted: bool = True) -> EncodedRow:
        """Encode a chapter, or find it encoded, and note it; with no trust, encode it whatever is stored."""
        chapter, encoder = self._sound(number), self._encoder()
        if _missing(chapter) and not self.allow_missing:
            chapter = self._mended(number, chapter)
        try:
            key = encoder.encode(chapter, is_trusted=is_trusted)
        except (NotStored, DamagedFile):
            chapter = self._mended(number, chapter)
            key = encoder.encode(chapter, is_trusted=is_trusted)
        made = EncodedRow(number, self.desk.task.id, key, _missing(chapter))
        self.desk.shelf.record_encoded(self.desk.task, self.desk.book, self.publishing.format, made)
        return made

    def _sound(self, number: int) -> ChapterSound:
        items = read_items(self.desk.store, self.desk.manifest.chapters[number])
        renditions = [made for batch in self._batches(number) for made in batch.renditions]
        return ChapterSound(items, renditions)

    def _batches(self, number: int) -> Sequence[Batch]:
        return self.desk.shelf.batches(self.desk.book, number)

    def _encoder(self) -> Encoder:
        settings = self.publishing.codec_settings(self.desk.manifest.settings.speech.sample_rate)
        return Encoder(self.desk.store, settings, self._on_item)

    def _on_item(self, item: Item) -> None:
        if is_draining():
            raise Snooze(0)  # what was encoded of it is a second's work
        begin_step(item.number, timeout_seconds=self.desk.task.timeout_seconds)

    def _mended(self, number: int, chapter: ChapterSound) -> ChapterSound:
        """Render what is not there as it was, and note it on the shelf."""
        whole = mended(chapter, self.desk.renderer, self._on_item, allow_missing=self.allow_missing)
        self.desk.store.sync({made.key for made in whole.renditions if made})
        renewed = list(_divided(self._batches(number), whole.renditions))
        self.desk.shelf.record_mended(self.desk.task, self.desk.book, renewed)
        return whole


def _missing(chapter: ChapterSound) -> tuple[int, ...]:
    both = zip(chapter.items, chapter.renditions, strict=True)
    return tuple(item.number for item, made in both if item.text and made is None)


def _divided(batches: Sequence[Batch], renditions: Sequence[Rendition | None]) -> Iterator[Batch]:
    """Give the batches of a chapter with these renditions, which follow one another over all of them."""
    start = 0
    for batch in batches:
        end = start + len(batch.renditions)
        own = tuple(renditions[start:end])
        start = end
        is_whole = sum(made is not None for made in own) == batch.sentence_count
        yield replace(batch, renditions=own, failures=() if is_whole else batch.failures)
