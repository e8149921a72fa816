"""What does the tree of a page say, block by block, and where in the tree does it stand?"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tts_pipeline.book import Kind
from tts_pipeline.documents.flow import LINE_END, shaped
from tts_pipeline.documents.markup import meaning
from tts_pipeline.documents.markup.meaning import BLOCKS, name_of
from tts_pipeline.documents.markup.parse import Element
from tts_pipeline.documents.markup.refs import target_of
from tts_pipeline.documents.pieces import Piece, Target
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.mapped import Mapped

_NOTE_LABEL = re.compile(r"\W*(?:(?:\d{1,4}|[*†‡§]+)(?=[\s.:)\]]))?[\s.:)\]\[(↩↑^\ufe0e]*")


@dataclass(frozen=True, slots=True)
class _Around:
    """What the text that comes next stands in."""

    element: Element
    path: str
    """How to find it from the root, such as html/body[1]/p[3]."""
    start: int
    """Where the element's text begins in the page's."""
    kind: Kind = Kind.PARAGRAPH
    language: str | None = None
    note: Target | None = None
    is_flat: bool = False
    """Whether blocks inside are lines of one block."""
    is_note_list: bool = False
    is_break: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Which file a page is, and what of it is read."""

    file: str
    notes: dict[Target, Element]
    nesting: int
    """How deep elements may lie in each other."""
    unread: frozenset[Element] = frozenset()
    """What is not for reading aloud, besides what says so itself."""
    path: str = ""
    """How to find the element that reading begins at, where that is not the root."""


