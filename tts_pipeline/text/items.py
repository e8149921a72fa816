"""What is spoken of a document, in which order, and how long is it silent after each of them?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tts_pipeline.book import Block, Chapter, Document, Item, Kind, Place
from tts_pipeline.text.normalise import normalise
from tts_pipeline.text.options import DEFAULT, PauseOptions, SplittingOptions
from tts_pipeline.text.split import End, pieces

_AS_IF_COMMA = ".,;:!?…—–-"


@dataclass(frozen=True, slots=True)
class _Unit:
    """What becomes an item, or a pause."""

    kind: Kind
    text: str
    source: str
    place: Place
    language: str
    pause_ms: int
    ends_block: bool

    @property
    def is_silent(self) -> bool:
        return not any(character.isalnum() for character in self.text)

    def followed_by(self, silent: _Unit) -> _Unit:
        """Return it with the pause of one that has nothing to say."""
        pause_ms = self.pause_ms + silent.pause_ms
        return replace(self, pause_ms=pause_ms, ends_block=self.ends_block or silent.ends_block)


def items(document: Document, options: SplittingOptions = DEFAULT) -> list[Item]:
    """Return all that is spoken of a document, sentence by sentence."""
    language = document.language or options.language
    made: list[Item] = []
    for number, chapter in enumerate(document.chapters):
        for unit in _audible(_chapter_units(chapter, language, options)):
            made.append(_item(unit, len(made), number))
    return made


def _item(unit: _Unit, number: int, chapter: int) -> Item:
    return Item(
        number=number,
        chapter=chapter,
        kind=unit.kind,
        text="" if unit.is_silent else unit.text,
        source=unit.source,
        place=unit.place,
        language=unit.language,
        pause_ms=unit.pause_ms,
        ends_block=unit.ends_block,
    )


def _audible(units: Iterator[_Unit]) -> Iterator[_Unit]:
    """Add the pause of what has nothing to say to what came before it in the chapter."""
    before: _Unit | None = None
    for unit in units:
        if before is not None and unit.is_silent:
            before = before.followed_by(unit)
            continue
        if before is not None:
            yield before
        before = unit
    if before is not None:
        yield before


def _chapter_units(chapter: Chapter, language: str, options: SplittingOptions) -> Iterator[_Unit]:
    last = len(chapter.blocks) - 1
    for at, block in enumerate(chapter.blocks):
        pause_ms = options.pauses.chapter if at == last else _pause_after(block.kind, options.pauses)
        units = list(_block_units(block, block.language or language, options))
        yield from units[:-1]
        yield from (replace(unit, pause_ms=pause_ms, ends_block=True) for unit in units[-1:])


def _pause_after(kind: Kind, pauses: PauseOptions) -> int:
    by_kind = {Kind.HEADING: pauses.heading, Kind.BREAK: pauses.scene, Kind.TABLE: pauses.line}
    return by_kind.get(kind, pauses.paragraph)


def _block_units(block: Block, language: str, options: SplittingOptions) -> Iterator[_Unit]:
    spoken = normalise(block.text, block.kind)
    pauses = {End.CLAUSE: options.pauses.clause, End.SENTENCE: options.pauses.sentence, End.LINE: options.pauses.line}
    start = 0
    for piece in pieces(spoken.text, block.kind, language, options):
        end = len(block.text) if piece.end == len(spoken.text) else spoken.at(piece.end)
        source = block.text[start:end]
        text = _in_one_line(spoken.text[piece.start : piece.end])
        place = block.place_at(start + len(source) - len(source.lstrip()))
        yield _Unit(block.kind, text, source.strip(), place, language, pauses[piece.ends], ends_block=False)
        start = end


def _in_one_line(text: str) -> str:
    first, *rest = text.strip().split("\n")
    for line in rest:
        first += line if not line else f"{'' if first.endswith(tuple(_AS_IF_COMMA)) else ','} {line}"
    return first
