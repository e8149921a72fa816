"""What do the words of a block of Markdown say, without its marks?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import Any

from markdown_it.token import Token

from tts_pipeline.documents.flow import LINE_END
from tts_pipeline.documents.markup.meaning import SKIPPED_NAMES
from tts_pipeline.mapped import Mapped

InnerNotes = Mapping[int, Mapping[str, Any]]
"""What the parser keeps of notes within lines, under their numbers."""
_TAG = re.compile(r"<(?P<closes>/?)(?P<name>[A-Za-z][\w-]*)[^>]*?(?P<empty>/?)>", re.DOTALL)
_VOID = frozenset({"input", "img", "br", "hr", "wbr"})


@dataclass
class Said:
    """The words of a block, and which notes they refer to."""

    text: Mapped
    refs: list[str] = field(default_factory=list)
    """Their labels."""
    inner: list[tuple[str, Said]] = field(default_factory=list)
    """Notes that are written within the line, under labels that no other has."""


def said(tokens: Sequence[Token], where: Mapped, notes: InnerNotes) -> Said:
    """Return what the parts of a block say; of pictures only where there is nothing else."""
    reader = _Reader(where)
    for token in tokens:
        reader.add(token)
    pieces = reader.pieces if any(text.strip() for text, _ in reader.pieces) else reader.pictures
    inner = [(_label(number), said(notes[number]["tokens"], where, notes)) for number in reader.inner]
    return Said(Mapped.joined(pieces or [("", where.at(0))]), reader.refs, inner)


def _label(number: int) -> str:
    return f"note {number}"  # others have no spaces


class _Reader:
    def __init__(self, where: Mapped) -> None:
        self.pieces: list[tuple[str, int]] = []
        self.pictures: list[tuple[str, int]] = []
        self.refs: list[str] = []
        self.inner: list[int] = []
        self._where = where
        self._end = 0
        """Where in the block the text ends that has been added."""
        self._links = 0
        """How many links are open: a picture in one is a button."""
        self._skipped: list[str] = []
        """Elements that are open, and not for reading aloud."""

    def add(self, token: Token) -> None:
        at = max(token.map[0] if token.map else 0, self._end)
        if token.type == "html_inline":
            self._add_tag(token.content, at)
        elif self._skipped:
            return
        elif token.type in {"text", "text_special"}:
            is_link = self._where.text[at : at + 1] == "<" and not token.content.startswith("<")
            self._add(token.content, at + is_link, token.markup)
        elif token.type == "code_inline":
            self._add_code(token, at)
        elif token.type in {"softbreak", "hardbreak"}:
            self.pieces.append((" " if token.type == "softbreak" else LINE_END, self._where.at(at)))
        elif token.type in {"link_open", "link_close"}:
            self._links += token.nesting
        elif token.type == "image" and not self._links:
            self.pictures += [
                *_spread(self._where, token.content, at + 2),
                (" ", self._where.at(at + 2 + len(token.content))),
            ]
        elif token.type == "footnote_ref":
            self._add_ref(token.meta)

    def _add(self, text: str, at: int, markup: str = "") -> None:
        # An entity is longer or shorter than what it stands for, and an escaped character comes after its mark.
        is_escaped = markup.startswith("\\") and text != markup
        self.pieces += [(text, self._where.at(at + is_escaped))] if markup else _spread(self._where, text, at)
        self._end = at + len(markup or text)

    def _add_code(self, token: Token, at: int) -> None:
        begin = at + len(token.markup)
        written = self._where.text[begin : begin + len(token.content)].replace("\n", " ")
        self._add(token.content, begin if written == token.content else begin + 1)

    def _add_ref(self, meta: dict[str, Any]) -> None:
        if "label" in meta:
            self.refs.append(meta["label"])
        else:
            self.inner.append(meta["id"])
            self.refs.append(_label(meta["id"]))

    def _add_tag(self, tag: str, at: int) -> None:
        match = _TAG.fullmatch(tag)
        name = match["name"].lower() if match else ""
        if name == "br" and not self._skipped:
            self.pieces.append((LINE_END, self._where.at(at)))
        elif match and name in SKIPPED_NAMES - _VOID and not match["empty"]:
            if not match["closes"]:
                self._skipped.append(name)
            elif name in self._skipped:
                del self._skipped[self._skipped.index(name) :]


def _spread(where: Mapped, text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the parts of what stands somewhere in a block, divided where its lines are."""
    end = at + len(text)
    inner = where.runs[
        bisect_right(where.runs, at, key=itemgetter(0)) : bisect_left(where.runs, end, key=itemgetter(0))
    ]
    for start, stop in pairwise((at, *(index for index, _ in inner), end)):
        yield text[start - at : stop - at], where.at(start)
