"""Can this PDF be read at all, and what does it say of itself?"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from tts_pipeline.documents.language import normalised_tag
from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.pdf.fragments import Fragment
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.titles import sensible

_PROGRAM = Path(__file__).with_name("extraction.py")
_FEWEST_BOOKMARKS = 2
_PAGE = re.compile(r"(?:page|seite|p\.?)?\s*\d+|.*\.pdf", re.IGNORECASE)
_REASONS = {
    4: "it is protected by a password",
    5: "it is encrypted, and can only be read by the program that it was made for",
}
"""By PDFium's numbers of errors."""


class Bookmark(NamedTuple):
    """A line of the outline."""

    title: str
    depth: int
    page: int
    top: float | None
    """How high on the page it leads, where it says so."""


class About(NamedTuple):
    """What a PDF says of itself."""

    title: str | None
    author: str | None
    language: str | None
    bookmarks: list[Bookmark]
    page_count: int


class _Extraction:
    """The program that reads a PDF from one of its pages on."""

    def __init__(self, path: Path, limits: Limits, first: int) -> None:
        numbers = (limits.pdf_memory, limits.pdf_seconds, limits.text_chars, first)
        command = [sys.executable, "-P", str(_PROGRAM), str(path), *map(str, numbers)]
        self.first = first
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.about = self.next()

    def next(self) -> Any:
        """Return what it says next; None where it ended before."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    @property
    def is_out_of_time(self) -> bool:
        """Whether it was ended since it worked for too long."""
        return self._process.wait() == -signal.SIGXCPU

    def close(self) -> None:
        """End it."""
        with self._process:
            self._process.kill()


class Opened:
    """A PDF that is being read."""

    def __init__(self, path: Path, limits: Limits) -> None:
        self._path, self._limits = path, limits
        self._extraction = _Extraction(path, limits, 0)
        try:
            self.about = self._about()
        except Refused:
            self.close()
            raise

    def close(self) -> None:
        """End what reads it."""
        self._extraction.close()

    def pages(self) -> Iterator[tuple[int, list[Fragment]]]:
        """Yield how many characters each page has, and what stands on it."""
        for number in range(self.about.page_count):
            length, rows = self._page(number)
            yield length, [Fragment(*row) for row in rows]

    def _about(self) -> About:
        broken = "it is broken: no PDF can be read from it"
        said = self._extraction.about or self._refuse(broken)
        if "error" in said:
            raise Refused(_REASONS.get(said["error"], broken))
        _refuse_length(said["pages"], self._limits)
        bookmarks = [Bookmark(*each) for each in said["bookmarks"]]
        named = [each for each in bookmarks if not _PAGE.fullmatch(each.title)]
        return About(
            title=sensible(said["title"]),
            author=sensible(said["author"]),
            language=normalised_tag(said["language"]),
            bookmarks=named if len(named) >= _FEWEST_BOOKMARKS else [],
            page_count=said["pages"],
        )

    def _page(self, number: int) -> Any:
        """Return the next page; what went before it stays in memory, so that it may have too much only by itself."""
        page = self._extraction.next()
        if page is None and number > self._extraction.first and not self._extraction.is_out_of_time:
            self._extraction.close()
            self._extraction = _Extraction(self._path, self._limits, number)
            page = self._extraction.next()
        return page or self._refuse(f"its page {number + 1} is broken")

    def _refuse(self, otherwise: str) -> NoReturn:
        if self._extraction.is_out_of_time:
            raise Refused(f"{otherwise}, or takes more than {self._limits.pdf_seconds} seconds")
        raise Refused(f"{otherwise}, or takes more than {self._limits.pdf_memory >> 20} MB of memory")


def opened(path: Path, limits: Limits) -> closing[Opened]:
    """Open a PDF; raises Refused where it is broken, protected or too long."""
    return closing(Opened(path, limits))


def _refuse_length(page_count: int, limits: Limits) -> None:
    if not page_count:
        raise Refused("it has no pages")
    if page_count > limits.pages:
        raise Refused(f"it has {page_count:,} pages, and at most {limits.pages:,} are read")
