"""Which elements are in these bytes, with no entity expanded and nothing fetched?"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html.entities import html5
from typing import Any, TypeAlias, cast

from lxml import etree

from tts_pipeline.documents.charset import decode
from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.refusal import Refused

Element: TypeAlias = etree._Element  # noqa: SLF001 (it has no other name)

_LARGE_TAG = re.compile(rb"<[A-Za-z][^<>]{20000,}")
_MOST_ATTRIBUTES = 20_000
_LONGEST_LIST = 100_000
_ROOT = re.compile(rb"<[A-Za-z_]")
_DECLARES = re.compile(rb"<!ENTITY", re.IGNORECASE)
_NAMED = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*);")
_AMPERSAND = re.compile(rb"&(?!#\d{1,7};|#x[0-9A-Fa-f]{1,6};|(?:amp|lt|gt|quot|apos);)")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
_SELF_CLOSED = re.compile(
    rb"<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([A-Za-z][\w:-]*)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*)/>",
    re.IGNORECASE,
)


class Budget:
    """How much markup a document may hold in all its parts."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._length = self._elements = 0

    def spend(self, markup: str | bytes) -> None:
        """Raise Refused where with this there is more markup, or there are more elements in it, than are accepted."""
        data = markup.encode(errors="replace") if isinstance(markup, str) else markup
        self._length += len(markup)
        self._elements += data.count(b"<") - data.count(b"</")
        if self._length > self._limits.text_chars:
            raise Refused(f"it has {self._length:,} characters, and at most {self._limits.text_chars:,} are read")
        if self._elements > self._limits.elements:
            raise Refused(f"it has more than the {self._limits.elements:,} elements that are accepted")
        for tag in _LARGE_TAG.finditer(data):
            if len(tag[0].split()) > _MOST_ATTRIBUTES:
                raise Refused(f"one of its elements has more than {_MOST_ATTRIBUTES:,} attributes")


def refuse_list(data: bytes) -> None:
    """Raise Refused where what only lists the parts of a document holds more than any does."""
    if data.count(b"<") > _LONGEST_LIST:
        raise Refused(f"its lists have more than {_LONGEST_LIST:,} elements")


def parsed_xml(data: bytes) -> Element:
    """Return the root of what must be XML; raises Refused where it is not."""
    try:
        root = etree.fromstring(_safe(data), etree.XMLParser(**_SAFETY))
    except etree.XMLSyntaxError as error:
        raise Refused(f"its XML is broken: {error.msg}") from error
    return root


def parsed_markup(data: bytes) -> Element:
    """Return the root of XHTML or HTML, however broken; raises Refused where there is nothing in it."""
    data = _safe(data)
    try:
        return etree.fromstring(data, etree.XMLParser(**_SAFETY))
    except etree.XMLSyntaxError:
        return _mended(data)


def parsed_text(text: str) -> Element:
    """Return the root of XHTML or HTML whose characters are known, whatever it declares."""
    return parsed_markup(_DECLARATION.sub("", text).encode(errors="replace"))


_SAFETY: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
    "strip_cdata": True,
}


def text_of(element: Element) -> str:
    """Return all of the text in an element."""
    return "".join(cast("Iterator[str]", element.itertext()))


def line_of(element: Element) -> str:
    """Return all of the text in an element, in one line."""
    return " ".join(text_of(element).split())


def _mended(data: bytes) -> Element:
    """Read it as a browser would, which does not know that <title/> ends where it begins."""
    data = _SELF_CLOSED.sub(rb"<\1\2></\1>", data)
    charset = "utf-8" if _is_utf_8(data) else None
    parser = etree.HTMLParser(
        encoding=charset, no_network=True, remove_comments=True, remove_pis=True, recover=True, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise Refused(f"its markup is broken: {error.msg}") from error
    if root is None:
        raise Refused("its markup is broken: nothing is in it")
    return root


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _safe(data: bytes) -> bytes:
    """Refuse entities of its own, and write those of HTML as what they stand for."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        data = _DECLARATION.sub("", decode(data)).encode()
    root = _ROOT.search(data)
    if _DECLARES.search(data, 0, root.start() if root else len(data)):
        raise Refused("its XML declares entities of its own, which are never expanded")
    return _AMPERSAND.sub(b"&amp;", _NAMED.sub(_numbered, data)) if b"&" in data else data


def _numbered(match: re.Match[bytes]) -> bytes:
    name = match[1]
    text = html5.get(f"{name.decode()};")
    if text is None:
        return match[0]
    return "".join(f"&#{ord(character)};" for character in text).encode()
