"""Where in the original does each character of an edited text stand?

Edits are few and texts are long, so the answer is kept as runs: from an index of the text on, each
character stands one further in the original, until the next run begins. The last one is the end.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain

Run = tuple[int, int]
"""(index in the text, offset in the original)"""
Replacement = str | Callable[[re.Match[str]], str]


def offset_at(runs: tuple[Run, ...], index: int) -> int:
    """Return where in the original the character at an index stands; at the text's length: its end."""
    number = bisect_right(runs, index, key=_index_of) - 1
    start, offset = runs[number]
    # A replacement may be longer than what it replaced, which ends before the next run begins.
    last = runs[number + 1][1] - 1 if number + 1 < len(runs) else offset
    return min(offset + index - start, max(offset, last))


def _index_of(run: Run) -> int:
    return run[0]


@dataclass(frozen=True, slots=True)
class Mapped:
    """A text, and where each of its characters comes from."""

    text: str
    runs: tuple[Run, ...]

    @classmethod
    def whole(cls, text: str, offset: int = 0) -> Mapped:
        """Return a text that stands in the original as it is, from an offset on."""
        return cls(text, ((0, offset), (len(text), offset + len(text))))

    @classmethod
    def joined(cls, pieces: Iterable[tuple[str, int]]) -> Mapped:
        """Return pieces of the original, given with their offsets, one behind the other."""
        texts: list[str] = []
        runs: list[Run] = []
        length = end = 0
        for text, offset in pieces:
            runs.append((length, offset))
            texts.append(text)
            length += len(text)
            end = offset + len(text)
        return cls("".join(texts), (*runs, (length, end)))

    def at(self, index: int) -> int:
        """Return where in the original the character at an index stands."""
        return offset_at(self.runs, index)

    def sub(self, pattern: re.Pattern[str], replacement: Replacement) -> Mapped:
        """Return it with every match of a pattern replaced."""
        replaced = replacement if callable(replacement) else lambda _match: replacement
        edits = [(match.start(), match.end(), replaced(match)) for match in pattern.finditer(self.text)]
        return self._edited(edits) if edits else self

    def cut(self, start: int, end: int) -> Mapped:
        """Return a part of it."""
        return self._edited([(0, start, ""), (end, len(self.text), "")])

    def stripped(self) -> Mapped:
        """Return it without white space at its ends."""
        start = len(self.text) - len(self.text.lstrip())
        end = len(self.text.rstrip())
        return self if (start, end) == (0, len(self.text)) else self.cut(start, max(start, end))

    def _edited(self, edits: list[tuple[int, int, str]]) -> Mapped:
        texts: list[str] = []
        runs: list[Run] = []
        length = done = 0
        for start, end, new in chain(edits, [(len(self.text), len(self.text), "")]):
            if start > done:
                runs += self._runs_between(done, start, length - done)
                texts.append(self.text[done:start])
                length += start - done
            if new:
                runs.append((length, self.at(start)))
                texts.append(new)
                length += len(new)
            done = max(done, end)
        start, end, new = edits[-1]
        cut_at = start if end == len(self.text) and not new else len(self.text)
        return Mapped("".join(texts), (*runs, (length, self.at(cut_at))))

    def _runs_between(self, start: int, end: int, shift: int) -> list[Run]:
        first = bisect_right(self.runs, start, key=_index_of)
        last = bisect_left(self.runs, end, key=_index_of)
        return [(start + shift, self.at(start)), *((index + shift, at) for index, at in self.runs[first:last])]
