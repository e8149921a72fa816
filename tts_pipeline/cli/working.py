"""How are workers run until the books are there, and what is said when they are done?"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from queue_core import BackendUnavailable, QueueError
from queue_core.console.shown import print_json, print_note, printable
from tts_pipeline.cli.outage import Outage
from tts_pipeline.cli.progress import Display, display
from tts_pipeline.cli.session import Workshop
from tts_pipeline.cli.spoken import clock, counted, sentence
from tts_pipeline.cli.telling import Teller, told
from tts_pipeline.errors import PipelineError
from tts_pipeline.written_paths import path_of

if TYPE_CHECKING:
    from queue_core import Supervisor, WorkSummary
    from tts_pipeline.shelf import Book, Publication
    from tts_pipeline.shelf.standing import Standing

_MOST_PROBLEMS = 10


Say = Callable[[str], object]
Beside = Callable[[Say], AbstractContextManager[Callable[[], object]]]
"""It gives what raises the error that ended it, if one did."""


@contextmanager
def _nothing_beside(_: Say) -> Iterator[Callable[[], object]]:
    yield lambda: None


@dataclass(frozen=True)
class Job:
    """What workers are started for."""

    books: Callable[[], Collection[str]] | Collection[str] | None = None
    """Their ids, or what gives them; workers stop once nothing more can be done for these. None: all that is queued."""
    formats: frozenset[str] | None = None
    """What they are judged by: other files of these books may have failed before. None: all."""
    is_forever: bool = False
    only_news: bool = False
    """Whether books that were there before are not told of."""
    beside: Beside = _nothing_beside
    """What goes on beside the workers, given what it says things by."""


def finish(workshop: Workshop, job: Job) -> bool:
    """Work until the books are there or nothing can be done, and tell how each ended; return whether all are whole."""
    before = {one.book.id for one in _standings(workshop, job) if one.is_whole}
    summary, outage = None, Outage(math.inf if job.is_forever else workshop.settings.outage_timeout)
    if job.is_forever or len(before) < len(_books(workshop, job)):
        summary = _work(workshop, job, outage)
    ended = _standings(workshop, job)
    is_brief = job.only_news or job.books is None
    told = [one for one in ended if not is_brief or _is_news(workshop, one, before)]
    for one in told:
        _tell(workshop, one, is_old=one.book.id in before, is_stalled=outage.has_won)
    if outage.has_won:
        print_note(f"stopped: {outage.reason}: when that is mended, the same command goes on where it stopped")
    _end(summary)
    judged = told if job.books is None else [one for one in ended if not is_brief or not _is_aside(workshop, one)]
    return all(one.is_whole for one in judged) and not outage.has_won


def finish_these(workshop: Workshop, job: Job, *, as_json: bool) -> bool:
    """Work until the books are there; where JSON is to come, what people read goes to standard error."""
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        return finish(workshop, job)


def finish_and_tell(workshop: Workshop, job: Job, *, as_json: bool) -> bool:
    """Work until the books are there, and tell programs all that is known of each of them."""
    from tts_pipeline.overview import overviews

    is_whole = not _books(workshop, job) or finish_these(workshop, job, as_json=as_json)
    if as_json:
        print_json([one.facts() for one in overviews(workshop.shelf, _books(workshop, job))])
    return is_whole


def attend(workshop: Workshop, job: Job) -> None:
    """Work until somebody ends it; what becomes of books is told while it happens."""
    _end(_work(workshop, job, Outage(math.inf)))


def _is_news(workshop: Workshop, one: Standing, before: Collection[str]) -> bool:
    """Say whether a book is to be told of where none was named: not what was whole, paused or cancelled."""
    return one.book.id not in before and not _is_aside(workshop, one)


def _is_aside(workshop: Workshop, one: Standing) -> bool:
    from tts_pipeline.shelf.standing import is_set_aside

    return is_set_aside(workshop.shelf, one)


def _end(summary: WorkSummary | None) -> None:
    """Leave as a signal demands, if one came."""
    number = summary.signal if summary else None
    if number is None:
        return
    print_note("stopped: the same command goes on where it stopped")
    raise click.exceptions.Exit(128 + number)


def _work(workshop: Workshop, job: Job, outage: Outage) -> WorkSummary:
    from queue_core import Supervisor, WorkerSettings
    from tts_pipeline.engines.registry import available
    from tts_pipeline.orders import capability
    from tts_pipeline.stages.handlers import handlers

    settings = workshop.settings
    able = frozenset(capability(each.name) for each in available() if each.reason is None)
    ordered = WorkerSettings(size=settings.size, until_empty=not job.is_forever, capabilities=able)
    supervisor = Supervisor(
        settings.database,
        handlers(settings.store, settings.effort()),
        count=settings.workers,
        settings=ordered,
        config=settings.queue_config(),
    )
    with (
        display() as shown,
        told(Teller(shown.say, outage, partial(_title, workshop, job))),
        job.beside(shown.say) as check,
    ):
        summary = supervisor.run(_Watch(workshop, job, supervisor, shown, outage, check))
        if not job.is_forever:
            shown.show(_standings(workshop, job), is_last=True)
    for stuck in summary.stuck:
        if stuck.reason == "lacking":
            needs = ", ".join(sorted(each.partition(":")[2] for each in stuck.needs))
            print_note(f"{counted(stuck.count, f'{stuck.name} task')} can't be done here: {needs} is not installed")
    return summary


@dataclass
class _Watch:
    """Looks at the books now and then, while their workers work."""

    workshop: Workshop
    job: Job
    supervisor: Supervisor
    shown: Display
    outage: Outage
    check: Callable[[], object]
    is_stopping: bool = False

    def __call__(self, summary: WorkSummary) -> None:
        if summary.signal is not None and not self.is_stopping:
            self.is_stopping = True
            self.shown.say("stopping: each worker finishes its sentence; a second Ctrl-C ends them at once")
        if not self.shown.is_due():
            return
        try:
            self._look(summary)
        except BackendUnavailable as error:
            if self.outage.note(str(error), is_queue=True):
                self.shown.say(f"the database is away: {error}; waiting for it")
        if self.outage.is_too_long():
            self.supervisor.drain()

    def _look(self, summary: WorkSummary) -> None:
        self.check()
        self.outage.look(summary.counts, self.workshop.queue)
        standings = _standings(self.workshop, self.job)
        self.shown.show(standings)
        if self.job.books is not None and not self.job.is_forever and all(self._is_over(one) for one in standings):
            self.supervisor.drain()

    def _is_over(self, one: Standing) -> bool:
        return one.is_whole or self.workshop.queue.is_at_rest(one.book.group_id)


def _title(workshop: Workshop, job: Job, task_id: str) -> str:
    """Return the title of a task's book, for the beginning of a line; nothing where only one book is at work."""
    if isinstance(job.books, Collection) and len(job.books) == 1:
        return ""
    try:
        task = workshop.queue.get(task_id)
        return f"{workshop.shelf.book(task.tags['book']).title}: "
    except (QueueError, PipelineError, KeyError):
        return ""