class Page:
    """One file of markup, read from its beginning to its end."""

    def __init__(self, root: Element, scope: Scope) -> None:
        self.pieces: list[Piece] = []
        self.length = 0
        """How much text has been seen."""
        self._file, self._scope = scope.file, scope
        self._notes = {body: target for target, body in scope.notes.items()}
        self._targets = frozenset(scope.notes)
        self._buffer: list[tuple[str, int]] = []
        self._ids: list[str] = []
        self._refs: list[tuple[Target, int]] = []
        """Which notes are referred to, and where."""
        around = _Around(root, scope.path or name_of(root), 0)
        self._read(root, around, around.path, 0)
        self._flush(around)

    def _read(self, element: Element, around: _Around, path: str, depth: int) -> None:
        if depth > self._scope.nesting:
            raise Refused(f"{self._file}: its elements are nested more than {self._scope.nesting} deep")
        if not isinstance(element.tag, str):
            return
        self._ids += filter(None, (element.get("id"), element.get("name") if name_of(element) == "a" else None))
        if self._is_unread(element) or self._is_link_of_note(element, around):
            self._skip(element)
        elif name_of(element) in BLOCKS and not around.is_flat:
            self._flush(around)
            inner = self._inside(element, around, path)
            self._read_content(element, inner, path, depth)
            self._flush(inner)
        else:
            if name_of(element) in BLOCKS or name_of(element) == "br":
                self._buffer.append((LINE_END, self.length))
            self._read_content(element, around, path, depth)

    def _read_content(self, element: Element, around: _Around, path: str, depth: int) -> None:
        self._say(element.text)
        counts: dict[str, int] = {}
        for child in element:
            name = name_of(child)
            counts[name] = counts.get(name, 0) + 1
            self._read(child, around, f"{path}/{name}[{counts[name]}]", depth + 1)
            self._say(child.tail)

    def _say(self, text: str | None) -> None:
        if text:
            self._buffer.append((text, self.length))
            self.length += len(text)

    def _skip(self, element: Element) -> None:
        self.length += sum(map(len, element.itertext()))
        self._ids += [name for inner in element.iterdescendants() if (name := inner.get("id"))]

    def _is_unread(self, element: Element) -> bool:
        return meaning.is_skipped(element) or element in self._scope.unread

    def _is_link_of_note(self, element: Element, around: _Around) -> bool:
        """Note which note a link refers to; return whether it is no word of the text."""
        if name_of(element) != "a":
            return False
        if around.note is not None and meaning.is_back_link(element):
            return True
        target = target_of(element.get("href", ""), self._file)
        if not meaning.is_note_ref(element) or target not in self._targets:
            return False
        self._refs.append((target, self.length))
        return True

    def _inside(self, element: Element, around: _Around, path: str) -> _Around:
        kind = meaning.kind_of(element, around.kind)
        if kind is Kind.TABLE and name_of(element) == "tr" and not _is_row(element):
            kind = around.kind
        return replace(
            around,
            element=element,
            path=path,
            start=self.length,
            kind=kind,
            language=meaning.language_of(element) or around.language,
            note=self._note_of(element, path) or around.note,
            is_flat=_is_flat(element, kind),
            is_note_list=around.is_note_list or meaning.is_note_list(element),
            is_break=meaning.is_break(element),
        )

    def _note_of(self, element: Element, path: str) -> Target | None:
        if element in self._notes:
            return self._notes[element]
        return (self._file, element.get("id") or path) if meaning.is_note(element) else None

    def _flush(self, around: _Around) -> None:
        """Make pieces of the text since the last block began or ended."""
        text = Mapped.joined(self._buffer or [("", self.length)])
        self._buffer = []
        parts = list(shaped(text, around.kind, is_ornament=around.is_break))
        refs, self._refs = (self._refs, []) if parts else ([], self._refs)
        for number, (kind, part) in enumerate(parts):
            end = parts[number + 1][1].at(0) if number + 1 < len(parts) else self.length + 1
            own = tuple(target for target, at in refs if at < end)
            refs = refs[len(own) :]
            self._add(kind, part, around, own, continues=kind is Kind.HEADING and number > 0)

    def _add(self, kind: Kind, text: Mapped, around: _Around, refs: tuple[Target, ...], *, continues: bool) -> None:
        note = around.note
        if around.is_note_list and note is None:
            if kind is Kind.HEADING:
                return
            note = (self._file, around.path)
        is_first = note is not None and not any(piece.note == note for piece in self.pieces[-1:])
        if note is not None and is_first:
            text = text.cut(_label_length(text.text), len(text.text))
        runs = tuple((index, offset - around.start) for index, offset in text.runs)
        piece = Piece(
            kind=kind if note is None or kind is Kind.BREAK else Kind.NOTE,
            text=Mapped(text.text, runs),
            file=self._file,
            element=around.element.get("id") or around.path,
            language=around.language,
            level=_level(around.element) if kind is Kind.HEADING else 0,
            ids=tuple(self._ids),
            refs=refs,
            note=note,
            continues=continues,
        )
        self._ids = []
        self.pieces.append(piece)


def _label_length(text: str) -> int:
    label = _NOTE_LABEL.match(text)
    return label.end() if label and label.end() < len(text) else 0


def _is_flat(element: Element, kind: Kind) -> bool:
    """Return whether what lies in a block is part of it: a cell, or a line of a stanza."""
    name = name_of(element)
    if kind is Kind.VERSE and name not in {"html", "body"}:
        inner = [each for each in element.iterdescendants() if name_of(each) in BLOCKS]
        return bool(inner) and not any(
            name_of(each) in BLOCKS | {"br"} for line in inner for each in line.iterdescendants()
        )
    return name == "pre" or (name == "tr" and kind is Kind.TABLE) or bool(_level(element))


def _is_row(element: Element) -> bool:
    """Tell a row of a table from what is put into a table for its looks."""
    cells = [child for child in element if name_of(child) in {"td", "th"}]
    return len(cells) > 1 and not any(
        sum(name_of(each) in BLOCKS for each in cell.iterdescendants()) > 1 for cell in cells
    )


def _level(element: Element) -> int:
    name = name_of(element)
    return int(name[1]) if len(name) == 2 and name[0] == "h" and name[1].isdecimal() else 0
