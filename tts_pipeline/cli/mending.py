"""How does what failed go on, and what is complete get stitched?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.failed import Failed, raise_for
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, print_note
from tts_pipeline.cli.checking import check_engines
from tts_pipeline.cli.options import BOOKS, WORK, setting_options
from tts_pipeline.cli.session import Session, Workshop, pass_session
from tts_pipeline.cli.spoken import counted

if TYPE_CHECKING:
    from queue_core import Task
    from tts_pipeline.shelf import Book


@click.command(
    "resume",
    epilog=examples("tts-pipeline resume", 'tts-pipeline resume "The Clockmaker\'s Daughter"', "tts-pipeline work"),
)
@click.argument("names", metavar="[BOOK|TASK]...", nargs=-1)
@json_option
@pass_session
def resume_(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """Put discarded tasks back on the queue, with all their attempts.

    Where no book or task is named, all are. Then tts-pipeline work renders them.
    """
    refused: list[Exception] = []
    with session.open() as workshop:
        resumed = list(_resumed(workshop, names, refused))
    if as_json:
        print_json({"resumed": resumed})
    else:
        click.echo(f"{counted(len(resumed), 'task')} resumed{': tts-pipeline work renders them' if resumed else ''}")
    raise_for(refused)


@click.command(
    epilog=examples("tts-pipeline assemble", 'tts-pipeline assemble "The Clockmaker\'s Daughter" --allow-missing')
)
@BOOKS
@click.option("--allow-missing", is_flag=True, help="Publish books with holes, which are listed.")
@setting_options(WORK)
@json_option
@pass_session
def assemble(session: Session, /, names: tuple[str, ...], *, allow_missing: bool, as_json: bool, **flags: Any) -> None:
    """Stitch the books whose sentences are all rendered, and publish them.

    With --allow-missing, those that lack some too: what is missing is told, and the exit code is 1.
    """
    from tts_pipeline.cli.working import Job, finish_and_tell
    from tts_pipeline.planning import order_assembly
    from tts_pipeline.shelf.finding import find_books

    session.lay_over(flags)
    check_engines(session)
    with session.open() as workshop:
        books = find_books(workshop.shelf, names)
        ready = [book for book in books if _is_ready(workshop, book, allow_missing=allow_missing)]
        for book in ready:
            order_assembly(
                workshop.shelf, workshop.store, book, workshop.settings.terms("high"), allow_missing=allow_missing
            )
        is_whole = finish_and_tell(workshop, Job([book.id for book in ready]), as_json=as_json)
    if not is_whole or len(ready) < len(books):
        raise click.exceptions.Exit(1)


def _resumed(workshop: Workshop, names: Sequence[str], refused: list[Exception]) -> Iterable[str]:
    from queue_core import IllegalTransition, TaskNotFound
    from tts_pipeline.errors import AmbiguousBook, BookNotFound
    from tts_pipeline.problems import resume
    from tts_pipeline.shelf.finding import find_book

    if not names:
        for book in workshop.shelf.books():
            yield from resume(workshop.shelf, book)
    for name in names:
        try:
            try:
                yield from resume(workshop.shelf, find_book(workshop.shelf, name))
            except BookNotFound as error:
                yield _resumed_task(workshop, name, error)
        except (TaskNotFound, IllegalTransition, BookNotFound, AmbiguousBook, Failed) as error:
            refused.append(error)


def _resumed_task(workshop: Workshop, task_id: str, error: Exception) -> str:
    """Resume one task; raises the error that it is no book where it is no task either."""
    from queue_core import TaskNotFound

    try:
        task = workshop.queue.get(task_id)
    except TaskNotFound:
        raise error from None
    _refuse_unwanted(workshop, task)
    workshop.queue.mark_as_resume(task)
    return task.id


def _refuse_unwanted(workshop: Workshop, task: Task) -> None:
    from queue_core import TaskState
    from tts_pipeline.problems import discarded

    if (book_id := task.tags.get("book")) is None:
        return
    book = workshop.shelf.book(book_id)
    if task.group_id != book.group_id:
        raise Failed(f"task {task.id} is of revision {task.tags['revision']} of its book, which was superseded")
    if task.state is TaskState.DISCARDED and task.id not in {each.id for each in discarded(workshop.shelf, book)}:
        raise Failed(f"task {task.id} would make nothing that its book lacks")


def _is_ready(workshop: Workshop, book: Book, *, allow_missing: bool) -> bool:
    """Say whether a book can be stitched; tells why where it can't."""
    from tts_pipeline.shelf.standing import standings

    (standing,) = standings(workshop.shelf, [book])
    missing = book.sentence_count - standing.rendered_count
    if missing and not allow_missing:
        print_note(f"{book.title}: {counted(missing, 'sentence')} not rendered: work, resume, or --allow-missing")
    return allow_missing or not missing