def _books(workshop: Workshop, job: Job) -> list[Book]:
    wanted = None if job.books is None else set(job.books() if callable(job.books) else job.books)
    return [book for book in workshop.shelf.books() if wanted is None or book.id in wanted]


def _standings(workshop: Workshop, job: Job) -> list[Standing]:
    from tts_pipeline.shelf.standing import standings

    return [one.narrowed(job.formats) for one in standings(workshop.shelf, _books(workshop, job))]


def _tell(workshop: Workshop, one: Standing, *, is_old: bool, is_stalled: bool) -> None:
    """Print where a book is, and what it lacks; not where all is told by what is away."""
    book = one.book
    for each in one.publications:
        if each.published_revision == book.revision and each.file:
            facts = [clock(each.seconds or 0), counted(book.chapter_count, "chapter"), _sentences(book, each)]
            told = ", ".join([*facts, *(["was there already"] if is_old else [])])
            click.echo(f"{printable(str(_short(path_of(book.folder) / each.file)))}  ({told})")
    if not one.is_whole and not is_stalled:
        _tell_problems(workshop, one)


def _sentences(book: Book, publication: Publication) -> str:
    missing = publication.missing_count or 0
    heard = f"{book.sentence_count - missing:,} of " if missing else ""
    return heard + counted(book.sentence_count, "sentence")


def _tell_problems(workshop: Workshop, one: Standing) -> None:
    from tts_pipeline.problems import discarded, problems
    from tts_pipeline.shelf.standing import state_of

    book, found = one.book, problems(workshop.shelf, one.book)
    for problem in found[:_MOST_PROBLEMS]:
        print_note(f"{book.title}, {sentence(problem.number)}: {printable(problem.text)!r:.80}: {problem.reason}")
    if len(found) > _MOST_PROBLEMS:
        print_note(f"and {counted(len(found) - _MOST_PROBLEMS, 'sentence')} more: tts-pipeline status {book.id}")
    if found:
        print_note(
            f"{book.title}: {counted(len(found), 'sentence')} missing; when mended: tts-pipeline resume {book.id}; "
            "--fallback-engine lets another voice speak them"
        )
        return
    failed = list(discarded(workshop.shelf, book))
    for task in failed:
        print_note(f"{book.title}, {task.name}: {task.errors[-1].message if task.errors else 'discarded'}")
    if not failed:
        print_note(f"{book.title}: {state_of(workshop.shelf, one)}, {one.share:.0%} done")


def _short(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
