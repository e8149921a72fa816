"""Can this PDF be read at all, and what does it say of itself?"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from pypdfium2 import raw

from tts_pipeline.documents.language import normalised_tag
from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.titles import sensible

_DEEPEST = 3
_FEWEST_BOOKMARKS = 2
_MOST_BOOKMARKS = 5_000
_PAGE = re.compile(r"(?:page|seite|p\.?)?\s*\d+|.*\.pdf", re.IGNORECASE)
_LANGUAGE_BYTES = 100


class Bookmark(NamedTuple):
    """A line of the outline."""

    title: str
    depth: int
    page: int
    top: float | None
    """How high on the page it leads, where it says so."""


class About(NamedTuple):
    """What a PDF says of itself."""

    title: str | None
    author: str | None
    language: str | None
    bookmarks: list[Bookmark]


@contextmanager
def opened(path: Path, limits: Limits) -> Iterator[Any]:
    """Open a PDF; raises Refused where it is broken, protected or too long."""
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        if error.err_code == raw.FPDF_ERR_PASSWORD:
            raise Refused("it is protected by a password") from error
        if error.err_code == raw.FPDF_ERR_SECURITY:
            raise Refused("it is encrypted, and can only be read by the program that it was made for") from error
        raise Refused("it is broken: no PDF can be read from it") from error
    with document:
        if not len(document):
            raise Refused("it has no pages")
        if len(document) > limits.pages:
            raise Refused(f"it has {len(document):,} pages, and at most {limits.pages:,} are read")
        yield document


def about(document: Any) -> About:
    """Read title, author, language and outline; what can't be read is not said."""
    said = document.get_metadata_dict()
    return About(sensible(said.get("Title")), sensible(said.get("Author")), _language(document), _bookmarks(document))


def _language(document: Any) -> str | None:
    buffer = ctypes.create_string_buffer(_LANGUAGE_BYTES)
    length = raw.FPDFCatalog_GetLanguage(document, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), _LANGUAGE_BYTES)
    said = buffer.raw[: max(0, min(length, _LANGUAGE_BYTES) - 2)]
    return normalised_tag(said.decode("utf-16-le", errors="replace"))


def _bookmarks(document: Any) -> list[Bookmark]:
    found: list[Bookmark] = []
    for each in document.get_toc(max_depth=_DEEPEST):
        target = each.get_dest()
        page = target.get_index() if target else None
        title = " ".join(each.get_title().split())
        if title and page is not None:
            view, numbers = target.get_view()
            top = numbers[1] if view == raw.PDFDEST_VIEW_XYZ and len(numbers) > 1 else None
            found.append(Bookmark(title, each.level, page, top or None))
        if len(found) >= _MOST_BOOKMARKS:
            break
    named = [each for each in found if not _PAGE.fullmatch(each.title)]
    return named if len(named) >= _FEWEST_BOOKMARKS else []
