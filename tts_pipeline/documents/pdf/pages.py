"""Which lines do the pages of a PDF have, column by column?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.pdf.columns import in_order
from tts_pipeline.documents.pdf.contents import without_contents
from tts_pipeline.documents.pdf.fragments import fragments
from tts_pipeline.documents.pdf.lines import Line, lines
from tts_pipeline.documents.pdf.running import running
from tts_pipeline.documents.refusal import Refused


class Pages(NamedTuple):
    """What stands on the pages, without what they repeat."""

    columns: list[list[Line]]
    before: dict[int, int]
    """How many characters the pages before each page have."""
    body: float
    """The height of most of the text."""


def pages(document: Any, limits: Limits) -> Pages:
    """Read all pages; raises Refused where there is too much on them."""
    made: list[list[list[Line]]] = []
    before: dict[int, int] = {}
    total = column_count = 0
    for number in range(len(document)):
        before[number] = total
        columns, length = _columns(document, number, limits.text_chars - total, column_count)
        total += length
        column_count += len(columns)
        made.append(columns)
    repeated = running([[line for column in page for line in column] for page in made])
    kept = [[[line for line in column if id(line) not in repeated] for column in page] for page in made]
    if not any(column for page in kept for column in page):  # nothing else is there
        kept = made
    kept = without_contents([[column for column in page if column] for page in kept])
    columns = [column for page in kept for column in page]
    return Pages(columns, before, _body([line for column in columns for line in column]))


def _columns(document: Any, number: int, most: int, count: int) -> tuple[list[list[Line]], int]:
    """Return the columns of a page, and how many characters it has; nothing of one that is broken."""
    try:
        page = document[number]
        text_page = page.get_textpage()
    except pdfium.PdfiumError:
        return [], 0
    try:
        length = text_page.count_chars()
        if length > most:
            raise Refused("its text has more characters than are read")
        found = fragments(page, text_page, _text(text_page, length))
    finally:
        text_page.close()
        page.close()
    return [lines(column, number, count + at) for at, column in enumerate(in_order(found))], length


def _text(text_page: Any, length: int) -> str:
    """Return a page's text, one character for each of PDFium's."""
    text = str(text_page.get_text_range()) if length else ""
    if len(text) == length:
        return text
    return "".join(chr(raw.FPDFText_GetUnicode(text_page, index)) for index in range(length)).replace("\x02", "\ufffe")


def _body(all_lines: Sequence[Line]) -> float:
    counted: Counter[float] = Counter()
    for line in all_lines:
        counted[round(line.height * 4) / 4] += len(line.text)
    return max(counted, key=lambda size: counted[size], default=1) or 1
