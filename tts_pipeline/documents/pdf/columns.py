"""In which order are the parts of a page read: down its columns, or across?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from statistics import median

from tts_pipeline.documents.pdf.fragments import Fragment

_WIDE = 0.65
"""The share of the text's width from which a line is no line of a column."""
_CROSSING = 0.1
"""The share of lines that may cross the gap between columns, such as headings over both."""
_GAP = 0.7
"""The least gap between columns, in heights of a line."""
_NARROWEST = 0.18
_FEWEST = 4
"""Lines that make a column."""
_FILLED = 0.5
"""How much of a column its lines fill, other than the cells of a table."""
_MOST_BINS = 5_000

Column = list[Fragment]


def in_order(found: list[Fragment]) -> list[Column]:
    """Return the columns of a page in their order; what goes across divides those above it from those below."""
    if not found:
        return []
    gaps = _gaps(found)
    columns: list[Column] = []
    bands: list[Column] = [[] for _ in range(len(gaps) + 1)]
    for fragment in sorted(found, key=lambda each: -each.y1):
        if gaps and any(fragment.x0 < left and fragment.x1 > right for left, right in gaps):
            columns += [*bands, [fragment]]
            bands = [[] for _ in bands]
        else:
            middle = (fragment.x0 + fragment.x1) / 2
            bands[sum(middle > (left + right) / 2 for left, right in gaps)].append(fragment)
    return _joined([column for column in (*columns, *bands) if column])


def _joined(columns: list[Column]) -> list[Column]:
    """Put lines that go across and follow each other together, so that they are one paragraph."""
    joined: list[Column] = []
    for column in columns:
        if len(column) == 1 and joined and len(joined[-1]) and _is_across(joined[-1], column[0]):
            joined[-1].append(column[0])
        else:
            joined.append(list(column))
    return joined


def _is_across(column: Column, fragment: Fragment) -> bool:
    """Return whether a column is made of lines as wide as another, right above it."""
    last = column[-1]
    is_near = 0 <= last.y0 - fragment.y0 < 3 * fragment.height
    return is_near and last.x0 < fragment.x1 and last.x1 - last.x0 > _WIDE * (fragment.x1 - fragment.x0)


def _gaps(found: list[Fragment]) -> list[tuple[float, float]]:
    """Return where there is white from top to bottom, with columns of prose on both sides."""
    left, right = min(each.x0 for each in found), max(each.x1 for each in found)
    width = right - left
    narrow = [each for each in found if each.x1 - each.x0 < _WIDE * width]
    if len(narrow) < 2 * _FEWEST or not 0 < width < _MOST_BINS:
        return []
    height = median(each.height for each in narrow)
    gaps = [gap for gap in _white(narrow, left, width) if gap[1] - gap[0] >= _GAP * height]
    while gaps:
        edges = [left, *(edge for gap in gaps for edge in gap), right]
        wrong = [
            number
            for number, (begin, end) in enumerate(zip(edges[::2], edges[1::2], strict=True))
            if not _is_column(narrow, begin, end, width)
        ]
        if not wrong:
            return gaps
        del gaps[min(wrong[0], len(gaps) - 1)]
    return []


def _white(narrow: list[Fragment], left: float, width: float) -> Iterator[tuple[float, float]]:
    """Yield stretches of the width that hardly any line covers."""
    steps = [0] * (int(width) + 3)
    for each in narrow:
        steps[max(0, int(each.x0 - left) + 1)] += 1
        steps[max(0, int(each.x1 - left))] -= 1
    covered = list(accumulate(steps))
    most = _CROSSING * len(narrow)
    edges = [-1, *(at for at, count in enumerate(covered) if count > most), len(covered)]
    for before, after in pairwise(edges):
        if after - before > 2 and before > _NARROWEST * width and after < (1 - _NARROWEST) * width:
            yield left + before + 1, left + after


def _is_column(narrow: list[Fragment], begin: float, end: float, width: float) -> bool:
    inside = [each for each in narrow if begin - 2 <= each.x0 and each.x1 <= end + 2]
    if len(inside) < _FEWEST or end - begin < _NARROWEST * width:
        return False
    lines = {round(each.y0 / max(each.height, 1)) for each in inside}
    return len(lines) >= _FEWEST and median(each.x1 - each.x0 for each in inside) >= _FILLED * (end - begin)
