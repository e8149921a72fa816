"""Which characters do these bytes stand for?"""

from __future__ import annotations

import codecs
import re

from charset_normalizer import CharsetMatch, from_bytes

from tts_pipeline.documents.east_asian import east_asian
from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.refusal import Refused

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"^Character set encoding: *([\w-]+)", re.MULTILINE | re.IGNORECASE)
_DECLARED_IN_MARKUP = re.compile(
    rb"<(?:\?xml[^>]*\bencoding|meta\b[^>]*\bcharset)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE
)
_SEVEN_BITS = frozenset({"iso-2022-jp", "iso-2022-kr", "hz-gb-2312", "hz"})
"""What is valid UTF-8 as well, with another meaning."""
_END_OF_FILE = "\0\x1a\r\n"
"""What DOS marks the end of a text with, and what fills the rest of a block."""
_JAPANESE_BEGINS = re.compile(rb"\x1b\$[@B]")
_LATIN = frozenset({"iso-8859-1", "iso8859-1", "latin-1", "latin1", "us-ascii", "ascii"})
"""What writers call Windows' Western set, which browsers know."""
_LINES_PER_ELEMENT = 2
"""In most texts every other line is blank."""
_HEAD = 20_000
_SAMPLE = 200_000
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\ufffd]")
_MOST_CONTROLS = 0.002
"""The share of control characters above which it is no text."""
_WESTERN = "cp1252"
_WIDE = ["utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "utf_7"]
"""What was told before, or is nowhere in use."""
_CLOSE = 0.1
_STRANGE = frozenset("ƒˆµªºÐÞðþ¹²³¼½¾")
"""What Windows' Western set has, and Western text hardly ever."""


def decode(data: bytes, declared: str | None = None) -> str:
    """Return the text without its byte order mark, line ends as they are; raises Refused where it is none."""
    text = _decoded(data, declared).rstrip(_END_OF_FILE)
    if "\0" in text or len(_CONTROLS.findall(text)) > _MOST_CONTROLS * len(text):
        raise Refused("it is not text: it has characters that no text has")
    return text


def decode_lines(data: bytes, limits: Limits) -> str:
    """Return the text of what has no markup; raises Refused where there is too much of it, or none."""
    text = decode(data)
    if len(text) > limits.text_chars:
        raise Refused(f"it has {len(text):,} characters, and at most {limits.text_chars:,} are read")
    if text.count("\n") > _LINES_PER_ELEMENT * limits.elements:
        raise Refused(f"it has more than the {_LINES_PER_ELEMENT * limits.elements:,} lines that are accepted")
    return text


def decode_markup(data: bytes) -> str:
    """Return the text of XML or HTML, which may declare its character set; raises Refused where it is none."""
    found = _DECLARED_IN_MARKUP.search(data[:_HEAD])
    name = found[1].decode("ascii", errors="replace").lower() if found else ""
    declared = _WESTERN if name in _LATIN else name or None
    text = _strict(data, declared) if declared in _SEVEN_BITS else None
    return decode(data, declared) if text is None else text


def _decoded(data: bytes, declared: str | None) -> str:
    for mark, its_charset in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(its_charset, errors="replace")
    if not _told(data).startswith("utf-16"):
        data = data.rstrip(_END_OF_FILE.encode())
    for told in (_told, lambda data: declared or _declared(data), _guessed):
        charset: str | None = told(data)
        text = _strict(data, charset) if charset else None
        if text is not None:
            return text
        if b"\0" in data:
            break
    raise Refused("it is not text, or its character set can't be told")


def _strict(data: bytes, charset: str) -> str | None:
    try:
        return data.decode(charset)
    except (UnicodeDecodeError, LookupError):
        return None


def _told(data: bytes) -> str:
    """Tell from UTF-8 what has no byte that it has not: UTF-16 of Western text, and Japanese of seven bits."""
    head = data[:_HEAD].rstrip(b"\0")
    if _JAPANESE_BEGINS.search(head):
        return "iso2022_jp"
    odd, even = head[1::2].count(0), head[::2].count(0)
    if odd > len(head) * 0.4 and not even:
        return "utf-16-le"
    return "utf-16-be" if even > len(head) * 0.4 and not odd else "utf-8"


def _declared(data: bytes) -> str | None:
    """Return what the head of a Project Gutenberg text says."""
    declared = _DECLARED.search(data[:_HEAD])
    return declared[1].decode("ascii") if declared else None


def _guessed(data: bytes) -> str | None:
    """Return the best guess; where Western text is about as good a one, that, since most files are."""
    data = _telling(data)
    by_looks = east_asian(data)
    if by_looks:
        return by_looks
    matches = from_bytes(data, cp_exclusion=_WIDE)
    best = matches.best()
    if best is None:
        return _WESTERN if _is_western(data) else None
    if _WESTERN in best.could_be_from_charset:
        return _WESTERN
    # In a short text no language is recognised.
    is_close = not best.coherence or any(_is_close(match, best) for match in matches)
    return _WESTERN if is_close and _is_western(data) else best.encoding


def _is_close(match: CharsetMatch, best: CharsetMatch) -> bool:
    return (
        match.encoding == _WESTERN and match.chaos <= best.chaos + _CLOSE and match.coherence >= best.coherence - _CLOSE
    )


def _is_western(data: bytes) -> bool:
    """Return whether it is mostly ASCII, and the rest are letters of Western Europe."""
    text = _strict(data, _WESTERN) or ""
    letters = [character for character in text if character.isalpha()]
    rest = sum(not letter.isascii() for letter in letters)
    is_hungarian = "õ" in text and "ã" not in text  # its ő, where Portuguese has both
    return bool(letters) and rest < 0.3 * len(letters) and not _STRANGE.intersection(text) and not is_hungarian


def _telling(data: bytes) -> bytes:
    """Return the lines that are not ASCII alone, for only they tell, with some of the others."""
    if len(data) <= _SAMPLE:
        return data
    lines = [line for line in data.splitlines(keepends=True) if not line.isascii()]
    return b"".join(lines)[:_SAMPLE]
