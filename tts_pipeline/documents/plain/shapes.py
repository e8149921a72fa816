"""What is a group of lines that is no heading: prose, verse, a quotation, or an item of a list?"""

from __future__ import annotations

import re
from itertools import pairwise

from tts_pipeline.book import Block, Kind, Place
from tts_pipeline.documents.breaks import is_break
from tts_pipeline.documents.plain.lines import Group, flowing, in_lines
from tts_pipeline.mapped import Mapped

_LONGEST_VERSE = 65
_FEWEST_UNINDENTED = 3
_ITEM = re.compile(r"(?:[-*•‣·]|\d{1,3}[.)])\s+(?=\S)")
_EMPHASIS = re.compile(r"(?<![\w_])_(?=[^\s_])|(?<=[^\s_])_(?![\w_])")


def kind_of(group: Group, width: int) -> Kind:
    """Tell what a group is by the look of its lines."""
    if len(group) == 1 and is_break(group[0].text):
        return Kind.BREAK
    if is_verse(group, width):
        return Kind.VERSE
    if all(_ITEM.match(line.text) for line in group) and len(group) > 1:
        return Kind.LIST
    if len(group) > 1 and all(line.indent >= 2 for line in group):
        return Kind.QUOTE
    return Kind.PARAGRAPH


def blocks_of(group: Group, kind: Kind, file: str) -> list[Block]:
    """Return what a group says; each item of a list is a block of its own."""
    if kind is Kind.LIST:
        return [block_of(flowing((line,)), kind, file) for line in group]
    return [block_of(in_lines(group) if kind is Kind.VERSE else flowing(group), kind, file)]


def block_of(text: Mapped, kind: Kind, file: str) -> Block:
    """Return a block without marks of emphasis."""
    if "_" in text.text:
        text = text.sub(_EMPHASIS, "").stripped()
    return Block(kind=kind, text=text.text, place=Place(file=file, offset=text.at(0)), runs=text.runs)


def is_verse(group: Group, width: int) -> bool:
    """Tell verse from prose: its lines are short, begin with capitals, and end before they must."""
    if len(group) < 2 or max(len(line.text) for line in group) > _LONGEST_VERSE:
        return False
    capitals = sum(_begins_large(line.text) for line in group) / len(group)
    if all(line.indent >= 2 for line in group):
        own_width = max(len(line.text) for line in group)
        return capitals >= 0.7 or _early_ends(group, own_width) >= 0.5
    return len(group) >= _FEWEST_UNINDENTED and capitals >= 0.9 and _early_ends(group, width) >= 0.8


def _begins_large(text: str) -> bool:
    letters = [character for character in text[:6] if character.isalpha()]
    return bool(letters) and letters[0].isupper()


def _early_ends(group: Group, width: int) -> float:
    """Return how many of the lines end although the next word would have fitted in."""
    pairs = list(pairwise(group))
    early = sum(len(one.text) + 1 + len(following.text.split()[0]) <= width for one, following in pairs)
    return early / len(pairs)
