"""How does a book get from the store to its folder, all of it or nothing?"""

from __future__ import annotations

from dataclasses import dataclass

from queue_core import Cancel, Task
from tts_pipeline.errors import DamagedFile, NotStored, SentencesMissing, Superseded
from tts_pipeline.orders import PublishItem
from tts_pipeline.publication import Files
from tts_pipeline.shelf import EncodedRow, Publication
from tts_pipeline.stages.binding import Bound, bind
from tts_pipeline.stages.desk import Desk, desk_for
from tts_pipeline.stages.encoding import ChapterMaker
from tts_pipeline.store import Store


@dataclass(frozen=True)
class PublishStage:
    """The handler of publish tasks."""

    store: Store

    def __call__(self, task: Task) -> dict[str, object]:
        (order,) = task.items_as(PublishItem)
        desk = desk_for(task, self.store)
        wanted = next(each for each in desk.shelf.publications(desk.book.id) if each.format == order.publishing.format)
        files = Files.of(desk.book, order.publishing.format, is_first=wanted.place == 0)
        maker = ChapterMaker(desk, order.publishing, allow_missing=order.allow_missing)
        with files.staged() as staged:
            bound = _bound(maker, order, staged)
            return _put_in_place(desk, wanted, staged, bound)


def _bound(maker: ChapterMaker, order: PublishItem, staged: Files) -> Bound:
    """Write all files; a chapter that is not in the store as it was encoded is encoded again."""
    rows = {row.chapter: row for row in maker.desk.shelf.encoded(maker.desk.book, order.publishing.format)}
    for number in range(len(maker.desk.manifest.chapters)):
        rows[number] = _whole_row(maker, rows.get(number), number)
    for _ in rows:
        try:
            return bind(maker.desk, order.publishing, [rows[number] for number in sorted(rows)], staged)
        except (NotStored, DamagedFile) as error:
            number = _chapter_of(rows, error)
            rows[number] = maker.make(number, is_trusted=False)
    return bind(maker.desk, order.publishing, [rows[number] for number in sorted(rows)], staged)


def _whole_row(maker: ChapterMaker, row: EncodedRow | None, number: int) -> EncodedRow:
    if row is None or row.key is None:
        row = maker.make(number)
    if row.missing and not maker.allow_missing:
        raise SentencesMissing(number, row.missing)
    return row


def _chapter_of(rows: dict[int, EncodedRow], error: NotStored | DamagedFile) -> int:
    """Return which chapter an error is about; it is raised again where it is about something else."""
    name = error.key if isinstance(error, NotStored) else error.name
    for number, row in rows.items():
        if row.key is not None and name.startswith(row.key):
            return number
    raise error


def _put_in_place(desk: Desk, wanted: Publication, staged: Files, bound: Bound) -> dict[str, object]:
    made = Publication(
        format=wanted.format,
        place=wanted.place,
        wanted=wanted.wanted,
        task_id=desk.task.id,
        published_revision=desk.book.revision,
        file=staged.sound.name,
        seconds=round(bound.seconds),
        missing_count=bound.missing_count,
    )
    try:
        with desk.shelf.publishing(desk.task, desk.book, made):
            staged.put_in_place(instead_of=wanted.file)
    except Superseded as error:
        raise Cancel(str(error)) from error
    return {"file": str(staged.folder / staged.sound.name), "seconds": bound.seconds, "missing": bound.missing_count}
