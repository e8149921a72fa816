"""Which headings of a PDF are above which others, and where does its outline lead?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tts_pipeline.book import Kind
from tts_pipeline.documents.chapters import Entry
from tts_pipeline.documents.pdf.opening import Bookmark
from tts_pipeline.documents.pdf.paragraphs import Paragraph
from tts_pipeline.documents.plain.contents import key
from tts_pipeline.documents.plain.headings import heading_in
from tts_pipeline.documents.plain.lines import Line as PlainLine

_DEEPEST = 6
_STEP = 0.06
"""The share by which sizes differ that are not the same."""


def levels(made: Sequence[Paragraph], body: float) -> list[int]:
    """Return the level of each paragraph, 0 for what is no heading: sizes that come again are those of chapters."""
    sizes = [_size(each, body) if each.kind is Kind.HEADING else 0 for each in made]
    counted = Counter(size for number, size in enumerate(sizes) if size and not continues(made, number))
    again = sorted((size for size, count in counted.items() if count > 1), reverse=True)
    largest = again[0] if again else 0
    return [
        min(1 + sum(other > size for other in again) + (size <= largest), _DEEPEST) if size else 0 for size in sizes
    ]


def _size(paragraph: Paragraph, body: float) -> int:
    """Return a number that is the same for sizes that look the same."""
    return max(1, round((paragraph.size / body - 1) / _STEP) + 1)


def continues(made: Sequence[Paragraph], number: int) -> bool:
    """Return whether a heading is the title of the bare number before it."""
    if number == 0 or made[number].kind is not Kind.HEADING or made[number - 1].kind is not Kind.HEADING:
        return False
    above = made[number - 1]
    said = heading_in(PlainLine(above.text, 0, 0))
    own = heading_in(PlainLine(made[number].text, 0, 0))
    is_named = own is not None and own.number is not None
    return (
        said is not None
        and not said.title
        and not said.is_container
        and not is_named
        and _is_under(above, made[number])
    )


def _is_under(above: Paragraph, below: Paragraph) -> bool:
    last, first = above.lines[-1], below.lines[0]
    return last.page == first.page and 0 < last.y0 - first.y0 < 5 * max(above.size, below.size)


def entries(
    bookmarks: list[Bookmark], made: Sequence[Paragraph], file: str
) -> tuple[list[Entry], dict[int, list[str]]]:
    """Return the outline, and under which ids its lines lead to which paragraphs."""
    found: list[Entry] = []
    ids: dict[int, list[str]] = {}
    first_of_page: dict[int, int] = {}
    for number in range(len(made) - 1, -1, -1):
        first_of_page[made[number].lines[0].page] = number
    for count, bookmark in enumerate(bookmarks):
        at = _led_to(bookmark, made, first_of_page)
        if at is not None:
            ids.setdefault(at, []).append(f"bookmark {count}")
            found.append(Entry(bookmark.title, (file, f"bookmark {count}"), bookmark.depth))
    return found, ids


def _led_to(bookmark: Bookmark, made: Sequence[Paragraph], first_of_page: dict[int, int]) -> int | None:
    """Find the heading of this title on the page, else what stands where it leads, else what comes next."""
    start = first_of_page.get(bookmark.page)
    if start is None:
        later = [page for page in first_of_page if page > bookmark.page]
        return first_of_page[min(later)] if later else None
    end = start
    while end < len(made) and made[end].lines[0].page == bookmark.page:
        end += 1
    title = key(bookmark.title)
    for number in range(start, end):
        said = key(made[number].text)
        if made[number].kind is Kind.HEADING and said and (said in title or title in said):
            return number
    top = bookmark.top
    if top is None:
        return start
    return next((number for number in range(start, end) if made[number].lines[0].y0 <= top), start)
