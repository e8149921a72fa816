"""Where in the source does a block of Markdown stand, whose lines come without what they begin with?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tts_pipeline.mapped import Mapped

_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n|$)")
_ESCAPED_BAR = re.compile(r"\\(?=\|)")


class Lines:
    """The lines of a source."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [(match.start(), match[1]) for match in _LINE.finditer(text)]

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Return where some lines begin and end."""
        start = self._lines[first][0]
        return start, self._lines[end][0] if end < len(self._lines) else len(self._text)

    def block(self, content: str, first: int) -> Mapped:
        """Return the content of a block whose first line is known."""
        return Mapped.joined(self._pieces(content, first))

    def cell(self, content: str, line: int, begin: int) -> tuple[Mapped, int]:
        """Return the content of a cell that stands in a line somewhere after a column, and the column of its end."""
        start, source = self._lines[line]
        written = content.replace("|", "\\|")
        at = max(source.find(written, begin), begin)
        cell = Mapped.whole(written, start + at).sub(_ESCAPED_BAR, "")
        return cell, at + len(written)

    def _pieces(self, content: str, first: int) -> Iterator[tuple[str, int]]:
        """Yield each line of a block with its place: it is the end of a line, but for a heading's closing marks."""
        for number, line in enumerate(content.split("\n"), first):
            start, source = self._lines[min(number, len(self._lines) - 1)]
            words = line.strip()
            ends = source.rstrip()
            at = len(ends) - len(words) if ends.endswith(words) else max(source.rfind(words), 0)
            if number > first:
                yield "\n", max(start - 1, 0)
            before = len(line) - len(line.lstrip())
            yield line, max(start + at - before, 0)
