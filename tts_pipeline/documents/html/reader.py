"""What does a page of HTML say?"""

from __future__ import annotations

from tts_pipeline.book import Document
from tts_pipeline.documents.chapters import chapters, chief_heading
from tts_pipeline.documents.charset import decode_markup
from tts_pipeline.documents.drafts import finished
from tts_pipeline.documents.html.content import content_of
from tts_pipeline.documents.html.head import head
from tts_pipeline.documents.language import guessed
from tts_pipeline.documents.markup.page import Page, Scope
from tts_pipeline.documents.markup.parse import Budget, parsed_text
from tts_pipeline.documents.markup.refs import noted
from tts_pipeline.documents.markup.sections import with_headings_of_notes
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.plain.names import named_by
from tts_pipeline.documents.source import Source


def read_html(source: Source, options: ReadingOptions) -> Document:
    """Read a page of HTML or XHTML; raises Refused where it is none."""
    text = decode_markup(source.data())
    Budget(options.limits).spend(text)
    root = parsed_text(text)
    file = source.name
    notes = noted({file: root})
    content = content_of(root, notes.values())
    scope = Scope(file, notes, options.limits.nesting, content.unread, content.path)
    pieces = list(with_headings_of_notes(Page(content.root, scope).pieces))
    said = head(root)
    named = named_by(source.path)
    title = said.title or chief_heading(pieces) or named.title or file
    language = options.language or said.language or guessed("\n".join(piece.text.text for piece in pieces[:500]))
    return Document(
        title=title,
        author=said.author or named.author,
        language=language,
        chapters=finished(chapters(pieces, title, language, options), options.notes),
    )
