"""How does a finished book become another format?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from queue_core.console.failed import Failed
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, printable
from tts_pipeline.cli.options import BOOK, WORK, setting_options
from tts_pipeline.cli.session import Session, Workshop, pass_session
from tts_pipeline.cli.spoken import counted

if TYPE_CHECKING:
    from tts_pipeline.overview import Overview
    from tts_pipeline.shelf import Book

_HOW = {name: BOOK[name] for name in ("format", "bit_rate", "encoding", "normalize")}


@click.command(
    epilog=examples(
        "tts-pipeline export kettle --format mp3",
        "tts-pipeline export kettle --format opus,flac --bit-rate 32000",
        "tts-pipeline export kettle --format mp3-chapters --later",
    )
)
@click.argument("name", metavar="BOOK")
@setting_options({**_HOW, **WORK})
@click.option("--later", is_flag=True, help="Only queue it, for tts-pipeline work.")
@json_option
@pass_session
def export(session: Session, /, name: str, later: bool, as_json: bool, **flags: Any) -> None:
    """Make another format of a book whose sentences are all rendered.

    It is encoded from the stored clips; nothing is rendered. The file lies beside the others, and later revisions of
    the book are published in this format too.
    """
    if flags["format"] is None:
        raise click.UsageError("Say which format: --format mp3, or several with commas.")
    session.lay_over(flags)
    with session.open() as workshop:
        book, count = _ordered(workshop, name)
        if not later:
            is_whole = _finished(workshop, book, as_json=as_json)
        if as_json:
            print_json(_overview(workshop, book).facts() | {"tasks": count})
        elif later:
            click.echo(f"{printable(book.title)}: {counted(count, 'task')} queued")
    if not later and not is_whole:
        raise click.exceptions.Exit(1)


def _ordered(workshop: Workshop, name: str) -> tuple[Book, int]:
    """Enqueue what the files need; return the book, and how many tasks that is."""
    from tts_pipeline.planning import Wish, order_publications
    from tts_pipeline.shelf.finding import find_book

    book = find_book(workshop.shelf, name)
    one = _overview(workshop, book)
    if missing := book.sentence_count - one.standing.rendered_count:
        raise Failed(f"{book.title} is not finished: {counted(missing, 'sentence')} not rendered: work, or resume")
    terms = workshop.settings.terms("high")
    tasks = order_publications(workshop.shelf, workshop.store, Wish(book, workshop.settings.publishings(), terms))
    return book, len(tasks)


def _finished(workshop: Workshop, book: Book, *, as_json: bool) -> bool:
    from tts_pipeline.cli.working import Job, finish_these

    formats = frozenset(each.format for each in workshop.settings.publishings())
    return finish_these(workshop, Job([book.id], formats), as_json=as_json)


def _overview(workshop: Workshop, book: Book) -> Overview:
    from tts_pipeline.overview import overviews

    (one,) = overviews(workshop.shelf, [book])
    return one
