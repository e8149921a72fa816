"""How are books made: all at once, or step by step?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.columns import Column
from queue_core.console.parameters import TEXT, examples, json_option
from queue_core.console.shown import print_json, print_note, print_table, printable
from tts_pipeline.cli.checking import check_engines
from tts_pipeline.cli.options import BOOK, PATHS, WORK, setting_options
from tts_pipeline.cli.session import Session, Workshop, pass_session
from tts_pipeline.cli.spoken import clock

if TYPE_CHECKING:
    from tts_pipeline.ingest import Ingested

_COLUMNS = (
    Column("BOOK"),
    Column("TITLE", is_text=True),
    Column("CHAPTERS"),
    Column("SENTENCES"),
    Column("TASKS"),
    Column("LENGTH"),
    Column(""),
)
_SOURCES = (
    PATHS,
    click.option("--title", type=TEXT, metavar="TEXT", help="Instead of the document's own title."),
    click.option("--author", type=TEXT, metavar="TEXT", help="Instead of the document's own author."),
    click.option("--as-one", is_flag=True, help="Take the files as the chapters of one book, in this order."),
)


@dataclass(frozen=True)
class _Asked:
    """What was asked for with the files."""

    paths: tuple[Path, ...]
    title: str | None
    author: str | None
    as_one: bool

    @property
    def books(self) -> list[tuple[Path, ...]]:
        """Return the files of each book."""
        return [self.paths] if self.as_one else [(path,) for path in self.paths]


def _asks(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the files, and what is said of them, as `asked`."""

    @wraps(command)
    def asking(*given: Any, **flags: Any) -> None:
        said = {each.name: flags.pop(each.name) for each in fields(_Asked)}
        command(*given, asked=_Asked(**said), **flags)

    for option in reversed(_SOURCES):
        asking = option(asking)
    return asking


@click.command(
    epilog=examples(
        "tts-pipeline run book.epub",
        "tts-pipeline run book.txt --format m4b,mp3-chapters --rate 1.1",
        "tts-pipeline run *.epub --engine espeak --workers 2",
        "tts-pipeline run part-1.md part-2.md --as-one --title 'Two Parts'",
    )
)
@_asks
@setting_options({**BOOK, **WORK})
@json_option
@pass_session
def run(session: Session, /, asked: _Asked, as_json: bool, **flags: Any) -> None:
    """Make audiobooks of files, and print where they are.

    Stopped in the middle, the same command goes on where it stopped. What failed before is tried again; a file that
    has changed since renders what changed.
    """
    from tts_pipeline.cli.working import Job, finish_and_tell

    session.lay_over(flags)
    check_engines(session)
    with session.open(makes=True) as workshop:
        done, refused = _ingested(workshop, asked, "high")
        for each in done:
            _wake(workshop, each)
            _tell_voice(workshop, each)
        asked_for = frozenset(each.format for each in workshop.settings.publishings())
        is_whole = finish_and_tell(workshop, Job([each.book.id for each in done], asked_for), as_json=as_json)
    if refused or not is_whole:
        raise click.exceptions.Exit(1)


@click.command(epilog=examples("tts-pipeline ingest book.epub", "tts-pipeline ingest *.txt --json"))
@_asks
@setting_options(BOOK)
@json_option
@pass_session
def ingest(session: Session, /, asked: _Asked, as_json: bool, **flags: Any) -> None:
    """Split files into sentences and enqueue them, for workers to render.

    A file that is known with the same settings enqueues nothing.
    """
    session.lay_over(flags)
    check_engines(session)
    with session.open(makes=True) as workshop:
        done, refused = _ingested(workshop, asked, "normal")
    if as_json:
        print_json([_facts(each) for each in done])
    elif done:
        print_table(_COLUMNS, [_row(each) for each in done])
        if any(each.task_count for each in done):
            print_note("queued: tts-pipeline work makes it")
    if refused:
        raise click.exceptions.Exit(1)


@click.command(epilog=examples("tts-pipeline work --size 5", "tts-pipeline work --workers 4 --forever"))
@setting_options(WORK)
@click.option("--forever", is_flag=True, help="Wait for more when nothing is left.")
@pass_session
def work(session: Session, /, forever: bool, **flags: Any) -> None:
    """Render, encode and publish what is queued, until nothing is left.

    Ctrl-C lets each worker finish its sentence; a second one ends them at once. Nothing is lost either way.
    """
    from tts_pipeline.cli.working import Job, finish

    session.lay_over(flags)
    check_engines(session)
    with session.open(makes=forever) as workshop:
        is_whole = finish(workshop, Job(is_forever=forever))
    if not is_whole:
        raise click.exceptions.Exit(1)


def _ingested(workshop: Workshop, asked: _Asked, priority: str) -> tuple[list[Ingested], int]:
    """Put files on the shelf, and say of those that can't be why; return the books, and how many were refused."""
    from tts_pipeline.errors import PipelineError, StoreFailed, UnknownEngine
    from tts_pipeline.ingest import Asked

    settings, ingesting = workshop.settings, workshop.ingest(priority)
    wanted = settings.book_settings(asked.title, asked.author, as_one=asked.as_one)
    done, refused = [], 0
    for paths in asked.books:
        try:
            done.append(ingesting(Asked(paths, wanted, settings.publishings())))
        except (StoreFailed, UnknownEngine):
            raise  # the others would fare no better
        except PipelineError as error:
            is_named = any(str(path) in str(error) for path in paths)
            print_note(str(error) if is_named else f"{paths[0]}: {error}")
            refused += 1
    return done, refused


def _wake(workshop: Workshop, ingested: Ingested) -> None:
    """Bring a known book back to the front, with what failed of it before."""
    from tts_pipeline.problems import resume

    if not ingested.is_new:
        resume(workshop.shelf, ingested.book)
        workshop.queue.reprioritize("high", group_id=ingested.book.group_id)


def _tell_voice(workshop: Workshop, ingested: Ingested) -> None:
    """Say who will speak, and in which language: what was only guessed should not come as a surprise."""
    from tts_pipeline.engines import available
    from tts_pipeline.engines.base import primary
    from tts_pipeline.manifest import read_manifest

    if not ingested.is_new:
        return
    book = ingested.book
    voices = read_manifest(workshop.store, book.manifest).voices
    print_note(f"{printable(book.title)}: language {book.language}, spoken by {', '.join(voices)}")
    is_neural = dict(available())["hibari"] is None
    if voices[0] == "pyttsx3" and primary(book.language) == "en" and not is_neural:
        print_note("a natural voice: pip install 'tts-pipeline[neural]'")


def _facts(ingested: Ingested) -> dict[str, object]:
    book = ingested.book
    return {
        "book": book.id,
        "title": book.title,
        "author": book.author,
        "revision": book.revision,
        "chapters": book.chapter_count,
        "sentences": book.sentence_count,
        "kept_sentences": ingested.kept_count,
        "tasks": ingested.task_count,
        "expected_seconds": round(book.expected_ms / 1000),
        "is_new": ingested.is_new,
    }


def _row(ingested: Ingested) -> tuple[str, ...]:
    book = ingested.book
    note = "" if ingested.is_new else "known already: nothing to enqueue"
    if ingested.is_new and book.revision > 1:
        note = f"revision {book.revision}: {ingested.kept_count:,} sentences are rendered already"
    elif not ingested.is_new and ingested.task_count:
        note = "known already: its file is made again"
    counts = (str(each) for each in (book.chapter_count, book.sentence_count, ingested.task_count))
    return book.id, book.title, *counts, f"~{clock(book.expected_ms / 1000)}", note
