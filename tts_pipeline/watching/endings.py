"""Which books of a watched folder came to an end, so that somebody wants to hear of it?

It is told once for each revision and ending, also where several watchers look, or one was killed: what is told, and
the task that tells it, are written in one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import or_, update

from queue_core import GroupReport, Task, TaskItem
from tts_pipeline.shelf import Shelf
from tts_pipeline.shelf.schema import books
from tts_pipeline.shelf.standing import Standing, State, standings, state_with

ANNOUNCE = "announce"
"""The name of tasks that run hooks."""


class Event(StrEnum):
    """What hooks are for."""

    PUBLISH = "publish"
    FAILURE = "failure"


class Announcement(TaskItem):
    """What a hook is to be told."""

    book_id: str
    revision: int
    event: Event


class Hooks(NamedTuple):
    """For which endings there are commands, and for the books of which folder."""

    events: frozenset[Event] = frozenset()
    folder: str = ""

    def needs(self) -> frozenset[str]:
        """Return what only a worker with these commands is able to: that of another folder has other ones."""
        return frozenset(self.need(event) for event in self.events)

    def need(self, event: Event) -> str:
        """Return what a worker with the command for one ending is able to."""
        return f"{ANNOUNCE}:{event}:{self.folder}"


def ended(shelf: Shelf, ids: Iterable[str], hooks: Hooks) -> list[tuple[Standing, Event]]:
    """Return which of these books came to an end that nobody was told of; those with a hook get a task for it."""
    wanted = set(ids)
    untold = [book for book in shelf.books() if book.id in wanted and book.told != f"{book.revision} {Event.PUBLISH}"]
    found = standings(shelf, untold)
    tasks = shelf.queue.groups(one.book.group_id for one in found)
    ends = ((one, _event_of(one, tasks[one.book.group_id])) for one in found)
    return [(one, event) for one, event in ends if event and _is_first(shelf, one, event, hooks)]


def _event_of(one: Standing, tasks: GroupReport) -> Event | None:
    """Return how a book ended; None where it is on its way, or somebody stopped it, or everybody knows already."""
    if one.book.told == _words(one, Event.PUBLISH if one.is_published else Event.FAILURE):
        return None
    if one.is_published:
        return Event.PUBLISH
    return Event.FAILURE if state_with(one, tasks) is State.FAILED else None


def _words(one: Standing, event: Event) -> str:
    return f"{one.book.revision} {event}"


def _is_first(shelf: Shelf, one: Standing, event: Event, hooks: Hooks) -> bool:
    """Note that a book's end is told, with the task that does so; False where another watcher was faster."""
    words = _words(one, event)
    mine = (books.c.id == one.book.id, books.c.revision == one.book.revision)
    untold = or_(books.c.told.is_(None), books.c.told != words)
    with shelf.changing() as connection:
        if not connection.execute(update(books).where(*mine, untold).values(told=words)).rowcount:
            return False
        if event in hooks.events:
            item = Announcement(book_id=one.book.id, revision=one.book.revision, event=event)
            task = Task(name=ANNOUNCE, items=[item], priority="high", needs={hooks.need(event)})
            shelf.queue.enqueue([task], connection=connection)
    return True
