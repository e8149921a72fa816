"""What does a text of Markdown say?"""

from __future__ import annotations

from tts_pipeline.book import Document
from tts_pipeline.documents.chapters import chapters
from tts_pipeline.documents.charset import decode
from tts_pipeline.documents.drafts import finished
from tts_pipeline.documents.language import guessed
from tts_pipeline.documents.markdown.blocks import pieces
from tts_pipeline.documents.markdown.front import front, without_front
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.pieces import Piece
from tts_pipeline.documents.plain.names import named_by
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.source import Source


def read_markdown(source: Source, options: ReadingOptions) -> Document:
    """Read a text of Markdown; raises Refused where it is none."""
    text = decode(source.data())
    if len(text) > options.limits.text_chars:
        raise Refused(f"it has {len(text):,} characters, and at most {options.limits.text_chars:,} are read")
    said = front(text)
    file = source.path.name
    body = pieces(without_front(text, said.length), file, options.limits.nesting)
    named = named_by(source.path)
    title = said.title or _chief_heading(body) or named.title or file
    language = options.language or said.language or guessed(text)
    return Document(
        title=title,
        author=said.author or named.author,
        language=language,
        chapters=finished(chapters(body, title, language, options), options.notes),
    )


def _chief_heading(body: list[Piece]) -> str | None:
    """Return the heading that all others are under; None where there is none."""
    headings = [piece for piece in body if piece.level and not piece.continues]
    chief = headings[0] if headings else None
    if chief is None or any(each.level <= chief.level for each in headings[1:]):
        return None
    return chief.text.text
