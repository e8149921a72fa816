"""What is said of all that is known of a book?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.columns import Column
from queue_core.console.durations import instant, rough
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_facts, print_json, print_table
from tts_pipeline.cli.book_views import print_problems, told
from tts_pipeline.cli.session import Session, pass_session
from tts_pipeline.cli.spoken import size

if TYPE_CHECKING:
    from tts_pipeline.portrait import ChapterState, Portrait
    from tts_pipeline.shelf.history import Revision
    from tts_pipeline.wording import Edit

_CHAPTERS = (
    Column("CHAPTER"),
    Column("TITLE", is_text=True),
    Column("RENDERED"),
    Column("FAILED"),
    Column("ENCODED", rank=1),
)
_REVISIONS = (
    Column("REVISION"),
    Column("WHY", is_text=True),
    Column("WHEN", rank=2),
    Column("SENTENCES", rank=1),
    Column("KEPT"),
    Column("TIME"),
)
_EDITS = (Column("SENTENCE", is_text=True), Column("IS SPOKEN AS", is_text=True), Column("TAKE"))
_FILES = (Column("FILE", is_text=True), Column("SIZE"))


@click.command(epilog=examples("tts-pipeline show kettle", "tts-pipeline show kettle --json"))
@click.argument("name", metavar="BOOK")
@json_option
@pass_session
def show(session: Session, name: str, as_json: bool) -> None:
    """Show all that is known of a book.

    Its files and chapters, the sentences that failed and why, its revisions with why they were made and how many
    sentences each of them kept, its edits, and how long workers were busy with it.
    """
    from tts_pipeline.portrait import portrait
    from tts_pipeline.shelf.finding import find_book

    with session.open() as workshop:
        seen = portrait(workshop.shelf, workshop.store, find_book(workshop.shelf, name))
        if as_json:
            print_json(_facts(seen))
            return
        print_facts([*told(seen.overview), *_more(seen)])
        _print_parts(seen, workshop.queue.clock.now_ms())
        print_problems(workshop, seen.overview, seen.failures)


def _facts(seen: Portrait) -> dict[str, Any]:
    return seen.overview.facts() | {
        "voices": list(seen.voices),
        "sources": list(seen.sources),
        "failed": [each._asdict() for each in seen.failures],
        "chapter_list": [asdict(each) for each in seen.chapters],
        "revisions": [_revision_facts(each) for each in seen.revisions],
        "edits": list(seen.edits),
        "published": [{"path": str(path), "bytes": path.stat().st_size} for path in seen.files],
        "spent_seconds": seen.spent_ms / 1000,
    }


def _revision_facts(revision: Revision) -> dict[str, Any]:
    return {
        "revision": revision.revision,
        "reason": revision.reason,
        "created_at": revision.created_at,
        "sentences": revision.sentence_count,
        "kept": revision.kept_count,
        "spent_seconds": revision.spent_ms / 1000,
    }


def _more(seen: Portrait) -> Iterator[tuple[str, str]]:
    book = seen.overview.book
    yield "voice", ", ".join(seen.voices)
    yield "priority", _priority(book.priority)
    yield "also made of", "\n".join(path for path in seen.sources if path != book.path)
    yield "time spent", rough(seen.spent_ms / 1000) if seen.spent_ms else ""


def _priority(level: int) -> str:
    from queue_core import QueueConfig

    labels = QueueConfig().priorities.items()
    return next((label for label, known in labels if known == level), str(level))


def _print_parts(seen: Portrait, now: int) -> None:
    folder = Path(seen.overview.book.folder)
    for columns, rows in (
        (_CHAPTERS, [_chapter(each) for each in seen.chapters]),
        (_REVISIONS, [_revision(each, now) for each in seen.revisions]),
        (_EDITS, [_edit(each) for each in seen.edits]),
        (_FILES, [(str(path.relative_to(folder)), size(path.stat().st_size)) for path in seen.files]),
    ):
        if rows:
            click.echo()
            print_table(columns, rows)


def _chapter(chapter: ChapterState) -> tuple[str, ...]:
    rendered = f"{chapter.rendered:,} of {chapter.sentences:,}"
    failed = str(chapter.failed) if chapter.failed else ""
    return str(chapter.number), chapter.title, rendered, failed, "yes" if chapter.encoded else ""


def _revision(revision: Revision, now: int) -> tuple[str, ...]:
    counts = (f"{revision.sentence_count:,}", f"{revision.kept_count:,}" if revision.kept_count else "")
    spent = rough(revision.spent_ms / 1000) if revision.spent_ms else ""
    return str(revision.revision), revision.reason, instant(revision.created_at, now), *counts, spent


def _edit(edit: Edit) -> tuple[str, ...]:
    return edit.text, edit.say or "", str(edit.take) if edit.take else ""
