"""How does a book get from the store to its folder, all of it or nothing?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from queue_core import Cancel, Task, TaskNotFound, TaskState, begin_step
from tts_pipeline.errors import DamagedFile, NotAlike, NotStored, Overtaken, SentencesMissing, Superseded
from tts_pipeline.orders import Effort, PublishItem
from tts_pipeline.publication import Files, sweep
from tts_pipeline.shelf import EncodedRow, Publication
from tts_pipeline.stages.binding import Bound, bind
from tts_pipeline.stages.desk import Desk, desk_for
from tts_pipeline.stages.encoding import ChapterMaker
from tts_pipeline.store import Store
from tts_pipeline.written_paths import written

BINDING_SECONDS = 6 * 3600.0
"""How long it may take to write a book, on whatever disk."""


@dataclass(frozen=True)
class PublishStage:
    """The handler of publish tasks."""

    store: Store
    effort: Effort

    def __call__(self, task: Task) -> dict[str, object]:
        (order,) = task.items_as(PublishItem)
        desk = desk_for(task, self.store, self.effort)
        wanted = next(each for each in desk.shelf.publications(desk.book.id) if each.format == order.publishing.format)
        if wanted.wanted != order.publishing.model_dump_json():
            raise Cancel("it is wanted otherwise by now")
        files = Files.of(desk.book, wanted)
        sweep(files.folder, lambda name: _is_at_work(desk, name))
        maker = ChapterMaker(desk, order.publishing.encoding, allow_missing=order.allow_missing)
        with files.staged(f"{task.id}-{task.lease}") as staged:
            bound = _bound(maker, order, staged)
            return _put_in_place(desk, wanted, staged, bound)


def _is_at_work(desk: Desk, name: str) -> bool:
    """Say whether a hidden folder is that of a task that somebody works on, under the lease that it was begun under."""
    task_id, _, lease = name.rpartition("-")
    try:
        found = desk.shelf.queue.get(task_id)
    except TaskNotFound:
        return False
    return found.state is TaskState.PROCESSING and str(found.lease) == lease


def _bound(maker: ChapterMaker, order: PublishItem, staged: Files) -> Bound:
    """Write all files; a chapter that is not in the store as it was encoded is encoded again."""
    known = {row.chapter: row for row in maker.desk.shelf.encoded(maker.desk.book, maker.encoding.key)}
    rows = [_whole_row(maker, known.get(number), number) for number in range(len(maker.desk.manifest.chapters))]
    for _ in rows:
        try:
            return _bind(maker.desk, order, rows, staged)
        except (NotStored, DamagedFile) as error:
            number = _chapter_of(rows, error)
            rows[number] = maker.make(number, is_trusted=False)
        except NotAlike:
            rows = [maker.make(number) for number in range(len(rows))]
    return _bind(maker.desk, order, rows, staged)


def _bind(desk: Desk, order: PublishItem, rows: Sequence[EncodedRow], staged: Files) -> Bound:
    """Write all files in a step of its own: a chapter that was encoded on the way had the time of its sentences."""
    begin_step(desk.manifest.item_count + 1, timeout_seconds=BINDING_SECONDS)  # the items, and their voice, come before
    return bind(desk, order.publishing, rows, staged)


def _whole_row(maker: ChapterMaker, row: EncodedRow | None, number: int) -> EncodedRow:
    """Return an encoded chapter; one that is not there, or lacks something, is made now."""
    is_good = row is not None and row.key is not None and (maker.allow_missing or not row.missing)
    if row is None or not is_good or not maker.encoder().has(row.key or ""):
        row = maker.make(number)
    if row.missing and not maker.allow_missing:
        raise SentencesMissing(number, row.missing)
    return row


def _chapter_of(rows: list[EncodedRow], error: NotStored | DamagedFile) -> int:
    """Return which chapter an error is about; it is raised again where it is about something else."""
    name = error.key if isinstance(error, NotStored) else error.name
    for number, row in enumerate(rows):
        if row.key is not None and name.startswith(row.key):
            return number
    raise error


def _put_in_place(desk: Desk, wanted: Publication, staged: Files, bound: Bound) -> dict[str, object]:
    made = Publication(
        format=wanted.format,
        place=wanted.place,
        wanted=wanted.wanted,
        published_revision=desk.book.revision,
        file=staged.sound.name,
        seconds=round(bound.seconds),
        missing_count=bound.missing_count,
    )
    try:
        with desk.shelf.publishing(desk.task, desk.book, made):
            staged.put_in_place(Files.published(desk.book, wanted) if wanted.file else None)
    except (Superseded, Overtaken) as error:
        raise Cancel(str(error)) from error
    return {
        "file": written(staged.folder / staged.sound.name),
        "seconds": bound.seconds,
        "missing": bound.missing_count,
    }
