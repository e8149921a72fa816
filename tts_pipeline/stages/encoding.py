"""How is a chapter encoded, and what happens where a clip of it is not there any more?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from queue_core import Snooze, Task, begin_step, is_draining
from tts_pipeline.assemble import AS_SPOKEN, ChapterSound, Encoder, Leveling, mended
from tts_pipeline.audio.codec import CodecSettings
from tts_pipeline.book import Item
from tts_pipeline.book_settings import Encoding
from tts_pipeline.errors import DamagedFile, NotStored
from tts_pipeline.manifest import read_items
from tts_pipeline.orders import Effort, EncodeItem
from tts_pipeline.shelf import EncodedRow
from tts_pipeline.shelf.shelf import Mended
from tts_pipeline.stages.desk import Desk, desk_for
from tts_pipeline.stages.leveling import leveling_of
from tts_pipeline.stages.stopwatch import Stopwatch
from tts_pipeline.store import Store

_PIECE_SECONDS = 120.0
"""How long one sentence may take to be encoded: much longer than it ever does. It may have to be rendered, too."""


@dataclass(frozen=True)
class EncodeStage:
    """The handler of encode tasks."""

    store: Store
    effort: Effort

    def __call__(self, task: Task) -> dict[str, object]:
        (order,) = task.items_as(EncodeItem)
        desk = desk_for(task, self.store, self.effort)
        made = ChapterMaker(desk, order.encoding, allow_missing=order.allow_missing).make(order.chapter)
        return {"key": made.key, "missing": len(made.missing)}


@dataclass(frozen=True)
class ChapterMaker:
    """Encodes chapters of one book in one way."""

    desk: Desk
    encoding: Encoding
    allow_missing: bool = False

    def make(self, number: int, *, is_trusted: bool = True) -> EncodedRow:
        """Encode a chapter, or find it encoded, and note it; with no trust, encode it whatever is stored."""
        stopwatch, chapter, encoder = Stopwatch(), self._sound(number), self.encoder()
        if _missing(chapter):
            chapter = self._mended(number, chapter)
        try:
            key = encoder.encode(chapter, self._leveling(chapter), is_trusted=is_trusted)
        except (NotStored, DamagedFile):
            chapter = self._mended(number, chapter)
            key = encoder.encode(chapter, self._leveling(chapter), is_trusted=is_trusted)
        made = EncodedRow(number, key, _missing(chapter))
        self.desk.shelf.record_encoded(self.desk.task, self.desk.book, self.encoding.key, made, stopwatch.lap_ms())
        return made

    def encoder(self) -> Encoder:
        """Return who encodes in this way."""
        return Encoder(self.desk.store, self._settings, self._on_item)

    @property
    def _settings(self) -> CodecSettings:
        return self.encoding.codec_settings(self.desk.manifest.settings.speech.sample_rate)

    def _leveling(self, chapter: ChapterSound) -> Leveling:
        return leveling_of(self.desk, chapter, self._settings) if self.encoding.normalize else AS_SPOKEN

    def _sound(self, number: int) -> ChapterSound:
        items = read_items(self.desk.store, self.desk.manifest.chapters[number])
        batches = self.desk.shelf.batches(self.desk.book, number)
        return ChapterSound(items, [made for batch in batches for made in batch.renditions])

    def _on_item(self, item: Item) -> None:
        if is_draining():
            raise Snooze(0)  # what was encoded of it is a second's work
        begin_step(item.number, timeout_seconds=max(_PIECE_SECONDS, self.desk.effort.sentence_seconds))

    def _mended(self, number: int, chapter: ChapterSound) -> ChapterSound:
        """Render what is not there as it was, and note it on the shelf."""
        whole = mended(chapter, self.desk.renderer, self._on_item, allow_missing=self.allow_missing)
        self.desk.store.sync({made.key for made in whole.renditions if made})
        renewed = list(self._renewed(number, chapter, whole))
        self.desk.shelf.record_mended(self.desk.task, self.desk.book, renewed)
        return whole

    def _renewed(self, number: int, before: ChapterSound, after: ChapterSound) -> Iterator[Mended]:
        """Give what is new, with its batch and its place in it; the batches of a chapter follow one another."""
        pairs = iter(zip(before.renditions, after.renditions, strict=True))
        for batch in self.desk.shelf.batches(self.desk.book, number):
            for place, (old, new) in enumerate(islice(pairs, len(batch.renditions))):
                if new is not None and new != old:
                    yield Mended(batch.number, place, new)


def _missing(chapter: ChapterSound) -> tuple[int, ...]:
    both = zip(chapter.items, chapter.renditions, strict=True)
    return tuple(item.number for item, made in both if item.is_heard and made is None)
