"""How is a book called off, held, moved ahead, or taken off the shelf?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.asking import confirm
from queue_core.console.levels import LEVEL
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, print_note, printable
from tts_pipeline.cli.options import SOME_BOOKS
from tts_pipeline.cli.session import Session, Workshop, pass_session
from tts_pipeline.cli.spoken import counted

if TYPE_CHECKING:
    from tts_pipeline.removal import Removed
    from tts_pipeline.shelf import Book

_MOST_TITLES = 5


@click.command(epilog=examples("tts-pipeline cancel kettle", "tts-pipeline run kettle.txt"))
@SOME_BOOKS
@json_option
@pass_session
def cancel(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """Call off what is still to be done for books.

    They stay on the shelf with all that was rendered. To bring one back, run or ingest the same file again.
    """
    from tts_pipeline.shelf import steering

    def act(workshop: Workshop, book: Book) -> tuple[str, dict[str, Any]]:
        count = len(steering.cancel(workshop.shelf, book))
        return f"{counted(count, 'task')} cancelled" if count else "nothing was left to cancel", {"cancelled": count}

    _each(session, names, act, as_json=as_json)


@click.command(epilog=examples("tts-pipeline pause kettle", "tts-pipeline unpause kettle"))
@SOME_BOOKS
@json_option
@pass_session
def pause(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """Hold books: workers take nothing more of them until they are unpaused.

    What a worker has begun is finished. Later revisions are held too.
    """
    _set_pause(session, names, as_json=as_json, is_paused=True)


@click.command(epilog=examples("tts-pipeline unpause kettle", "tts-pipeline work"))
@SOME_BOOKS
@json_option
@pass_session
def unpause(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """Let books go on that were paused."""
    _set_pause(session, names, as_json=as_json, is_paused=False)


def _set_pause(session: Session, names: Sequence[str], *, as_json: bool, is_paused: bool) -> None:
    from tts_pipeline.shelf import steering

    def act(workshop: Workshop, book: Book) -> tuple[str, dict[str, Any]]:
        steering.set_pause(workshop.shelf, book, is_paused=is_paused)
        return "paused" if is_paused else "goes on", {"paused": is_paused}

    _each(session, names, act, as_json=as_json)


@click.command(epilog=examples("tts-pipeline prioritize kettle high", "tts-pipeline prioritize tray sugar low"))
@SOME_BOOKS
@click.argument("priority", type=LEVEL)
@json_option
@pass_session
def prioritize(session: Session, names: tuple[str, ...], priority: int | str, as_json: bool) -> None:
    """Let workers take books before others, or after them: high, normal, low, or 0 (first) to 10.

    Later revisions keep it. What tts-pipeline run makes is always high.
    """
    from tts_pipeline.shelf import steering

    def act(workshop: Workshop, book: Book) -> tuple[str, dict[str, Any]]:
        level = workshop.queue.config.level(priority)
        assert level is not None, "the command line was checked"
        count = len(steering.prioritize(workshop.shelf, book, level))
        return f"{priority}, {counted(count, 'waiting task')}", {"priority": level, "tasks": count}

    _each(session, names, act, as_json=as_json)


@click.command(epilog=examples("tts-pipeline remove kettle", "tts-pipeline remove kettle tray --files --yes"))
@SOME_BOOKS
@click.option("--files", "with_files", is_flag=True, help="Delete what was published of them, too.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@pass_session
def remove(session: Session, names: tuple[str, ...], with_files: bool, yes: bool, as_json: bool) -> None:
    """Take books off the shelf, with their history and edits.

    Published audiobooks stay where they are, unless --files is said: then sound, captions and reports go, and nothing
    else that may lie beside them. Clips stay until tts-pipeline clean. The files that were read are never touched.
    """
    from tts_pipeline import removal

    def act(workshop: Workshop, book: Book) -> tuple[str, dict[str, Any]]:
        removed = removal.remove(workshop.shelf, book, with_files=with_files)
        facts = {"deleted": list(map(str, removed.files)), "kept": list(map(str, removed.kept))}
        return _told(removed), {"cancelled": removed.task_count, **facts}

    _each(session, names, act, as_json=as_json, ask=None if yes else lambda *found: _ask(*found, with_files=with_files))


def _ask(workshop: Workshop, books: Sequence[Book], *, with_files: bool) -> None:
    from tts_pipeline.removal import published_files

    titles = ", ".join(printable(book.title) for book in books[:_MOST_TITLES])
    more = f" and {counted(len(books) - _MOST_TITLES, 'other')}" if len(books) > _MOST_TITLES else ""
    files = sum(len(published_files(workshop.shelf, book)) for book in books) if with_files else 0
    deleted = f", and delete {counted(files, 'published file')}" if files else ""
    confirm(f"Remove {titles}{more} from the shelf{deleted}?", is_granted=False)


def _told(removed: Removed) -> str:
    said = ["removed"]
    if removed.task_count:
        said.append(f"{counted(removed.task_count, 'task')} cancelled")
    if removed.files:
        said.append(f"{counted(len(removed.files), 'file')} deleted")
    if removed.kept:
        said.append(f"{counted(len(removed.kept), 'file')} left in {removed.book.folder}")
    return ", ".join(said)


_Act = Callable[[Workshop, "Book"], tuple[str, dict[str, Any]]]
_Ask = Callable[[Workshop, Sequence["Book"]], None]


def _each(session: Session, names: Sequence[str], act: _Act, *, as_json: bool, ask: _Ask | None = None) -> None:
    """Do something to each book, once all of them are found, and tell what came of it."""
    from tts_pipeline.errors import BookNotFound
    from tts_pipeline.shelf.finding import find_books

    done, gone = [], []
    with session.open() as workshop:
        books = find_books(workshop.shelf, names)
        if ask:
            ask(workshop, books)
        for book in books:
            try:
                done.append((book, *act(workshop, book)))
            except BookNotFound as error:  # somebody removed it in this instant
                gone.append(str(error))
    if as_json:
        print_json([{"book": book.id, "title": book.title, **facts} for book, _, facts in done])
    else:
        for book, words, _ in done:
            click.echo(f"{printable(book.title)}: {words}")
    for reason in gone:
        print_note(reason)
    if gone:
        raise click.exceptions.Exit(1)
