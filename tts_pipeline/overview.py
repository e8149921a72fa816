"""How does a whole shelf look at a glance?

A thousand books are a handful of questions to the database, and one more for each book of which something failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from queue_core import GroupReport, TaskState
from tts_pipeline.problems import problems
from tts_pipeline.shelf import Book, Publication, Shelf
from tts_pipeline.shelf.standing import Standing, State, failure_counts, standings, state_with
from tts_pipeline.written_paths import path_of, written

_NO_TASKS = GroupReport(counts=dict.fromkeys(TaskState, 0), is_at_rest=True)


@dataclass(frozen=True)
class Overview:
    """Where one book stands."""

    standing: Standing
    state: State
    problem_count: int
    """How many of its sentences failed."""

    @property
    def book(self) -> Book:
        """The book."""
        return self.standing.book

    def facts(self) -> dict[str, Any]:
        """Return what programs are told of the book, by commands and by hooks."""
        book, standing = self.book, self.standing
        return {
            "book": book.id,
            "title": book.title,
            "author": book.author,
            "language": book.language,
            "state": self.state.value,
            "share": round(standing.share, 4),
            "priority": book.priority,
            "paused": book.is_paused,
            "revision": book.revision,
            "source": book.path,
            "folder": book.folder,
            "added_at": book.created_at,
            "changed_at": book.updated_at,
            "sentences": {
                "total": book.sentence_count,
                "rendered": standing.rendered_count,
                "failed": self.problem_count,
            },
            "chapters": {"total": book.chapter_count, "encoded": standing.chapter_count},
            "expected_seconds": round(book.expected_ms / 1000),
            "files": [_file(book, each) for each in standing.publications],
        }


def overviews(shelf: Shelf, books: Sequence[Book]) -> list[Overview]:
    """Return where books stand."""
    found = standings(shelf, books)
    failed = failure_counts(shelf, books)
    groups = shelf.queue.groups(one.book.group_id for one in found if not one.is_whole)
    return [_overview(shelf, one, groups.get(one.book.group_id, _NO_TASKS), failed) for one in found]


def _overview(shelf: Shelf, one: Standing, tasks: GroupReport, failed: dict[str, int]) -> Overview:
    count = failed.get(one.book.id, 0)
    if tasks.counts[TaskState.DISCARDED]:  # some of its sentences may have failed without a word
        count = len(problems(shelf, one.book))
    return Overview(one, state_with(one, tasks), count)


def _file(book: Book, publication: Publication) -> dict[str, Any]:
    return {
        "format": publication.format,
        "path": written(path_of(book.folder) / publication.file) if publication.file else None,
        "seconds": publication.seconds,
        "missing": publication.missing_count,
        "revision": publication.published_revision,
    }
