"""Is this line a heading, and which lines belong to it?"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from tts_pipeline.documents.plain.counting import NUMBER_WORD, ORDINAL, ORDINAL_MARK
from tts_pipeline.documents.plain.lines import Group, Line
from tts_pipeline.documents.plain.words import CONTAINER, COUNTED, NUMBERED, SCENE, SINGLE
from tts_pipeline.numerals import roman

_LONGEST = 100
_LONGEST_TITLE = 80
_MARKS = "_*=~# "
"""What some typists put around headings."""
_FIGURES = rf"(?:\d{{1,4}}|(?-i:[IVX][IVXLC]*)){ORDINAL_MARK}"
_NUMBER = rf"(?P<number>{_FIGURES}|\d{{1,4}}|[IVXLCDM]+|{NUMBER_WORD})(?!\w)"
_ORDINAL = rf"(?P<number>{ORDINAL}|{_FIGURES}|(?:\d{{1,4}}|[IVXLC]+)\.(?=\s+{COUNTED}\b))"
_REST = rf"(?P<between>\s*[.:)\]—–-]+\s*|,\s+(?=(?:\d+\.\s+)?{SCENE}\b)|\s+|$)(?P<title>.*)"
_NAMED = re.compile(
    rf"(?:the\s+)?(?P<word>{NUMBERED})\s+(?:(?:the|le|la|el|der|die|das|o|a|n[o°º]\.?)\s+)?{_NUMBER}{_REST}",
    re.IGNORECASE,
)
_ORDERED = re.compile(
    rf"(?:(?:the|le|la|el|il|das|der|die|o|a)\s+)?{_ORDINAL}\s+(?P<word>{NUMBERED})\b{_REST}", re.IGNORECASE
)
_SINGLE = re.compile(
    rf"(?:the\s+|author's\s+|translator's\s+)?{SINGLE}(?P<between>\s*[.:]?\s*|\s+)(?P<title>.*)", re.IGNORECASE
)
_SINGLE_TITLE = re.compile(
    r"|(?:to|by|de|du|des|del|della|zur|zum|da|do|à|a)\b.{0,50}|(?:[A-Z]|\d{1,2}|[IVX]+)(?:\s*[.:—–-]\s*.{0,60})?",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:§\s*)?(?P<number>\d{1,3}|[IVXLC]+)(?P<between>\s*[.:)—–-](?!\d)\s*|$)(?P<title>.*)")
_IS_CONTAINER = re.compile(CONTAINER, re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_][\w'’]*")


class Style(Enum):
    """How sure it is that a line is a heading."""

    NAMED = "Chapter 12"
    SINGLE = "Preface"
    BARE = "XII."
    """Only where such numbers follow each other."""
    ANNOUNCED = "The Storm"
    """Only where a table of contents has it."""


class Heading(NamedTuple):
    """What the first line of a group says, if it is a heading."""

    style: Style
    number: int | None
    title: str
    """What follows the number in the same line."""
    is_container: bool


def heading_in(line: Line) -> Heading | None:
    """Return what a line says as a heading; None where it can't be one."""
    text = line.text.strip(_MARKS)
    if len(text) > _LONGEST:
        return None
    return _named(text) or _single(text) or _bare(text)


def _named(text: str) -> Heading | None:
    match = _NAMED.fullmatch(text) or _ORDERED.fullmatch(text)
    if not match:
        return None
    title = match["title"]
    number = _number_of(match["number"])
    if number is None and re.fullmatch("[ivxlcdm]+", match["number"], re.IGNORECASE):
        return None
    if not _may_follow(title, match["between"].strip(), is_shouted=match["word"].isupper()):
        return None
    return Heading(Style.NAMED, number, title, bool(_IS_CONTAINER.fullmatch(match["word"])))


def _may_follow(title: str, mark: str, *, is_shouted: bool) -> bool:
    """Tell the title of "Chapter 12: The Fair" from the rest of "Part two of the plan was worse."."""
    if not title or is_shouted:
        return True
    if title[0].islower() or (not mark and title[-1] in ".,;"):
        return False
    return title[-1] not in ",;"


def _single(text: str) -> Heading | None:
    match = _SINGLE.fullmatch(text)
    if not match or not _SINGLE_TITLE.fullmatch(match["title"]) or text[0].islower() or text[-1] in ",;!?":
        return None
    if match["title"] and text[-1] == ".":
        return None
    return Heading(Style.SINGLE, None, match["title"], is_container=False)


def _bare(text: str) -> Heading | None:
    match = _BARE.fullmatch(text)
    number = _number_of(match["number"]) if match else None
    if not match or number is None or (match["title"] and not is_title(match["title"])):
        return None
    return Heading(Style.BARE, number, match["title"], is_container=False)


def _number_of(text: str) -> int | None:
    return int(text) if text.isdecimal() else roman(text)


def is_title(text: str) -> bool:
    """Tell a title from a short paragraph: paragraphs end in a full stop, unless all is in capitals."""
    text = text.strip(_MARKS)
    if not _LETTER.search(text) or len(text) > _LONGEST_TITLE or text[-1] in ",;:":
        return False
    if text.isupper():
        return True
    if text[0].islower() or text[0] in "\"'“”‘«„—-–[(":
        return False
    return text[-1] not in '.…"”»' and (text[-1] not in "!?" or _is_capitalised(text))


def _is_capitalised(text: str) -> bool:
    return all(word[0].isupper() for word in _WORD.findall(text) if len(word) > 3)


def title_lines(heading: Heading, group: Group) -> int:
    """Count the lines after the first one of a group that are the heading's title."""
    rest = [line.text.strip(_MARKS) for line in group[1:]]
    if not rest or len(rest) > 3:
        return 0
    ends_well = is_title(rest[-1]) or (len(rest[-1]) < 60 and rest[-1][-1] == "." and _is_capitalised(rest[-1]))
    if heading.style is Style.BARE and len(rest) > 1:  # a stanza with its number
        ends_well = all(text.isupper() for text in rest)
    starts_well = len(rest) == 1 or all(len(text) <= _LONGEST_TITLE and text[-1] not in ".!?" for text in rest[:-1])
    return len(rest) if ends_well and starts_well else 0
