"""Which books are on the shelf?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.parameters import Word, examples, json_option
from queue_core.console.shown import print_json
from tts_pipeline.cli.book_views import print_books
from tts_pipeline.cli.session import Session, pass_session

if TYPE_CHECKING:
    from tts_pipeline.overview import Overview
    from tts_pipeline.shelf import Book
    from tts_pipeline.shelf.standing import State

_ORDERS: dict[str, Callable[[Overview], Any]] = {
    "added": lambda one: one.book.id,
    "changed": lambda one: (one.book.updated_at, one.book.id),
    "title": lambda one: one.book.title.casefold(),
    "author": lambda one: ((one.book.author or "").casefold(), one.book.title.casefold()),
    "state": lambda one: (one.state.value, one.book.id),
    "done": lambda one: (one.standing.share, one.book.id),
    "length": lambda one: (one.standing.seconds or one.book.expected_ms / 1000, one.book.id),
    "priority": lambda one: (one.book.priority, one.book.id),
}


def _states() -> Iterable[str]:
    from tts_pipeline.shelf.standing import State

    return [state.value for state in State]


def _state(word: str) -> State:
    from tts_pipeline.shelf.standing import State

    if word.lower() not in _states():
        raise ValueError(f"{word!r} is not one of {', '.join(_states())}")
    return State(word.lower())


@dataclass(frozen=True)
class _Wanted:
    """Which books are to be listed, and in which order."""

    words: tuple[str, ...]
    states: tuple[State, ...]
    sort: str
    reverse: bool

    def has(self, book: Book) -> bool:
        """Say whether a book has all of the words."""
        text = "\n".join((book.title, book.author or "", book.path)).casefold()
        return all(word.casefold() in text for word in self.words)


_STATE = Word("STATE", _state, _states)


@click.command(
    "list",
    epilog=examples(
        "tts-pipeline list",
        "tts-pipeline list kafka --sort title",
        "tts-pipeline list --state failed --state incomplete --json",
        "tts-pipeline list --sort changed --reverse",
    ),
)
@click.argument("words", metavar="[TEXT]...", nargs=-1)
@click.option("--state", "states", type=_STATE, multiple=True, help="Only books in this state; may be said repeatedly.")
@click.option("--sort", type=click.Choice([*_ORDERS]), default="added", show_default=True, help="What comes first.")
@click.option("--reverse", is_flag=True, help="The other way round.")
@json_option
@pass_session
def list_(session: Session, /, as_json: bool, **said: Any) -> None:
    """List the books on the shelf: state, progress, length, and how many sentences failed.

    With TEXT, only those that have all of it in their title, author or path. A tilde marks a length that is a guess.
    """
    from tts_pipeline.overview import overviews

    wanted = _Wanted(**said)
    with session.open() as workshop:
        books = [book for book in workshop.shelf.books() if wanted.has(book)]
        found = [one for one in overviews(workshop.shelf, books) if not wanted.states or one.state in wanted.states]
    found.sort(key=_ORDERS[wanted.sort], reverse=wanted.reverse)
    if as_json:
        print_json([one.facts() for one in found])
    else:
        print_books(found)
