"""Which lines at the top and the foot of pages are running heads and page numbers?

Those that stand at the same height on pages close to each other, and say the same but for a number that
counts the pages. A heading that opens chapters at the same height is on pages far from each other, or its
number does not count pages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

from tts_pipeline.documents.pdf.lines import Line
from tts_pipeline.numerals import roman

_OUTERMOST = 3
"""Lines at either end of a page that may be such."""
_LARGEST = 1.12
"""How much larger than the text they may be: what is larger is a heading."""
_GAP = 1.5
"""In heights of a line."""
_OTHER_SIZE = 0.08
_STEP = 6
"""Within how many points heights are the same."""
_NEAR = 2
"""Pages: heads of left and right pages differ."""
_NUMBER = re.compile(r"\d+")
_ALONE = re.compile(
    r"\W*(?:(?:page|seite|p)\W*)?(?P<number>\d{1,5}|[ivxlc]{1,8})(?:\s*(?:/|of|von|de)\s*\d+)?\W*", re.IGNORECASE
)
_SPACE = re.compile(r"\s+")

_ANYWHERE = ("", 0)
Spot = tuple[str, int]
"""What a line says without its numbers, and its height."""


def running(pages: list[list[Line]]) -> set[int]:
    """Return which lines, by identity, are running heads or feet, or numbers of pages."""
    same: dict[Spot, list[Line]] = defaultdict(list)
    numbers: dict[tuple[Spot, int], list[Line]] = defaultdict(list)
    heights = sorted(line.height for page in pages for line in page)
    largest = _LARGEST * heights[len(heights) // 2] if heights else 0
    for line in (line for page in pages for line in _outermost(page) if line.height <= largest):
        text = _SPACE.sub(" ", line.text).strip().casefold()
        for height in (round(line.y0 / _STEP), ~int(line.y0 / _STEP)):  # two grids: no edge divides
            same[text, height].append(line)
            for rest, number in _numbered(text):
                numbers[(rest, height), number - line.page].append(line)
        for rest, number in _numbered(text):
            if not rest:  # where a chapter begins, the number may stand elsewhere
                numbers[_ANYWHERE, number - line.page].append(line)
    least = 3 if len(pages) > 3 else 2
    counting = [group for (spot, _), group in numbers.items() if spot == _ANYWHERE and len(group) >= 3]
    groups = [*same.values(), *numbers.values()]
    close = [_close(group, least) for group in groups]
    return {id(line) for group in close + counting for line in group}


def _outermost(page: list[Line]) -> list[Line]:
    """Return the lines at either end of a page that stand apart from its text."""
    downwards = sorted(page, key=lambda line: -line.y0)
    return _apart(downwards) + _apart(downwards[::-1])


def _apart(inwards: list[Line]) -> list[Line]:
    """Return the first lines of a page, from one end, up to the last one that has a gap behind it."""
    count = 0
    most = min(_OUTERMOST, max(1, len(inwards) // 3))
    for number, (line, following) in enumerate(pairwise(inwards[: most + 1]), 1):
        is_apart = abs(line.y0 - following.y0) > _GAP * max(line.height, following.height)
        if is_apart or abs(line.height - following.height) > _OTHER_SIZE * line.height:
            count = number
    return inwards[: count if len(inwards) > 1 else 1]


def _numbered(text: str) -> list[tuple[str, int]]:
    """Return what is around each number that may be a page's, and the number."""
    alone = _ALONE.fullmatch(text)
    if alone:
        number = int(alone["number"]) if alone["number"].isdecimal() else roman(alone["number"])
        return [("", number)] if number is not None else []
    found = list(_NUMBER.finditer(text))
    return [
        (f"{_NUMBER.sub('', text[: each.start()])}#{_NUMBER.sub('', text[each.end() :])}", int(each[0][:9]))
        for each in (found[:1] + found[-1:] if found else ())
    ]


def _close(group: list[Line], least: int) -> list[Line]:
    """Return the lines of a group with others of it on pages nearby, where those are enough."""
    pages = sorted({line.page for line in group})
    near = {each for page, after in pairwise(pages) if after - page <= _NEAR for each in (page, after)}
    return [line for line in group if line.page in near] if len(near) >= least else []
