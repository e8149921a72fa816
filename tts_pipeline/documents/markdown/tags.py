"""What does HTML in the middle of Markdown say, and where in the source does each word of it stand?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape

from tts_pipeline.documents.markup.meaning import BLOCKS, SKIPPED_NAMES
from tts_pipeline.documents.markup.page import Page, Scope
from tts_pipeline.documents.markup.parse import parsed_text
from tts_pipeline.documents.pieces import Piece
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.mapped import Mapped

_TAGS = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.DOTALL | re.IGNORECASE
)
_NAME = re.compile(r"</?([A-Za-z][\w-]*)")
_APART = BLOCKS | SKIPPED_NAMES | {"br"}
_ENTITY = re.compile(r"&#?\w+;")
_WORD = re.compile(r"\S+")


def pieces_of_html(text: str, span: tuple[int, int], file: str, nesting: int) -> Iterator[Piece]:
    """Yield the blocks of a part of the source that is HTML; nothing where it is tags or comments alone."""
    start, end = span
    markup = text[start:end]
    words = Mapped.whole(markup, start).sub(_TAGS, _white).sub(_ENTITY, lambda match: unescape(match[0]))
    try:
        root = parsed_text(markup)
    except Refused:  # there is nothing in it, such as a tag that closes what began before
        return
    at = 0
    for piece in Page(root, Scope(file, {}, nesting)).pieces:
        placed, at = _placed(piece.text.text, words, at)
        yield replace(piece, text=placed, element=None, ids=())


def _white(tag: re.Match[str]) -> str:
    """Return what is between the words on both sides of a tag: nothing where it is one in the middle of a line."""
    name = _NAME.match(tag[0])
    return "" if name and name[1].lower() not in _APART else " "


def _placed(text: str, words: Mapped, at: int) -> tuple[Mapped, int]:
    """Find the words of a block one after the other; one that can't be found is put where the last one ended."""
    runs: list[tuple[int, int]] = []
    for word in _WORD.finditer(text):
        found = words.text.find(word[0], at)
        if found < 0:
            runs.append((word.start(), words.at(at)))
            continue
        at = found + len(word[0])
        runs += [(word.start() + index, offset) for index, offset in words.cut(found, at).runs[:-1]]
    if not runs:
        return Mapped(text, ((0, words.at(at)), (len(text), words.at(at)))), at
    return Mapped(text, (*runs, (len(text), words.at(at)))), at
