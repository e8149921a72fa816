"""What does a Word document say?"""

from __future__ import annotations

from dataclasses import replace

from tts_pipeline.book import Document
from tts_pipeline.documents.archive import Archive
from tts_pipeline.documents.chapters import chapters, chief_heading
from tts_pipeline.documents.docx.conversion import as_html, paragraph_of
from tts_pipeline.documents.docx.languages import marked_language
from tts_pipeline.documents.docx.package import package
from tts_pipeline.documents.drafts import finished
from tts_pipeline.documents.language import guessed
from tts_pipeline.documents.markup.page import Page, Scope
from tts_pipeline.documents.markup.parse import parsed_text
from tts_pipeline.documents.markup.refs import noted
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.pieces import Piece
from tts_pipeline.documents.plain.names import named_by
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.source import Source
from tts_pipeline.documents.titles import sensible

_OLD = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def read_docx(source: Source, options: ReadingOptions) -> Document:
    """Read a Word document; raises Refused where it is old, protected, broken or hostile."""
    _refuse_old(source)
    with Archive(source.path, options.limits) as archive:
        found = package(archive, options.limits)
    pieces = _pieces(as_html(found.parts), source.name, options.limits.nesting)
    named = named_by(source.path)
    title = sensible(found.title) or chief_heading(pieces) or named.title or source.name
    told = options.language or found.language or guessed("\n".join(piece.text.text for piece in pieces[:500]))
    language = told or found.proofing_language
    return Document(
        title=title,
        author=sensible(found.author) or named.author,
        language=language,
        chapters=finished(chapters(pieces, title, language, options), options.notes),
    )


def _refuse_old(source: Source) -> None:
    if source.head.startswith(_OLD):
        if _ENCRYPTED in source.data():
            raise Refused("it is protected by a password")
        raise Refused("it is an old Word document (.doc): save it as .docx first")


def _pieces(markup: str, file: str, nesting: int) -> list[Piece]:
    if not markup.strip():
        return []
    root = parsed_text(f"<html><body>{markup}</body></html>")
    page = Page(root, Scope(file, noted({file: root}), nesting))
    return [
        replace(
            piece,
            element=paragraph_of(piece.ids) or piece.element,
            language=marked_language(piece.ids, piece.text.text),
        )
        for piece in page.pieces
    ]
