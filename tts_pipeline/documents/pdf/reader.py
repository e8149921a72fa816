"""What does a PDF say?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tts_pipeline.book import Document, Kind
from tts_pipeline.documents.chapters import chapters, chief_heading
from tts_pipeline.documents.drafts import finished
from tts_pipeline.documents.language import guessed
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.pdf.headings import continues, entries, levels
from tts_pipeline.documents.pdf.lines import Line
from tts_pipeline.documents.pdf.notes import divided
from tts_pipeline.documents.pdf.opening import opened
from tts_pipeline.documents.pdf.pages import Pages, pages
from tts_pipeline.documents.pdf.paragraphs import Paragraph, flowing, has_ended, paragraphs
from tts_pipeline.documents.pieces import Piece, Target
from tts_pipeline.documents.plain.names import named_by
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.source import Source


def read_pdf(source: Source, options: ReadingOptions) -> Document:
    """Read a PDF; raises Refused where it is protected, broken, or nothing but pictures."""
    with opened(source.path, options.limits) as document:
        said = document.about
        read = pages(document, options.limits)
    if not any(character.isalnum() for column in read.columns for line in column for character in line.text):
        raise Refused("its pages are pictures: it has no text layer; run it through OCR first")
    file = source.name
    made = list(_paragraphs(read))
    outline, ids = entries(said.bookmarks, made, file)
    pieces = list(_pieces(made, read, file, ids))
    named = named_by(source.path)
    title = said.title or chief_heading(pieces) or named.title or file
    told = options.language or said.language or guessed("\n".join(piece.text.text for piece in pieces[:500]))
    return Document(
        title=title,
        author=said.author or named.author,
        language=told,
        chapters=finished(chapters(pieces, title, told, options, outline), options.notes),
    )


def _paragraphs(read: Pages) -> Iterator[Paragraph]:
    """Yield the paragraphs of all columns, each with the notes at their feet behind it."""
    texts: list[list[Line]] = []
    notes: list[Paragraph] = []
    marks: dict[int, set[str]] = defaultdict(set)
    for line in (line for column in read.columns for line in column):
        marks[line.page].update(line.refs)
    for column in read.columns:
        page = column[0].page
        text, found = divided(column, read.body, marks[page], is_open=bool(notes) and _is_open(notes[-1], page))
        if text:
            texts.append(text)
        for lines in found:
            if lines[0].label is None and notes:
                notes[-1].lines += lines
            else:
                notes.append(Paragraph(Kind.NOTE, lines, note=lines[0].label))
    yield from paragraphs(texts, read.body)
    yield from notes


def _is_open(note: Paragraph, page: int) -> bool:
    """Return whether a note may go on at the foot of a page: it is of the page before, and has not ended."""
    return note.lines[-1].page == page - 1 and not has_ended(note.lines[-1])


def _pieces(made: list[Paragraph], read: Pages, file: str, ids: dict[int, list[str]]) -> Iterator[Piece]:
    known = {_target(file, each.lines[0].page, each.note) for each in made if each.note}
    depths = levels(made, read.body)
    for number, paragraph in enumerate(made):
        text = flowing(paragraph.lines, paragraph.kind, read.before)
        if not text.text:
            continue
        page = paragraph.lines[0].page
        refs = (_target(file, line.page, ref) for line in paragraph.lines for ref in line.refs)
        yield Piece(
            kind=paragraph.kind,
            text=text,
            file=file,
            element=f"page {page + 1}",
            level=depths[number],
            ids=tuple(ids.get(number, ())),
            refs=tuple(ref for ref in refs if ref in known),
            note=_target(file, page, paragraph.note) if paragraph.note else None,
            continues=continues(made, number),
        )


def _target(file: str, page: int, mark: str) -> Target:
    return file, f"page {page + 1} note {mark}"
