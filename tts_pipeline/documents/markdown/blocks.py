"""Which blocks is a text of Markdown made of?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it.token import Token

from tts_pipeline.book import Kind
from tts_pipeline.documents.flow import LINE_END, shaped
from tts_pipeline.documents.markdown.contents import without_contents
from tts_pipeline.documents.markdown.inline import InnerNotes, Said, said
from tts_pipeline.documents.markdown.lines import Lines
from tts_pipeline.documents.markdown.parser import parsed
from tts_pipeline.documents.markdown.tags import pieces_of_html
from tts_pipeline.documents.pieces import Piece, Target
from tts_pipeline.mapped import Mapped

_KINDS = {"blockquote_open": Kind.QUOTE, "list_item_open": Kind.LIST}
_ATTRIBUTES = re.compile(r"\s*#*\s*\{[#.:][^{}]*\}\s*$")


def pieces(text: str, file: str, nesting: int) -> list[Piece]:
    """Read a text; raises Refused where it is nested too deep."""
    tokens, environment = parsed(text, nesting)
    walk = _Walk(text, file, nesting, environment.get("footnotes", {}).get("list", {}))
    for token in without_contents(tokens):
        walk.read(token)
    return walk.pieces


class _Walk:
    """The blocks of one text, one after the other."""

    def __init__(self, text: str, file: str, nesting: int, notes: InnerNotes) -> None:
        self.pieces: list[Piece] = []
        self._text, self._file, self._nesting, self._inner_notes = text, file, nesting, notes
        self._lines = Lines(text)
        self._kinds = [Kind.PARAGRAPH]
        self._level = 0
        self._note: Target | None = None
        self._row: Token | None = None
        self._cells: list[Said] = []
        self._column = 0

    def read(self, token: Token) -> None:
        """Read what comes next."""
        if token.type in _KINDS:
            self._kinds.append(_KINDS[token.type])
        elif token.type in {"blockquote_close", "list_item_close"}:
            self._kinds.pop()
        elif token.type in {"heading_open", "heading_close"}:
            self._level = int(token.tag[1]) if token.nesting > 0 else 0
        elif token.type in {"footnote_reference_open", "footnote_reference_close"}:
            self._note = (self._file, token.meta["label"]) if token.nesting > 0 else None
        elif token.type == "tr_open":
            self._row, self._cells, self._column = token, [], 0
        elif token.type == "tr_close":
            self._add_row()
        elif token.map:
            self._read_text(token, token.map[0])

    def _read_text(self, token: Token, line: int) -> None:
        if token.type == "inline" and self._row:
            where, self._column = self._lines.cell(token.content, (self._row.map or [line])[0], self._column)
            self._cells.append(said(token.children or (), where, self._inner_notes))
        elif token.type == "inline":
            where = self._lines.block(token.content, line)
            self._add(said(token.children or (), where, self._inner_notes), self._kind())
        elif token.type in {"fence", "code_block"}:
            where = self._lines.block(token.content.rstrip("\n"), line + (token.type == "fence"))
            self._add(Said(where), Kind.CODE)
        elif token.type == "hr":
            self._add(Said(Mapped("", ((0, self._lines.span(line, line)[0]),))), Kind.BREAK)
        elif token.type == "html_block":
            span = self._lines.span(*(token.map or [line, line]))
            self.pieces += pieces_of_html(self._text, span, self._file, self._nesting)

    def _kind(self) -> Kind:
        return Kind.HEADING if self._level else self._kinds[-1]

    def _add_row(self) -> None:
        """Add a row whose cells are lines; one that has a single cell is prose."""
        cells = [cell.text for cell in self._cells]
        inner = [note for cell in self._cells for note in cell.inner]
        kind = Kind.TABLE if len(cells) > 1 else self._kind()
        self._add(Said(_in_lines(cells), [ref for cell in self._cells for ref in cell.refs], inner), kind)
        self._row = None

    def _add(self, what: Said, kind: Kind) -> None:
        text = what.text.sub(_ATTRIBUTES, "") if kind is Kind.HEADING else what.text
        refs = tuple((self._file, ref) for ref in what.refs)
        for number, (shape, part) in enumerate(shaped(text, kind, is_ornament=kind is Kind.BREAK)):
            self.pieces.append(
                Piece(
                    kind=shape if self._note is None or shape is Kind.BREAK else Kind.NOTE,
                    text=part,
                    file=self._file,
                    level=self._level if shape is Kind.HEADING else 0,
                    refs=() if number else refs,
                    note=self._note,
                    continues=shape is Kind.HEADING and number > 0,
                )
            )
        for label, inner in what.inner:
            around, self._note = self._note, (self._file, label)
            self._add(inner, Kind.PARAGRAPH)
            self._note = around


def _in_lines(cells: list[Mapped]) -> Mapped:
    return Mapped.joined(_with_ends(cells) or [("", 0)])


def _with_ends(cells: list[Mapped]) -> list[tuple[str, int]]:
    pieces: list[tuple[str, int]] = []
    for cell in cells:
        if pieces:
            pieces.append((LINE_END, cell.at(0)))
        pieces += _parts(cell)
    return pieces


def _parts(text: Mapped) -> Iterator[tuple[str, int]]:
    for (start, offset), (end, _) in pairwise(text.runs):
        yield text.text[start:end], offset
