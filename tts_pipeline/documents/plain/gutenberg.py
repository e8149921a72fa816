"""Which part of a Project Gutenberg text is the book, and what does its head say of it?"""

from __future__ import annotations

import re
from typing import NamedTuple

from tts_pipeline.documents.language import tag_of

_FRAME = re.compile(r"^.{0,120}Proje[ck]t Gutenberg", re.MULTILINE | re.IGNORECASE)
_LONGEST_HEAD = 40_000
_STARTS = (
    re.compile(
        r"^\*{2,} ?START OF (?:THE|THIS) PROJECT GUTENBERG[^*]{0,400}\*{2,}[^\r\n]*", re.MULTILINE | re.IGNORECASE
    ),
    re.compile(r"^\*END ?\*?THE SMALL PRINT![^\r\n]*(?:\r?\n[^\r\n]*\*END\*[^\r\n]*)?", re.MULTILINE | re.IGNORECASE),
    re.compile(r"^[^\r\n]{0,60}START OF TH(?:E|IS) PROJECT GUTENBERG[^\r\n]*", re.MULTILINE | re.IGNORECASE),
)
_ENDS = re.compile(
    r"^\W{0,6}(?:"
    r"END OF (?:THE |THIS )?PROJECT GUTENBERG|End of (?:the |this )?Project Gutenberg"
    r"|Ende (?:dieses|des) Proje[ck]te?s? Gutenberg|Fin (?:de|du|d') ?.{0,40}Project Gutenberg"
    r"|Fin(?:e)? (?:del|dell') ?.{0,40}Project Gutenberg"
    r")",
    re.MULTILINE | re.IGNORECASE,
)
_CREDITS = re.compile(
    r"\s*(?:(?:\[?(?:Produced|Transcribed|E-?text prepared|Scanned|Proofed|Digitized|Typed|HTML version)\b"
    r"|This (?:e-?text|file|ebook) was (?:produced|prepared|created|transcribed|scanned|typed)\b"
    r"|(?:Updated|Updater?):)[^\r\n]*(?:\r?\n(?![ \t]*(?:\r|\n|\Z))[^\r\n]*)*)",
    re.IGNORECASE,
)
_FIELD = r"^{}:[ \t]*(\S[^\r\n]*(?:\r?\n[ \t]+\S[^\r\n]*)*)"
_OLD_TITLE = re.compile(
    r"^\W*(?:The )?Project Gutenberg(?:'s)?(?: (?:Etext|E-?book))?(?: of)? ([^\r\n]+?),? by ([^\r\n*]+?)[\s*]*$",
    re.MULTILINE | re.IGNORECASE,
)


class Head(NamedTuple):
    """What stands before the book."""

    title: str | None = None
    author: str | None = None
    language: str | None = None


class Frame(NamedTuple):
    """The book, and what was found around it."""

    start: int
    end: int
    head: Head


def frame(text: str) -> Frame:
    """Find the book between the head and the foot; all of the text where there are none."""
    beginning = text[:_LONGEST_HEAD]
    if not _FRAME.search(beginning) and not _FRAME.search(text[-_LONGEST_HEAD:]):
        return Frame(0, len(text), Head())
    found = next((match for pattern in _STARTS if (match := pattern.search(beginning))), None)
    start = found.end() if found else 0
    foot = _ENDS.search(text, start)
    end = foot.start() if foot else len(text)
    return Frame(_behind_credits(text, start), end, _head(text[: start or 2000]))


def _behind_credits(text: str, start: int) -> int:
    found = _CREDITS.match(text, start)
    return found.end() if found else start


def _head(text: str) -> Head:
    old = _OLD_TITLE.search(text)
    title, author = _field(text, "Title"), _field(text, "Author")
    language = _field(text, "Language")
    return Head(
        title or (old[1].strip() if old else None),
        author or (old[2].strip() if old else None),
        tag_of(language) if language else None,
    )


def _field(text: str, name: str) -> str | None:
    found = re.search(_FIELD.format(name), text, re.MULTILINE | re.IGNORECASE)
    return " ".join(found[1].split()) if found else None
