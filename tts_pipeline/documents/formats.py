"""Which reader is for this file?

A new family of documents is one more row: its endings, how its first bytes look, and where its reader is,
which is imported only when such a file is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import cast

from tts_pipeline.book import Document
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.source import Source

_ZIP = b"PK\x03\x04"
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Format:
    """One family of documents."""

    name: str
    endings: tuple[str, ...]
    reader: str
    """Where the function that reads it is: module:name."""
    recognises: Callable[[bytes], bool] = lambda _head: False
    """Whether a file that begins so is one for sure, whatever its name."""
    is_text: bool = False
    """Whether any characters will do, so that only what is known to be something else is refused."""

    def read(self, source: Source, options: ReadingOptions) -> Document:
        """Read a file of this family; raises Refused where it can't."""
        read = cast("Callable[[Source, ReadingOptions], Document]", resolve_name(self.reader))
        return read(source, options)


def is_epub(head: bytes) -> bool:
    """Tell an EPUB by its first file, whose name and content are prescribed."""
    return head[:4] == _ZIP and b"mimetypeapplication/epub+zip" in head[:120]


def is_docx(head: bytes) -> bool:
    """Tell a Word document from other archives of Office by the folder that its first files are in."""
    return head[:4] == _ZIP and b"[Content_Types].xml" in head and b"word/" in head


def is_html(head: bytes) -> bool:
    """Tell HTML by its first tag."""
    return _HTML.match(head) is not None


def is_pdf(head: bytes) -> bool:
    """Tell a PDF by its first line."""
    return head.lstrip().startswith(b"%PDF-")


_READERS = "tts_pipeline.documents"
FORMATS = (
    Format("EPUB", (".epub",), f"{_READERS}.epub.reader:read_epub", is_epub),
    Format("Word", (".docx",), f"{_READERS}.docx.reader:read_docx", is_docx),
    Format("PDF", (".pdf",), f"{_READERS}.pdf.reader:read_pdf", is_pdf),
    Format("HTML", (".html", ".htm", ".xhtml"), f"{_READERS}.html.reader:read_html", is_html, is_text=True),
    Format("Markdown", (".md", ".markdown"), f"{_READERS}.markdown.reader:read_markdown", is_text=True),
    Format("plain text", (".txt", ".text", ""), f"{_READERS}.plain.reader:read_plain", is_text=True),
)
ENDINGS = frozenset(ending for each in FORMATS for ending in each.endings if ending)
"""What the names of readable files end in."""

_FOREIGN = (
    (_ZIP, "a zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0", "an old Office document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"ID3", "a sound file"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
)


def format_of(source: Source) -> Format:
    """Tell the family of a file, by what it holds, then by its name; raises Refused where none fits."""
    for each in FORMATS:
        if each.recognises(source.head):
            return each
    named = next((each for each in FORMATS if source.ending in each.endings), None)
    found = _foreign(source.head)
    if named and not (found and named.is_text):
        return named
    raise Refused(f"it is {found or _unknown(source)}, and what can be read is {_listed()}")


def _foreign(head: bytes) -> str | None:
    if head[60:68] in {b"BOOKMOBI", b"TEXtREAd"}:
        return "a Kindle book"
    return next((name for begin, name in _FOREIGN if head.startswith(begin)), None)


def _unknown(source: Source) -> str:
    return f"a {source.ending} file"


def _listed() -> str:
    *others, last = (f"{each.name} ({', '.join(filter(None, each.endings))})" for each in FORMATS)
    return f"{', '.join(others)} and {last}"
