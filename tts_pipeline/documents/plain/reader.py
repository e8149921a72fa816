"""What does a plain text say?"""

from __future__ import annotations

from tts_pipeline.book import Document
from tts_pipeline.documents.charset import decode_lines
from tts_pipeline.documents.drafts import DraftChapter, finished
from tts_pipeline.documents.language import guessed
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.parts import in_parts
from tts_pipeline.documents.plain.blanking import without_pictures_and_pages
from tts_pipeline.documents.plain.gutenberg import frame
from tts_pipeline.documents.plain.lines import Layout, layout
from tts_pipeline.documents.plain.names import Names, named_by, named_in
from tts_pipeline.documents.plain.sections import Sections
from tts_pipeline.documents.source import Source


def read_plain(source: Source, options: ReadingOptions) -> Document:
    """Read a plain text; raises Refused where it is none."""
    text = decode_lines(source.data(), options.limits)
    framed = frame(text)
    body = without_pictures_and_pages(text[framed.start : framed.end])
    laid_out = layout(body, framed.start)
    title, author = _names(source, laid_out, Names(framed.head.title, framed.head.author))
    return Document(
        title=title,
        author=author,
        language=options.language or framed.head.language or guessed(body),
        chapters=finished(_chapters(laid_out, title, source.name, parts=options.parts), options.notes),
    )


def _names(source: Source, laid_out: Layout, head: Names) -> tuple[str, str | None]:
    """Believe the head, then the first lines, then the file's name."""
    first, file = named_in(laid_out.groups), named_by(source.path)
    if head.title:
        return head.title, head.author
    if first.title:
        return first.title, first.author
    return file.title or source.name, head.author or file.author


def _chapters(laid_out: Layout, title: str, file: str, *, parts: bool) -> list[DraftChapter]:
    chapters = Sections(laid_out, title, file).drafts()
    is_undivided = len(chapters) == 1 and chapters[0].is_front
    return in_parts(chapters[0].drafts, title) if is_undivided and parts else chapters
