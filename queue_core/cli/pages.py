"""How is all of a long list read?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from queue_core.task import Task

PAGE = 500


def pages_of(read: Callable[[str | None], Sequence[Task]]) -> Iterator[Task]:
    """Yield the tasks of all pages; `read` gets the last id of the page before."""
    after = None
    while page := read(after):
        yield from page
        after = page[-1].id
