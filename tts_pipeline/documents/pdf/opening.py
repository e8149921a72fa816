"""Can this PDF be read at all, and what does it say of itself?"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

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


class Opened:
    """A PDF that is being read."""

    def __init__(self, output: IO[bytes], process: subprocess.Popen[bytes], limits: Limits) -> None:
        self._output, self._process, self._limits = output, process, limits
        said = self._next("it is broken: no PDF can be read from it")
        if "error" in said:
            raise Refused(_REASONS.get(said["error"], "it is broken: no PDF can be read from it"))
        bookmarks = [Bookmark(*each) for each in said["bookmarks"]]
        named = [each for each in bookmarks if not _PAGE.fullmatch(each.title)]
        self.about = About(
            title=sensible(said["title"]),
            author=sensible(said["author"]),
            language=normalised_tag(said["language"]),
            bookmarks=named if len(named) >= _FEWEST_BOOKMARKS else [],
            page_count=said["pages"],
        )

    def pages(self) -> Iterator[tuple[int, list[Fragment]]]:
        """Yield how many characters each page has, and what stands on it."""
        for number in range(self.about.page_count):
            length, rows = self._next(f"its page {number + 1} is broken")
            yield length, [Fragment(*row) for row in rows]

    def _next(self, otherwise: str) -> Any:
        """Return what is written next; raises Refused where the program ended before that."""
        line = self._output.readline()
        if line.endswith(b"\n"):
            return json.loads(line)
        code = self._process.wait()
        if code == -signal.SIGXCPU:
            raise Refused(f"{otherwise}, or takes more than {self._limits.pdf_seconds} seconds")
        raise Refused(f"{otherwise}, or takes more than {self._limits.pdf_memory >> 20} MB of memory")


@contextmanager
def opened(path: Path, limits: Limits) -> Iterator[Opened]:
    """Open a PDF; raises Refused where it is broken, protected or too long."""
    numbers = (limits.pdf_memory, limits.pdf_seconds, limits.text_chars)
    command = [sys.executable, "-P", str(_PROGRAM), str(path), *map(str, numbers)]
    with subprocess.Popen(  # noqa: S603 (our own program)
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        try:
            document = Opened(process.stdout, process, limits)
            _refuse_length(document.about.page_count, limits)
            yield document
        finally:
            process.kill()


def _refuse_length(page_count: int, limits: Limits) -> None:
    if not page_count:
        raise Refused("it has no pages")
    if page_count > limits.pages:
        raise Refused(f"it has {page_count:,} pages, and at most {limits.pages:,} are read")
