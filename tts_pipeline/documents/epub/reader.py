"""What does an EPUB say?"""

from __future__ import annotations

from pathlib import PurePosixPath

from tts_pipeline.book import Document
from tts_pipeline.documents.archive import Archive
from tts_pipeline.documents.chapters import chapters
from tts_pipeline.documents.drafts import finished
from tts_pipeline.documents.epub.cover import cover
from tts_pipeline.documents.epub.navigation import entries
from tts_pipeline.documents.epub.package import Package, Resource, package
from tts_pipeline.documents.epub.protection import refuse_protected
from tts_pipeline.documents.epub.titlepages import without_title_pages
from tts_pipeline.documents.language import guessed, normalised_tag
from tts_pipeline.documents.markup.meaning import language_of, name_of
from tts_pipeline.documents.markup.page import Page, Scope
from tts_pipeline.documents.markup.parse import Budget, Element, parsed_markup, text_of
from tts_pipeline.documents.markup.refs import noted
from tts_pipeline.documents.markup.sections import with_headings_of_notes
from tts_pipeline.documents.options import Limits, ReadingOptions
from tts_pipeline.documents.pieces import Piece
from tts_pipeline.documents.plain.names import named_by
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.source import Source

_MARKUP = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document"})
_UNREAD_PURPOSES = frozenset({"cover", "title-page", "titlepage", "toc", "copyright-page", "copyright", "index"})
_UNREAD_NAMES = frozenset(
    {"cover", "titlepage", "title-page", "title_page", "copyright", "copyright-page", "copyright_page"}
)
_FEWEST_LINKS = 3
_SHARE_OF_LINKS = 0.8
_LEAST_TEXT = 500
"""Characters besides the navigation, that make a navigation document worth reading."""


def read_epub(source: Source, options: ReadingOptions) -> Document:
    """Read an EPUB 2 or 3; raises Refused where it is encrypted, broken or hostile."""
    with Archive(source.path, options.limits) as archive:
        refuse_protected(archive)
        described = package(archive)
        listed = entries(archive, described)
        pages = without_title_pages(_pages(archive, described, options.limits), described, listed)
        title = described.title or named_by(source.path).title or source.name
        pieces = _pieces(pages, described, options.limits)
        said = options.language or described.language or _language(pages, pieces)
        return Document(
            title=title,
            author=described.author,
            language=said,
            cover=cover(archive, described),
            chapters=finished(chapters(pieces, title, said, options, listed), options.notes),
        )


def _pages(archive: Archive, described: Package, limits: Limits) -> dict[str, Element]:
    """Return what is read, parsed, each under its file's name."""
    unread = {file for purpose, file in described.guide.items() if purpose in _UNREAD_PURPOSES}
    listed = [described.resources[each] for each in described.spine if each in described.resources]
    if not listed:
        raise Refused("it has no text: its reading order (spine) is empty")
    pages: dict[str, Element] = {}
    budget = Budget(limits)
    for resource in listed:
        if resource.media_type in _MARKUP and not (resource.file in unread or _is_unread(resource)):
            data = archive.read(resource.file)
            budget.spend(data)
            pages[resource.file] = _parsed(data, resource.file)
    return {file: root for file, root in pages.items() if not _is_contents(root)}


def _parsed(data: bytes, file: str) -> Element:
    try:
        return parsed_markup(data)
    except Refused as refused:
        raise Refused(f"{file}: {refused}") from refused


def _is_unread(resource: Resource) -> bool:
    return PurePosixPath(resource.file).stem.lower() in _UNREAD_NAMES


def _is_contents(root: Element) -> bool:
    """Return whether a page is hardly more than links to the others."""
    links = [link for link in root.iter() if name_of(link) == "a" and link.get("href")]
    body = next((element for element in root.iter() if name_of(element) == "body"), root)
    total = _length(body)
    return len(links) >= _FEWEST_LINKS and sum(map(_length, links)) >= _SHARE_OF_LINKS * total


def _length(element: Element) -> int:
    return len("".join(text_of(element).split()))


def _pieces(pages: dict[str, Element], described: Package, limits: Limits) -> list[Piece]:
    notes = noted(pages)
    nav = described.with_property("nav")
    pieces: list[Piece] = []
    for file, root in pages.items():
        page = Page(root, Scope(file, notes, limits.nesting)).pieces
        if not (nav and nav.file == file and sum(len(piece.text.text) for piece in page) < _LEAST_TEXT):
            pieces += with_headings_of_notes(page)
    return pieces


def _language(pages: dict[str, Element], pieces: list[Piece]) -> str | None:
    """Return what the pages say where the package says nothing, else a guess."""
    said = next((tag for root in pages.values() if (tag := normalised_tag(language_of(root)))), None)
    return said or guessed("\n".join(piece.text.text for piece in pieces[:500]))
