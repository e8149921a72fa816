"""What do the paragraphs of a Word document look like as elements of HTML, with their numbers?"""

from __future__ import annotations

from io import BytesIO
from itertools import count
from typing import Any
from xml.parsers.expat import ExpatError

import mammoth
from mammoth import documents

from tts_pipeline.documents.refusal import Refused

_MARK = "paragraph-"
_BROKEN = (ValueError, KeyError, IndexError, AttributeError, TypeError, AssertionError, OSError, ExpatError)
_HEADINGS = {"Title": 1} | {f"Heading {number}": min(number + 1, 6) for number in range(1, 10)}
"""The title is above all headings."""
_QUOTES = ("Quote", "Intense Quote", "Quotations", "Block Text", "Quotation")
_VERSES = ("Verse", "Poem", "Poetry", "Stanza", "Lyrics", "Poem Line")
_CODE = ("HTML Preformatted", "Preformatted Text", "Code", "Source Code", "Code Block")
_UNREAD = ("TOC Heading", "Contents Heading", *(f"{name} {n}" for name in ("toc", "Contents") for n in range(1, 10)))
_STYLES = "\n".join(
    (
        *(f"p[style-name='{name}'] => h{level}:fresh" for name, level in _HEADINGS.items()),
        *(f"p.{name.replace(' ', '')} => h{level}:fresh" for name, level in _HEADINGS.items()),
        *(f"p[style-name='{name}'] => blockquote > p:fresh" for name in _QUOTES),
        *(f"p[style-name='{name}'] => div.verse > p:fresh" for name in _VERSES),
        *(f"p[style-name='{name}'] => pre:separator('\\n')" for name in _CODE),
        *(f"p[style-name='{name}'] => !" for name in _UNREAD),
        "p[style-name='Horizontal Line'] => hr",
    )
)


def as_html(parts: BytesIO) -> str:
    """Return the document as HTML, where each paragraph begins with a mark; raises Refused where it is broken."""
    try:
        converted = mammoth.convert_to_html(
            parts,
            style_map=_STYLES,
            include_embedded_style_map=False,
            external_file_access=False,
            convert_image=lambda _image: [],
            transform_document=_numbered,
        )
    except RecursionError:
        raise Refused("its tables and text boxes are nested too deep") from None
    except _BROKEN as error:
        raise Refused(f"its text is broken: {error or type(error).__name__}") from error
    return str(converted.value)


def paragraph_of(ids: tuple[str, ...]) -> str | None:
    """Return which paragraph begins at what was marked, counted from 1; None where none does."""
    return next((name.replace("-", " ") for name in ids if name.startswith(_MARK)), None)


def _numbered(document: Any) -> Any:
    """Return the document with a mark at the beginning of each paragraph, those of notes after all others."""
    numbers = count(1)
    children = _marked(document.children, numbers)
    notes = [note.copy(body=_marked(note.body, numbers)) for note in document.notes._notes.values()]  # noqa: SLF001
    return document.copy(children=children, notes=documents.notes(notes))


def _marked(elements: list[Any], numbers: count[int]) -> list[Any]:
    return [_with_mark(element, numbers) for element in elements]


def _with_mark(element: Any, numbers: count[int]) -> Any:
    if isinstance(element, documents.Paragraph):
        mark = documents.bookmark(f"{_MARK}{next(numbers)}")
        inner = _marked(element.children, numbers)
        return element.copy(children=[mark, *inner]) if inner else element
    if isinstance(element, documents.HasChildren):
        return element.copy(children=_marked(element.children, numbers))
    return element
