"""What is said of a book, in a line, in facts, and to programs?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from queue_core.console.columns import Column
from queue_core.console.shown import print_block, print_table
from tts_pipeline.cli.session import Workshop
from tts_pipeline.cli.spoken import clock, counted, sentence
from tts_pipeline.written_paths import path_of

if TYPE_CHECKING:
    from queue_core import Task
    from tts_pipeline.overview import Overview
    from tts_pipeline.shelf import Book, Failure, Publication

_COLUMNS = (
    Column("TITLE", is_text=True),
    Column("AUTHOR", rank=4, is_text=True),
    Column("STATE"),
    Column("DONE"),
    Column("SENTENCES", rank=3),
    Column("CHAPTERS", rank=2),
    Column("LENGTH"),
    Column("FAILED"),
    Column("BOOK", rank=1),
)
_MOST_SENTENCES = 200


def print_books(found: Sequence[Overview]) -> None:
    """Print a line for each book."""
    print_table(_COLUMNS, map(_row, found))


def _row(one: Overview) -> tuple[str, ...]:
    book, standing = one.book, one.standing
    return (
        book.title,
        book.author or "",
        one.state.value,
        f"{standing.share:.0%}",
        f"{standing.rendered_count:,} of {book.sentence_count:,}",
        f"{standing.chapter_count:,} of {book.chapter_count:,}",
        _length(one),
        f"{one.problem_count:,}" if one.problem_count else "",
        book.id,
    )


def _length(one: Overview) -> str:
    standing = one.standing
    return clock(standing.seconds) if standing.is_published else f"~{clock(one.book.expected_ms / 1000)}"


def told(one: Overview) -> Iterator[tuple[str, str]]:
    """Give what people are told first of a book."""
    book, standing = one.book, one.standing
    yield "title", book.title
    yield "author", book.author or ""
    yield "book", book.id
    yield "language", book.language
    yield "state", f"{one.state.value}, {standing.share:.0%}"
    yield "source", book.path
    yield "revision", str(book.revision) if book.revision > 1 else ""
    yield "sentences", f"{standing.rendered_count:,} of {book.sentence_count:,} rendered"
    yield "chapters", f"{standing.chapter_count:,} of {book.chapter_count:,} encoded"
    yield "expected", "" if standing.is_published else f"~{clock(book.expected_ms / 1000)}"
    for each in standing.publications:
        if each.file and each.published_revision is not None:
            yield each.format, f"{path_of(book.folder) / each.file} ({_about(each, book)})"


def _about(publication: Publication, book: Book) -> str:
    said = [clock(publication.seconds or 0)]
    if publication.missing_count:
        said.append(f"{counted(publication.missing_count, 'sentence')} missing")
    if publication.published_revision != book.revision:
        said.append(f"of revision {publication.published_revision}")
    return ", ".join(said)


def failed(workshop: Workshop, one: Overview) -> list[Failure]:
    """Return the sentences of a book that failed."""
    from tts_pipeline.problems import problems

    return problems(workshop.shelf, one.book) if one.problem_count else []


def print_problems(workshop: Workshop, one: Overview, sentences: Sequence[Failure]) -> None:
    """Print what failed of a book, why, and what can be done about it."""
    for problem in sentences[:_MOST_SENTENCES]:
        print_block(f"{sentence(problem.number)} failed: {problem.reason}", problem.text)
    if len(sentences) > _MOST_SENTENCES:
        print_block(f"and {counted(len(sentences) - _MOST_SENTENCES, 'sentence')} more: --json lists all", "")
    others = list(_discarded(workshop, one))
    for task in others:
        print_block(f"{task.name} failed", task.errors[-1].message if task.errors else "it was discarded")
    if sentences or others:
        print_block(f"When the cause is gone: tts-pipeline resume {one.book.id} && tts-pipeline work", "")


def _discarded(workshop: Workshop, one: Overview) -> Iterator[Task]:
    """Give what failed besides sentences."""
    from tts_pipeline.orders import RENDER
    from tts_pipeline.problems import discarded

    return (task for task in discarded(workshop.shelf, one.book) if task.name != RENDER)
