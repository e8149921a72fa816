"""Which lines does a column have?"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from tts_pipeline.documents.pdf.fragments import Fragment

MARK = re.compile(r"\d{1,3}|[*†‡§¶‖]{1,3}")
_SAME_LINE = 0.35
"""How far, in heights, the feet of letters on one line may be apart."""
_SMALL = 0.82
_RAISED = 0.15
_SPACE = 0.12
_DROPPED = 1.7
"""How much larger than the lines beside it a first letter is that begins a chapter."""
_MOST_DROPPED = 5
_MOST_RAISED = 50
_MOST_FRAGMENTS = 500
"""No line that somebody set has more."""
_WORD = re.compile(r"(?:[^\W\d_]{2,}|[^\W\d_][.,;:!?]|[.,;:!?)\]])[\"'”’»]*$|[\"”’»]$")


@dataclass(slots=True)
class Line:
    """A line of a column."""

    page: int
    column: int
    """Which one of all columns of all pages."""
    x0: float
    x1: float
    y0: float
    y1: float
    bold: bool
    pieces: list[tuple[str, int]]
    """What it says, and where in its page's text."""
    refs: list[str] = field(default_factory=list)
    """The marks of notes in it."""
    label: str | None = None
    """The mark that it begins with."""

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)

    @property
    def height(self) -> float:
        return self.y1 - self.y0


def lines(column: list[Fragment], page: int, number: int) -> list[Line]:
    """Return the lines of a column from top to bottom."""
    capitals, others = _dropped(column)
    clusters: list[list[Fragment]] = []
    largest = column[0]
    for fragment in sorted(others, key=lambda each: -each.y0):
        if clusters and abs(largest.y0 - fragment.y0) <= _SAME_LINE * max(largest.height, fragment.height):
            clusters[-1].append(fragment)
            largest = max(largest, fragment, key=lambda each: each.height)
        else:
            clusters.append([fragment])
            largest = fragment
    made = [_line(cluster, page, number) for cluster in _with_raised(clusters)]
    for capital in capitals:
        _put_before(made, capital)
    return [line for line in made if line.text.strip() or line.label]


def _with_raised(clusters: list[list[Fragment]]) -> list[list[Fragment]]:
    """Put small raised characters, which come first, on the line that they belong to."""
    joined: list[list[Fragment]] = []
    for cluster in clusters:
        before = joined[-1] if joined else None
        largest = max(cluster, key=lambda each: each.height)
        if before and len(before) <= _MOST_RAISED and all(_is_raised(each, largest, cluster) for each in before):
            joined[-1] = before + cluster
        else:
            joined.append(cluster)
    return joined


def _is_raised(fragment: Fragment, largest: Fragment, line: list[Fragment]) -> bool:
    if fragment.height > _SMALL * largest.height or fragment.y0 < largest.y0 + _RAISED * largest.height:
        return False
    reach = largest.height
    is_near = any(each.x0 - reach < fragment.x1 and fragment.x0 < each.x1 + reach for each in line)
    return is_near and fragment.y0 < largest.y1


def _line(cluster: list[Fragment], page: int, number: int) -> Line:
    cluster.sort(key=lambda each: each.x0)
    largest = _usual(cluster)
    letters = sum(len(each.text) for each in cluster)
    line = Line(
        page=page,
        column=number,
        x0=cluster[0].x0,
        x1=max(each.x1 for each in cluster),
        y0=largest.y0,
        y1=largest.y1,
        bold=2 * sum(len(each.text) for each in cluster if each.bold) > letters,
        pieces=[],
    )
    before: Fragment | None = None
    for fragment in cluster:
        is_mark = fragment is not largest and MARK.fullmatch(fragment.text.strip()) is not None
        if is_mark and _is_raised(fragment, largest, cluster[:_MOST_FRAGMENTS]):
            if not line.pieces:
                line.label = fragment.text.strip()
                continue
            if _WORD.search(line.text.rstrip()):
                line.refs.append(fragment.text.strip())
                before = fragment
                continue
        _say(line, fragment, before)
        before = fragment
    return line


def _usual(cluster: list[Fragment]) -> Fragment:
    """Return a part of a line in the size of most of it: brackets of another font may be larger."""
    counted: Counter[float] = Counter()
    for each in cluster:
        counted[round(each.height, 1)] += len(each.text)
    height = max(counted, key=lambda each: (counted[each], each))
    return next(each for each in cluster if round(each.height, 1) == height)


def _say(line: Line, fragment: Fragment, before: Fragment | None) -> None:
    is_apart = before is not None and fragment.x0 - before.x1 > _SPACE * min(fragment.height, before.height)
    if is_apart and line.pieces and not line.pieces[-1][0].endswith(" "):
        line.pieces.append((" ", fragment.start))
    line.pieces.append((fragment.text, fragment.start))


def _dropped(column: list[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Tell large first letters, which stand beside several lines, from the rest."""
    heights = sorted(each.height for each in column)
    least = _DROPPED * heights[len(heights) // 2]
    large = [each for each in column if each.height >= least and each.text.strip().isalpha() and len(each.text) <= 2]
    capitals = [
        each
        for each in large[:_MOST_DROPPED]
        if any(other.height < least and each.x1 - 2 <= other.x0 and _overlaps(each, other) for other in column)
    ]
    taken = {id(each) for each in capitals}
    return capitals, [each for each in column if id(each) not in taken]


def _overlaps(one: Fragment, other: Fragment) -> bool:
    return one.y0 < (other.y0 + other.y1) / 2 < one.y1


def _put_before(made: list[Line], capital: Fragment) -> None:
    beside = [line for line in made if capital.y0 < (line.y0 + line.y1) / 2 < capital.y1 and line.x0 >= capital.x1 - 2]
    for line in beside:
        line.x0 = capital.x0
    if beside:
        beside[0].pieces.insert(0, (capital.text.strip(), capital.start))
