"""What does a text of Markdown say?"""

from __future__ import annotations

from tts_pipeline.book import Document
from tts_pipeline.documents.chapters import chapters, chief_heading
from tts_pipeline.documents.charset import decode_lines
from tts_pipeline.documents.drafts import finished
from tts_pipeline.documents.language import guessed
from tts_pipeline.documents.markdown.blocks import pieces
from tts_pipeline.documents.markdown.front import front, without_front
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.plain.names import named_by
from tts_pipeline.documents.source import Source


def read_markdown(source: Source, options: ReadingOptions) -> Document:
    """Read a text of Markdown; raises Refused where it is none."""
    text = decode_lines(source.data(), options.limits)
    said = front(text)
    file = source.name
    body = pieces(without_front(text, said.length), file, options.limits.nesting)
    named = named_by(source.path)
    title = said.title or chief_heading(body) or named.title or file
    language = options.language or said.language or guessed(text)
    return Document(
        title=title,
        author=said.author or named.author,
        language=language,
        chapters=finished(chapters(body, title, language, options), options.notes),
    )
