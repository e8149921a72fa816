"""Which lines of a plain text are a table of contents, that repeats the headings?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tts_pipeline.documents.plain.headings import heading_in
from tts_pipeline.documents.plain.lines import Group
from tts_pipeline.documents.plain.words import CONTENTS

_PAGE = re.compile(r"[\s.…·_-]*\b(?:\d{1,4}|[ivxlc]{1,7})\s*$")
_COLUMNS = re.compile(r"(?:page|pages|chapter|chap|seite|pagina|página)[.:]?", re.IGNORECASE)
_OTHERS = re.compile(r"[\W_]+")
_SHORT = 100
_LEAST = 3
_SHARE = 0.7


class Contents(NamedTuple):
    """The table of contents, if there is one."""

    groups: frozenset[int]
    """Which groups it is made of."""
    titles: frozenset[str]
    """What it announces, as `key` writes it."""


Places = dict[str, tuple[int, int]]
"""The first and the last group that says something."""

NONE = Contents(frozenset(), frozenset())


def key(text: str) -> str:
    """Return what two ways to print the same heading have in common."""
    return _OTHERS.sub("", text).casefold()


def contents(groups: tuple[Group, ...]) -> Contents:
    """Find the table of contents: lines that stand elsewhere too, under their announcement or several in a row."""
    places = _places(groups)
    announced = next((at for at, group in enumerate(groups) if len(group) == 1 and _announces(group)), None)
    if announced is not None:
        run = _run(groups, announced + 1, places)
        if run:
            return Contents(frozenset({announced, *run}), frozenset(_titles(groups, run)))
    return next((found for found in _unannounced(groups, places) if found), NONE)


def _announces(group: Group) -> bool:
    return group[0].text.strip("_*=~# .:").casefold() in CONTENTS


def _places(groups: tuple[Group, ...]) -> Places:
    """Return where each short group, and each heading, comes first and last."""
    places: Places = {}
    for at, group in enumerate(groups):
        if len(group) <= 3 and len(group[0].text) <= _SHORT:
            for text in _spellings(groups, at):
                first, _ = places.get(text, (at, at))
                places[text] = (first, at)
    return places


def _spellings(groups: tuple[Group, ...], at: int) -> set[str]:
    """Return how a table may print the heading that a group is, perhaps with the title that follows it."""
    group = groups[at]
    heading = heading_in(group[0])
    texts = [group[0].text, " ".join(line.text for line in group), heading.title if heading else ""]
    if heading and len(group) > 1:
        texts.append(group[1].text)
    if heading and len(group) == 1 and at + 1 < len(groups) and len(groups[at + 1]) == 1:
        texts.append(f"{group[0].text} {groups[at + 1][0].text}")
    return {key(text) for text in texts if key(text)}


def _run(groups: tuple[Group, ...], start: int, places: Places) -> list[int]:
    """Return the groups from a place on whose lines stand elsewhere too."""
    end = start
    while end < len(groups) and _repeats(groups[end], places, start, end):
        end += 1
    # The last entries may be the headings themselves.
    while end > start and not _repeats(groups[end - 1], places, start, end - 1, share=0.01):
        end -= 1
    return list(range(start, end))


def _repeats(group: Group, places: Places, start: int, end: int, share: float = _SHARE) -> bool:
    """Return whether most lines of a group stand before or behind a range of groups too."""
    lines = [line.text for line in group if not _COLUMNS.fullmatch(line.text)]
    found = [line for line in lines if any(_is_outside(places.get(each), start, end) for each in _variants(line))]
    return len(found) >= share * len(lines)


def _is_outside(places: tuple[int, int] | None, start: int, end: int) -> bool:
    return places is not None and (places[0] < start or places[1] > end)


def _variants(line: str) -> Iterator[str]:
    """Yield what the heading of an entry may look like."""
    unpaged = _PAGE.sub("", line)
    for text in (line, unpaged):
        heading = _title_in(text)
        yield key(text)
        if heading and len(key(heading)) > 2:
            yield key(heading)


def _title_in(text: str) -> str | None:
    """Return the title in an entry that begins with a number."""
    match = re.match(r"\W*(?:\w+\s+)?(?:\d+|[IVXLC]+)[\s.:)—–-]+(?P<title>.+)", text)
    return match["title"] if match else None


def _keys_of(group: Group) -> Iterator[str]:
    for line in group:
        yield from _variants(line.text)


def _titles(groups: tuple[Group, ...], run: list[int]) -> Iterator[str]:
    for at in run:
        yield from _keys_of(groups[at])


def _unannounced(groups: tuple[Group, ...], places: Places) -> Iterator[Contents | None]:
    """Yield tables that nothing announces: three headings or more with nothing between them."""
    at = 0
    while at < len(groups):
        run = _run(groups, at, places) if heading_in(groups[at][0]) else []
        headings = [line for each in run for line in groups[each] if heading_in(line)]
        yield Contents(frozenset(run), frozenset(_titles(groups, run))) if len(headings) >= _LEAST else None
        at += max(1, len(run))
