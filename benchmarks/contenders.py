"""Who takes part in a contest, and what must each of them be able to do?"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any, Protocol

from benchmarks.ours import Ours, OursFromList
from benchmarks.payloads import Payload, do_nothing
from benchmarks.raw_postgres import RawPostgres, RawPostgresCopy
from benchmarks.raw_sqlite import RawSqlite
from benchmarks.stores import POSTGRES, Place, Setting


class Contender(Protocol):
    """A queue in three verbs, each one transaction."""

    def enqueue(self, payloads: Sequence[Payload]) -> None:
        """Make one task of each payload and insert all of them."""

    def claim(self, size: int) -> list[Any]:
        """Take at most `size` tasks, their payloads decoded; empty when none is left."""

    def complete(self, tasks: list[Any]) -> int:
        """Complete what was claimed; return how many were accepted."""

    def close(self) -> None:
        """Close every connection."""


OURS, OURS_LIST, RAW, COPY = "ours", "ours from a list", "raw", "raw COPY"


def maker(who: str, setting: Setting) -> Callable[[Place], Contender]:
    """Find the class that plays `who` on a database."""
    if who in (OURS, OURS_LIST):
        return OursFromList if who == OURS_LIST else Ours
    if setting != POSTGRES:
        return RawSqlite
    return RawPostgresCopy if who == COPY else RawPostgres


@contextmanager
def opened(who: str, place: Place) -> Iterator[Contender]:
    """Open a contender, and close it afterwards."""
    with closing(maker(who, place.setting)(place)) as contender:
        yield contender


def drain(contender: Contender, size: int, limit: int | None = None) -> int:
    """Claim and complete `size` at a time until `limit` are done or none is left."""
    done = 0
    while limit is None or done < limit:
        tasks = contender.claim(size)
        if not tasks:
            break
        for task in tasks:
            do_nothing(task)
        done += contender.complete(tasks)
    return done
