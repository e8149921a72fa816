"""How far are books, in a word or two?"""

from __future__ import annotations

import click

from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_facts, print_json
from tts_pipeline.cli.book_views import failed, print_books, print_problems, told
from tts_pipeline.cli.session import Session, Workshop, pass_session


@click.command(epilog=examples("tts-pipeline status", 'tts-pipeline status "The Clockmaker\'s Daughter"'))
@click.argument("name", metavar="[BOOK]", required=False)
@json_option
@pass_session
def status(session: Session, name: str | None, as_json: bool) -> None:
    """Show how far books are, or one of them with the sentences that failed.

    A book is named by its id, a part of its title, or its file. All that is known of it: tts-pipeline show BOOK.
    """
    with session.open() as workshop:
        if name is not None:
            _one(workshop, name, as_json=as_json)
        else:
            _all(workshop, as_json=as_json)


def _all(workshop: Workshop, *, as_json: bool) -> None:
    from tts_pipeline.overview import overviews

    found = overviews(workshop.shelf, workshop.shelf.books())
    if as_json:
        print_json([one.facts() | {"failed": [each._asdict() for each in failed(workshop, one)]} for one in found])
    else:
        print_books(found)


def _one(workshop: Workshop, name: str, *, as_json: bool) -> None:
    from tts_pipeline.overview import overviews
    from tts_pipeline.shelf.finding import find_book

    (one,) = overviews(workshop.shelf, [find_book(workshop.shelf, name)])
    sentences = failed(workshop, one)
    if as_json:
        print_json(one.facts() | {"failed": [each._asdict() for each in sentences]})
        return
    print_facts(told(one))
    print_problems(workshop, one, sentences)
