"""Which reader is for this file?

A new family of documents is one more row: its endings, how its first bytes look, and its reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tts_pipeline.book import Document
from tts_pipeline.documents.epub.reader import is_epub, read_epub
from tts_pipeline.documents.options import ReadingOptions
from tts_pipeline.documents.plain.reader import read_plain
from tts_pipeline.documents.refusal import Refused
from tts_pipeline.documents.source import Source


@dataclass(frozen=True, slots=True)
class Format:
    """One family of documents."""

    name: str
    endings: tuple[str, ...]
    read: Callable[[Source, ReadingOptions], Document]
    recognises: Callable[[bytes], bool] = lambda _head: False
    """Whether a file that begins so is one for sure, whatever its name."""


FORMATS = (
    Format("EPUB", (".epub",), read_epub, is_epub),
    Format("plain text", (".txt", ".text", ""), read_plain),
)
ENDINGS = frozenset(ending for each in FORMATS for ending in each.endings if ending)
"""What the names of readable files end in."""

_FOREIGN = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
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
    if named and not (found and named.read is read_plain):
        return named
    raise Refused(f"it is {found or _unknown(source)}, and what can be read is {_listed()}")


def _foreign(head: bytes) -> str | None:
    if head[60:68] in {b"BOOKMOBI", b"TEXtREAd"}:
        return "a Kindle book"
    return next((name for begin, name in _FOREIGN if head.startswith(begin)), None)


def _unknown(source: Source) -> str:
    return f"a {source.ending} file"


def _listed() -> str:
    return " and ".join(f"{each.name} ({', '.join(filter(None, each.endings))})" for each in FORMATS)
