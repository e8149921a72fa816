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
from tts_pipeline.cli.pace import Pace, Row, lines, rows

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table

    from tts_pipeline.shelf.standing import Standing

_LOOK_SECONDS = 0.5
_MOST_TITLE = 32
_LEAST_WIDTH, _WIDTH_WITH_BAR, _BAR = 40, 100, 24
_OTHER_LINES = 4
"""That stay free on a terminal: the command itself, and what is told besides."""


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


class _Paced:
    """Looks now and then."""

    def __init__(self) -> None:
        self._pace = Pace()
        self._looked = 0.0

    def is_due(self) -> bool:
        if time.monotonic() - self._looked < _LOOK_SECONDS:
            return False
        self._looked = time.monotonic()
        return True


class _Lines(_Paced):
    """Some lines every few seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, str] = {}
        self._said_at = time.monotonic()

    def say(self, line: str) -> None:
        click.echo(line, err=True)

    def show(self, standings: Sequence[Standing], *, is_last: bool = False) -> None:
        at_work = self._pace.at_work(standings)
        pace = self._pace.note(at_work)
        if is_last or time.monotonic() - self._said_at >= self._pace.until_line():
            self._said_at = time.monotonic()
            for line in lines(at_work, pace, self._said):
                click.echo(printable(line), err=True)


class _Bars(_Paced):
    """A line for each book, with a bar where there is room, and one for all of them."""

    def __init__(self, live: Live) -> None:
        super().__init__()
        self._live = live

    def say(self, line: str) -> None:
        from rich.text import Text

        self._live.console.print(Text.from_ansi(line), soft_wrap=True)

    def show(self, standings: Sequence[Standing], *, is_last: bool = False) -> None:  # noqa: ARG002
        at_work = self._pace.at_work(standings)
        most = max(1, shutil.get_terminal_size().lines - _OTHER_LINES)
        self._live.update(_drawn(rows(at_work, self._pace.note(at_work), most), self._live.console.width), refresh=True)


def _drawn(shown: Sequence[Row], width: int) -> Table:
    """Draw rows as wide as they may be."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 1, 0, 0))
    for column in ("title", "bar", "share", "note"):
        if column != "bar" or width >= _WIDTH_WITH_BAR:
            table.add_column(no_wrap=True)
    for row in shown:
        bar = [ProgressBar(1.0, row.share, width=_BAR) if row.share is not None else ""]
        percent = "" if row.share is None else f"{row.share:>4.0%}"
        cells = [Text(_fitted(row.title)), *(bar if width >= _WIDTH_WITH_BAR else []), percent, Text(row.note)]
        table.add_row(*cells)
    return table


def _fitted(title: str) -> str:
    from rich.cells import cell_len, set_cell_size

    title = printable(title)
    return title if cell_len(title) <= _MOST_TITLE else f"{set_cell_size(title, _MOST_TITLE - 1)}…"


@contextmanager
def _bars() -> Iterator[_Bars]:
    from rich.console import Console
    from rich.live import Live

    # A line that is as wide as the terminal would be broken by the ^C that is typed behind it.
    console = Console(stderr=True, width=max(_LEAST_WIDTH, shutil.get_terminal_size().columns - 4))
    with Live(console=console, auto_refresh=False) as live:
        yield _Bars(live)
