"""How do people see how far their books are?

On a terminal a bar for each book; elsewhere a line now and then.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import click

from queue_core.console.shown import printable
from tts_pipeline.cli.spoken import clock, counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from tts_pipeline.shelf.standing import Standing

_LOOK_SECONDS = 0.5
_LINE_SECONDS = 10.0
"""How often a line is written where there is no terminal."""
_MOST_TITLE = 32
_LEAST_WIDTH, _WIDTH_WITH_BAR = 40, 100


class Display(Protocol):
    """Where progress is shown."""

    def is_due(self) -> bool:
        """Return whether it is time to look again: looking costs a question to the database."""

    def show(self, standings: Sequence[Standing], *, is_last: bool = False) -> None:
        """Show how far the books are."""

    def say(self, line: str) -> None:
        """Tell something besides."""


@contextmanager
def display() -> Iterator[Display]:
    """Show progress on standard error while something is done."""
    if sys.stderr.isatty():
        with _bars() as bars:
            yield bars
    else:
        yield _Lines()


class _Pace:
    """How fast things go."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._looked = 0.0
        self._first: tuple[float, float] | None = None

    def is_due(self) -> bool:
        if time.monotonic() - self._looked < _LOOK_SECONDS:
            return False
        self._looked = time.monotonic()
        return True

    def note(self, standings: Sequence[Standing]) -> str:
        """Return how many times faster than speech it goes, and how long it will take; nothing before that is known."""
        seconds, share = _spoken(standings), _share(standings)
        first = self._first = self._first or (seconds, share)
        passed = time.monotonic() - self._began
        if share <= first[1] or share >= 1:
            return ""
        left = (1 - share) * passed / (share - first[1])
        speed = (seconds - first[0]) / passed
        return f"{speed:.0f} × real time, {clock(left)} left"


def _spoken(standings: Sequence[Standing]) -> float:
    """Return how many seconds of speech were rendered, roughly: by the share of what is expected."""
    return sum(one.book.expected_ms / 1000 * one.rendered_count / max(1, one.book.sentence_count) for one in standings)


def _share(standings: Sequence[Standing]) -> float:
    weights = [max(1, one.book.sentence_count) for one in standings]
    done = sum(one.share * weight for one, weight in zip(standings, weights, strict=True))
    return done / max(1, sum(weights))


class _Lines(_Pace):
    """A line for each book that moved, every few seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, str] = {}
        self._said_at = time.monotonic()

    def say(self, line: str) -> None:
        click.echo(line, err=True)

    def show(self, standings: Sequence[Standing], *, is_last: bool = False) -> None:
        if not is_last and time.monotonic() - self._said_at < _LINE_SECONDS:
            return
        self._said_at, pace = time.monotonic(), self.note(standings)
        for one in standings:
            line = f"{printable(one.book.title)}: {_progress(one)}"
            if line != self._said.get(one.book.id):
                self._said[one.book.id] = line
                click.echo(f"{line}{', ' + pace if pace else ''}", err=True)


class _Bars(_Pace):
    """A line for each book, with a bar where there is room, and one for all of them."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._bars: dict[str, TaskID] = {}

    def say(self, line: str) -> None:
        from rich.text import Text

        self._progress.console.print(Text.from_ansi(line), soft_wrap=True)

    def show(self, standings: Sequence[Standing], *, is_last: bool = False) -> None:  # noqa: ARG002
        pace = self.note(standings)
        shown = [one for one in standings if not (one.is_whole and one.book.id not in self._bars)]
        for one in shown:
            self._set(one.book.id, one.book.title, one.share, _progress(one))
        if shown:
            self._set("", "in all" if len(shown) > 1 else "", _share(standings), pace)
        self._progress.refresh()

    def _set(self, key: str, title: str, share: float, note: str) -> None:
        if key not in self._bars:
            self._bars[key] = self._progress.add_task("", total=1.0, title="", note="")
        self._progress.update(self._bars[key], completed=share, title=_fitted(title), note=note)


def _fitted(title: str) -> str:
    from rich.cells import cell_len, set_cell_size

    title = printable(title)
    return title if cell_len(title) <= _MOST_TITLE else f"{set_cell_size(title, _MOST_TITLE - 1)}…"


@contextmanager
def _bars() -> Iterator[_Bars]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn
    from rich.table import Column

    # A line that is as wide as the terminal would be broken by the ^C that is typed behind it.
    console = Console(stderr=True, width=max(_LEAST_WIDTH, shutil.get_terminal_size().columns - 4))
    columns: list[ProgressColumn] = [
        TextColumn("{task.fields[title]}", markup=False, table_column=Column(no_wrap=True)),
        TaskProgressColumn(table_column=Column(no_wrap=True, min_width=4)),
        TextColumn("{task.fields[note]}", markup=False, table_column=Column(no_wrap=True)),
    ]
    if console.width >= _WIDTH_WITH_BAR:
        columns.insert(1, BarColumn(bar_width=24))
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        yield _Bars(progress)


def _progress(one: Standing) -> str:
    if one.is_published:
        missing = f", {counted(one.missing_count, 'sentence')} missing" if one.missing_count else ""
        return f"published, {clock(one.seconds)}{missing}"
    if one.rendered_count < one.book.sentence_count:
        return f"{one.rendered_count:,} of {one.book.sentence_count:,} sentences"
    return f"{one.chapter_count} of {one.book.chapter_count} chapters encoded"
