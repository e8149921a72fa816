"""Which lines of a PDF are its table of contents: titles that end with the number of a page?"""

from __future__ import annotations

import re

from tts_pipeline.documents.pdf.lines import Line
from tts_pipeline.documents.plain.words import CONTENTS

_LED = re.compile(r"\S.*?(?:[\s.·…_]{4,}|\s\.\s?\.)\s*(?:\d{1,4}|[ivxlc]{1,7})", re.IGNORECASE)
_NUMBERED = re.compile(r"\S.*\s(?:\d{1,4}|[ivxlc]{1,7})", re.IGNORECASE)
_FEWEST = 3


def without_contents(pages: list[list[list[Line]]]) -> list[list[list[Line]]]:
    """Leave out tables of contents; each page is a list of columns."""
    kept: list[list[list[Line]]] = []
    is_open = False
    for page in pages:
        lines = [line for column in page for line in column]
        announced = any(_announces(line) for line in lines[:5])
        entry = _NUMBERED if announced or is_open else _LED
        entries = [line for line in lines if entry.fullmatch(line.text.strip())]
        is_open = len(entries) >= _FEWEST and (announced or len(entries) >= 0.6 * len(lines))
        left_out = {id(line) for line in (*entries, *filter(_announces, lines))} if is_open else set()
        columns = ([line for line in column if id(line) not in left_out] for column in page)
        kept.append([column for column in columns if column])
    return kept


def _announces(line: Line) -> bool:
    return line.text.strip(" .:").casefold() in CONTENTS
