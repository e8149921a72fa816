"""Which lines of a plain text stand together?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from statistics import mode
from typing import NamedTuple

from tts_pipeline.documents.breaks import is_break
from tts_pipeline.mapped import Mapped

_UNWRAPPED = 110
"""Lines longer than this were not wrapped by hand: each is a paragraph."""
_NARROWEST = 60
_ENDS = ".!?…:\"'”’»-—_)]"
_SPACES = re.compile(r"[^\S\n]{2,}|[^\S\n ]")
_HYPHEN = re.compile(r"\w-")


class Line(NamedTuple):
    """A line that is not blank."""

    text: str
    """Without white space at its ends."""
    start: int
    """Where it stands in the decoded text."""
    indent: int

    @property
    def end(self) -> int:
        """Where it ends in the decoded text."""
        return self.start + len(self.text)


Group = tuple[Line, ...]
"""Lines with nothing between them: a paragraph, a stanza, a heading."""


class Layout(NamedTuple):
    """How a text was typed."""

    groups: tuple[Group, ...]
    width: int
    """Where lines were broken."""


def layout(text: str, start: int = 0) -> Layout:
    """Find the lines that stand together in a text, or in the part of one that starts somewhere."""
    runs = list(_runs(text, start))
    lines = [line for run in runs for line in run]
    if not lines:
        return Layout((), _NARROWEST)
    width = _percentile([len(line.text) for line in lines], 95)
    if width > _UNWRAPPED:
        return Layout(tuple((line,) for line in lines), width)
    margin = _percentile([line.indent for line in lines], 5)
    runs = [[line._replace(indent=max(0, line.indent - margin)) for line in run] for run in runs] if margin else runs
    return Layout(tuple(group for run in runs for group in _separated(tuple(run))), max(width, _NARROWEST))


def flowing(group: Group) -> Mapped:
    """Return the words of a group in one line."""
    return _tidy(Mapped.joined(_pieces(group)))


def in_lines(group: Group) -> Mapped:
    """Return a group with its line ends."""
    ends = (("\n", line.end) for line in group[:-1])
    texts = ((line.text, line.start) for line in group)
    return _tidy(Mapped.joined(piece for pair in zip_longest(texts, ends) for piece in pair if piece))


def _percentile(values: list[int], percent: int) -> int:
    return sorted(values)[len(values) * percent // 100]


def _pieces(group: Group) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(group):
        # A word that was divided at its hyphen goes on in the next line.
        if number and not _HYPHEN.fullmatch(group[number - 1].text[-2:]):
            yield " ", group[number - 1].end
        yield line.text, line.start


def _tidy(text: Mapped) -> Mapped:
    return text.sub(_SPACES, " ") if _SPACES.search(text.text) else text


def _runs(text: str, start: int) -> Iterator[list[Line]]:
    """Yield what blank lines and lines of ornaments divide; the latter stand alone."""
    run: list[Line] = []
    for line in _lines(text, start):
        is_ornament = line is not None and is_break(line.text)
        if run and (line is None or is_ornament):
            yield run
            run = []
        if line is not None and is_ornament:
            yield [line]
        elif line is not None:
            run.append(line)
    if run:
        yield run


def _lines(text: str, start: int) -> Iterator[Line | None]:
    """Yield the lines, None for a blank one."""
    position = start
    for whole in text.splitlines(keepends=True):
        content = whole.strip()
        if content:
            before = whole[: whole.index(content[0])]
            yield Line(content, position + len(before), len(before.expandtabs(8)))
        else:
            yield None
        position += len(whole)


def _separated(run: Group) -> Iterator[Group]:
    """Divide a run whose paragraphs begin with an indent, and have no blank lines between them."""
    begun = 0
    if len(run) > 2:
        margin = mode(sorted(line.indent for line in run))
        inner = [number for number in range(1, len(run)) if run[number].indent > margin]
        if len(inner) <= len(run) / 2 and all(run[number - 1].text[-1] in _ENDS for number in inner):
            for number in inner:
                yield run[begun:number]
                begun = number
    yield run[begun:]
