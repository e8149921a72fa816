"""What are the chapters of an EPUB called, and where does each begin?"""

from __future__ import annotations

from collections.abc import Iterator

from tts_pipeline.documents.archive import Archive
from tts_pipeline.documents.chapters import Entry
from tts_pipeline.documents.epub.package import Package, Resource
from tts_pipeline.documents.markup.meaning import name_of, types_of
from tts_pipeline.documents.markup.parse import Element, line_of, parsed_markup, parsed_xml, refuse_list
from tts_pipeline.documents.markup.refs import target_of
from tts_pipeline.documents.refusal import Refused

_NCX = "application/x-dtbncx+xml"
_DEEPEST = 3
"""Levels that get marks of their own: parts, chapters, sections."""


def entries(archive: Archive, package: Package) -> list[Entry]:
    """Return the table of contents of EPUB 3 or 2, flat; nothing where neither can be read, for it is only titles."""
    for resource, read in ((package.with_property("nav"), _nav), (_ncx_of(package), _ncx)):
        if resource is None or resource.file not in archive:
            continue
        try:
            data = archive.read(resource.file)
            refuse_list(data)
            found = [each for each in read(data, resource.file) if each.depth < _DEEPEST]
        except Refused:
            continue
        if found:
            return found
    return []


def _ncx_of(package: Package) -> Resource | None:
    named = package.resources.get(package.ncx or "")
    return named or next((each for each in package.resources.values() if each.media_type == _NCX), None)


def _nav(data: bytes, file: str) -> Iterator[Entry]:
    root = parsed_markup(data)
    navs = [element for element in root.iter() if name_of(element) == "nav"]
    toc = next((nav for nav in navs if types_of(nav) & {"toc", "doc-toc"}), navs[0] if navs else None)
    lists = [child for child in (toc if toc is not None else ()) if name_of(child) == "ol"]
    for each in lists[:1]:
        yield from _nav_list(each, file, 0)


def _nav_list(ordered: Element, file: str, depth: int) -> Iterator[Entry]:
    for item in ordered:
        title, href = _label(item)
        inner = [entry for child in item if name_of(child) == "ol" for entry in _nav_list(child, file, depth + 1)]
        if title and href:
            yield Entry(title, target_of(href, file), depth)
        elif title and inner:  # a part that is nothing but its name begins with its first chapter
            yield Entry(title, inner[0].target, depth)
        yield from inner


def _label(item: Element) -> tuple[str, str]:
    """Return the words of an entry, and where they lead."""
    for child in item:
        if name_of(child) in {"a", "span"}:
            return line_of(child), child.get("href", "")
    return "", ""


def _ncx(data: bytes, file: str) -> Iterator[Entry]:
    for element in parsed_xml(data).iter():
        if name_of(element) == "navmap":
            yield from _nav_points(element, file, 0)


def _nav_points(parent: Element, file: str, depth: int) -> Iterator[Entry]:
    for point in parent:
        if name_of(point) != "navpoint":
            continue
        label = next((child for child in point if name_of(child) == "navlabel"), None)
        content = next((child for child in point if name_of(child) == "content"), None)
        title = line_of(label) if label is not None else ""
        if title and content is not None:
            yield Entry(title, target_of(content.get("src", ""), file), depth)
        yield from _nav_points(point, file, depth + 1)
