"""How far are books, how fast does it go, and what is shown of it?

Nothing here draws: rows are drawn as bars on a terminal, and written as lines elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tts_pipeline.cli.spoken import clock, counted

if TYPE_CHECKING:
    from tts_pipeline.shelf.standing import Standing

_FIRST_SECONDS, _LONGEST_SECONDS = 10.0, 60.0
_MOST_LINES = 5
"""Of books that moved, at a time, where nothing is drawn."""


class Row(NamedTuple):
    """What is shown of a book, or of all."""

    title: str
    share: float | None
    """How much of it is done, from 0 to 1; None where no bar makes sense."""
    note: str

    @property
    def line(self) -> str:
        """The same in a line of its own."""
        return ": ".join(part for part in (self.title, self.note) if part)


class Pace:
    """How fast things go, and which books are at work at all."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._began = now()
        self._first: tuple[float, float] | None = None
        self._was_whole: dict[str, bool] = {}

    @property
    def passed(self) -> float:
        """How many seconds have passed."""
        return self._now() - self._began

    def at_work(self, standings: Sequence[Standing]) -> list[Standing]:
        """Return the books that were not whole when they were first seen."""
        for one in standings:
            self._was_whole.setdefault(one.book.id, one.is_whole)
        return [one for one in standings if not self._was_whole[one.book.id]]

    def note(self, standings: Sequence[Standing]) -> str:
        """Return how many times faster than speech it goes, and how long it will take; nothing before that is known."""
        seconds, share = _spoken(standings), _share(standings)
        first = self._first = self._first or (seconds, share)
        if share <= first[1] or share >= 1 or not self.passed:
            return ""
        left = (1 - share) * self.passed / (share - first[1])
        return f"{(seconds - first[0]) / self.passed:.0f} × real time, {clock(left)} left"

    def until_line(self) -> float:
        """Return how long a log waits for its next line: whoever reads hours of it wants fewer."""
        return min(max(_FIRST_SECONDS, self.passed / 10), _LONGEST_SECONDS)


def rows(standings: Sequence[Standing], pace: str, most: int) -> list[Row]:
    """Return what is shown of books at work in so many rows: all of them first, and what does not fit counted."""
    if len(standings) <= 1:
        return [Row(one.book.title, one.share, _joined(progress(one), pace)) for one in standings]
    at_work = sorted((one for one in standings if not one.is_published), key=lambda one: not one.share)
    shown = at_work[: max(0, most - 2)] if len(at_work) < len(standings) or len(at_work) > most - 1 else at_work
    books = [Row(one.book.title, one.share, progress(one)) for one in shown]
    rest = [one for one in standings if one not in shown]
    return [_in_all(standings, pace), *books, *([Row("", None, _counted(rest))] if rest else [])]


def lines(standings: Sequence[Standing], pace: str, said: dict[str, str]) -> Iterator[str]:
    """Give lines about all books, and those that moved since the last lines, which are noted."""
    if len(standings) > 1:
        yield _in_all(standings, pace).line
    moved = [one for one in standings if said.get(one.book.id) != progress(one) and (one.share or one.book.id in said)]
    for one in sorted(moved, key=lambda one: not one.is_published)[:_MOST_LINES]:
        said[one.book.id] = progress(one)
        note = progress(one) if len(standings) > 1 else _joined(progress(one), pace)
        yield Row(one.book.title, None, note).line


def progress(one: Standing) -> str:
    """Say how far a book is."""
    if one.is_published:
        missing = f", {counted(one.missing_count, 'sentence')} missing" if one.missing_count else ""
        return f"published, {clock(one.seconds)}{missing}"
    if one.rendered_count < one.book.sentence_count:
        return f"{one.rendered_count:,} of {one.book.sentence_count:,} sentences"
    return f"{one.chapter_count} of {one.book.chapter_count} chapters encoded"


def _in_all(standings: Sequence[Standing], pace: str) -> Row:
    done, of_all = (sum(each) for each in zip(*map(_sentences, standings), strict=True))
    return Row("in all", _share(standings), _joined(f"{done:,} of {of_all:,} sentences", pace))


def _counted(rest: Sequence[Standing]) -> str:
    """Say what the books are that are not shown."""
    published = sum(one.is_published for one in rest)
    waiting = sum(not one.share for one in rest)
    found = ((published, "published"), (len(rest) - published - waiting, "at work"), (waiting, "waiting"))
    return f"and {counted(len(rest), 'book')}: " + ", ".join(f"{count:,} {words}" for count, words in found if count)


def _sentences(one: Standing) -> tuple[int, int]:
    return (one.book.sentence_count if one.is_published else one.rendered_count), one.book.sentence_count


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _spoken(standings: Sequence[Standing]) -> float:
    """Return how many seconds of speech were rendered, roughly: by the share of what is expected."""
    return sum(one.book.expected_ms / 1000 * one.rendered_count / max(1, one.book.sentence_count) for one in standings)


def _share(standings: Sequence[Standing]) -> float:
    weights = [max(1, one.book.sentence_count) for one in standings]
    done = sum(one.share * weight for one, weight in zip(standings, weights, strict=True))
    return done / max(1, sum(weights))
