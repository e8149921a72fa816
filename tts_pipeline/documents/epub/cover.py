"""Which picture is on the cover of an EPUB?"""

from __future__ import annotations

from collections.abc import Iterator

from tts_pipeline.book import Cover
from tts_pipeline.documents.archive import Archive
from tts_pipeline.documents.epub.package import Package
from tts_pipeline.documents.markup.meaning import name_of
from tts_pipeline.documents.markup.parse import parsed_markup
from tts_pipeline.documents.markup.refs import target_of
from tts_pipeline.documents.refusal import Refused

_MARKS = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF8", "image/gif"),
)
_MOST_BYTES = 32 << 20
_HREF = "{http://www.w3.org/1999/xlink}href"


def cover(archive: Archive, package: Package) -> Cover | None:
    """Return the cover; None where there is none that can be read, for a book is worth hearing without."""
    for file in _candidates(archive, package):
        if archive.size(file) > _MOST_BYTES:
            continue
        try:
            data = archive.read(file)
        except Refused:
            continue
        media_type = _media_type(data)
        if media_type:
            return Cover(data=data, media_type=media_type)
    return None


def _candidates(archive: Archive, package: Package) -> Iterator[str]:
    """Yield files that may be it, the surest first."""
    declared = package.with_property("cover-image")
    if declared:
        yield declared.file
    named = package.resources.get(package.cover_id or "")
    if named:
        yield named.file
        yield from _pictures(archive, named.file)
    if "cover" in package.guide:
        yield package.guide["cover"]
        yield from _pictures(archive, package.guide["cover"])
    for each in package.resources.values():
        if each.media_type.startswith("image/") and "cover" in f"{each.id} {each.file}".lower():
            yield each.file


def _pictures(archive: Archive, file: str) -> Iterator[str]:
    """Yield the pictures on a page."""
    if not file.lower().endswith(("html", "htm", "xml", "svg")) or file not in archive:
        return
    try:
        root = parsed_markup(archive.read(file))
    except Refused:
        return
    for element in root.iter():
        href = element.get("src") or element.get(_HREF) or element.get("xlink:href")
        if name_of(element) in {"img", "image"} and href:
            yield target_of(href, file)[0]


def _media_type(data: bytes) -> str | None:
    """Tell the kind of a picture by what it begins with: names and manifests err."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for mark, kind in _MARKS if data.startswith(mark)), None)
