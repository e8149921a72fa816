"""Where does each chapter of a plain text begin, and what does it say?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tts_pipeline.book import Block, Kind
from tts_pipeline.documents.breaks import is_break
from tts_pipeline.documents.drafts import Draft, DraftChapter
from tts_pipeline.documents.plain.contents import Contents, contents, key
from tts_pipeline.documents.plain.headings import Heading, Style, heading_in, is_title, title_lines
from tts_pipeline.documents.plain.lines import Group, Layout, flowing
from tts_pipeline.documents.plain.notes import closes, is_open, label_of, linked
from tts_pipeline.documents.plain.shapes import block_of, blocks_of, kind_of

_MANY = 2
_MOST_MISSING = 2
_TITLES = frozenset({Style.SINGLE, Style.ANNOUNCED})
"""Headings that no title follows, since they are one."""
_OF_CHAPTERS = frozenset({Style.NAMED, Style.ANNOUNCED})
"""Headings that make bare numbers under them those of sections; a preface and an epilogue stand around chapters."""


class Found(NamedTuple):
    """A heading, and the groups that it takes."""

    heading: Heading
    group: Group
    """All of its lines."""
    rest: Group
    """What stands right under it, and is no part of it."""
    taken: int
    """How many groups that is."""


class Sections:
    """The chapters of one text."""

    def __init__(self, laid_out: Layout, title: str, file: str) -> None:
        found = contents(laid_out.groups)
        self._groups = tuple(group for at, group in enumerate(laid_out.groups) if at not in found.groups)
        self._width, self._title, self._file = laid_out.width, title, file
        self._headings = _headings(self._groups, found)
        self._chapters = [DraftChapter(title, is_front=True)]

    def drafts(self) -> list[DraftChapter]:
        """Return the chapters; one alone, under the text's own title, where there are no headings."""
        names = [each for each in self._headings.values() if not each.is_container]
        named_count = sum(each.style in _OF_CHAPTERS for each in names)
        at = 0
        while at < len(self._groups):
            heading = self._headings.get(at)
            if heading is None:
                at += self._add_body(at)
                continue
            found = self._found(at, heading)
            self._add_heading(found, is_inner=heading.style is Style.BARE and named_count >= _MANY)
            at += found.taken
        chapters = [chapter for chapter in self._chapters if chapter.drafts]
        linked(chapters)
        return chapters

    def _add_heading(self, found: Found, *, is_inner: bool) -> None:
        if not is_inner:
            self._chapters.append(DraftChapter(_title(found), is_container=found.heading.is_container))
        for line in found.group:
            self._add(block_of(flowing((line,)), Kind.HEADING, self._file))
        if found.rest:
            self._add_group(found.rest)

    def _found(self, at: int, heading: Heading) -> Found:
        group = self._groups[at]
        count = 1 + title_lines(heading, group)
        rest = group[count:]
        if rest or count > 1 or heading.title or heading.style in _TITLES:
            return Found(heading, group[:count], rest, 1)
        following = self._groups[at + 1] if at + 1 < len(self._groups) else ()
        if following and at + 1 not in self._headings and _is_title_group(following):
            return Found(heading, group + following, (), 2)
        return Found(heading, group, (), 1)

    def _add_body(self, at: int) -> int:
        """Add a group that is no heading; return how many groups it takes."""
        label = label_of(self._groups[at])
        if label is None:
            self._add_group(self._groups[at])
            return 1
        last = at
        if is_open(self._groups[at]):
            ends = (later for later in range(at + 1, min(at + 20, len(self._groups))) if closes(self._groups[later]))
            last = next(ends, at)
        lines = tuple(line for group in self._groups[at : last + 1] for line in group)
        self._add(block_of(flowing(lines), Kind.NOTE, self._file), label)
        return last - at + 1

    def _add_group(self, group: Group) -> None:
        for block in blocks_of(group, kind_of(group, self._width), self._file):
            self._add(block)

    def _add(self, block: Block, note: str | None = None) -> None:
        self._chapters[-1].drafts.append(Draft(block, note=note))


def _title(found: Found) -> str:
    first, *rest = (" ".join(line.text.strip("_*=~# ").split()) for line in found.group)
    if not rest:
        return first.rstrip(".:—–- ") or first
    between = " " if first[-1] in ".:!?" else ": "
    return f"{first}{between}{' '.join(rest)}".rstrip(".:—–- ")


def _is_title_group(group: Group) -> bool:
    if is_break(group[0].text) or len(group) > 2:
        return False
    return all(is_title(line.text) and (len(group) == 1 or line.text.isupper()) for line in group)


def _headings(groups: tuple[Group, ...], found: Contents) -> dict[int, Heading]:
    """Return the headings, each under the place of its group."""
    candidates = {at: heading for at, group in enumerate(groups) if (heading := heading_in(group[0]))}
    bare = set(_in_sequence([(at, each) for at, each in candidates.items() if each.style is Style.BARE]))
    headings = {at: each for at, each in candidates.items() if each.style is not Style.BARE or at in bare}
    for at, group in enumerate(groups):
        before = headings.get(at - 1)
        is_its_title = before is not None and before.style not in _TITLES and not before.title
        if found.titles and at not in headings and not is_its_title and _is_announced(group, found):
            headings[at] = Heading(Style.ANNOUNCED, None, "", is_container=False)
    return dict(sorted(headings.items()))


def _is_announced(group: Group, found: Contents) -> bool:
    return len(group) <= 2 and len(group[0].text) <= 100 and key(" ".join(line.text for line in group)) in found.titles


def _in_sequence(numbers: list[tuple[int, Heading]]) -> Iterator[int]:
    """Yield the places of numbers that count up from 1; with nothing between them they are a list."""
    places = {at for at, _ in numbers}
    chain: list[tuple[int, int]] = []
    for at, heading in numbers:
        number = heading.number or 0
        if not places.isdisjoint({at - 1, at + 1}):
            continue
        if chain and chain[-1][1] < number <= chain[-1][1] + _MOST_MISSING:
            chain.append((at, number))
        elif number == 1:
            yield from _places(chain)
            chain = [(at, number)]
    yield from _places(chain)


def _places(chain: list[tuple[int, int]]) -> Iterator[int]:
    if len(chain) >= _MANY:
        yield from (at for at, _ in chain)
