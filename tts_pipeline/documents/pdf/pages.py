"""Which lines do the pages of a PDF have, column by column?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.pdf.columns import in_order
from tts_pipeline.documents.pdf.contents import without_contents
from tts_pipeline.documents.pdf.lines import Line, lines
from tts_pipeline.documents.pdf.opening import Opened
from tts_pipeline.documents.pdf.running import running
from tts_pipeline.documents.refusal import Refused


class Pages(NamedTuple):
    """What stands on the pages, without what they repeat."""

    columns: list[list[Line]]
    before: dict[int, int]
    """How many characters the pages before each page have."""
    body: float
    """The height of most of the text."""


def pages(document: Opened, limits: Limits) -> Pages:
    """Read all pages; raises Refused where there is too much on them."""
    made: list[list[list[Line]]] = []
    before: dict[int, int] = {}
    total = column_count = count = 0
    for number, (length, found) in enumerate(document.pages()):
        before[number] = total
        total += length
        if total > limits.text_chars:
            raise Refused("its text has more characters than are read")
        count += len(found)
        if count > limits.elements:
            raise Refused(f"its text is in more than {limits.elements:,} pieces")
        made.append([lines(column, number, column_count + at) for at, column in enumerate(in_order(found))])
        column_count += len(made[-1])
    repeated = running([[line for column in page for line in column] for page in made])
    kept = [[[line for line in column if id(line) not in repeated] for column in page] for page in made]
    if not any(column for page in kept for column in page):  # nothing else is there
        kept = made
    kept = without_contents([[column for column in page if column] for page in kept])
    columns = [column for page in kept for column in page]
    return Pages(columns, before, _body([line for column in columns for line in column]))


def _body(all_lines: Sequence[Line]) -> float:
    counted: Counter[float] = Counter()
    for line in all_lines:
        counted[round(line.height * 4) / 4] += len(line.text)
    return max(counted, key=lambda size: counted[size], default=1) or 1
