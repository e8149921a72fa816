"""What does PDFium find in a PDF: which characters stand right behind each other, and where?

This is a program of its own, that `opening` runs: a small file can make PDFium ask for all memory there is, or break
it, and that shall end nothing but this. It writes a line of JSON for the document, and one for each page. It imports
nothing of this project, so that it starts at once.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Iterator
from math import cos, radians, sin
from typing import Any

import pypdfium2 as pdfium
from pypdfium2 import raw

try:
    import resource
except ImportError:  # not all systems have it
    resource = None  # type: ignore[assignment]

_HYPHEN = "\ufffe"
_ENDS = frozenset("\r\n")
_WIDE = 0.9
"""The gap, in heights of a line, that may be more than a space."""
_OTHER_SIZE = 0.2
_ASIDE = 0.3
"""How far, as the sine of its angle, a line may lean."""
_SHARE_ASIDE = 0.2
_LANGUAGE_BYTES = 100
_DEEPEST = 3
_MOST_BOOKMARKS = 5_000


class _Fragment:
    """Characters of one size on one line, from left to right."""

    __slots__ = ("bold", "start", "text", "x0", "x1", "y0", "y1")

    def __init__(self, start: int, box: tuple[float, float, float, float], *, bold: bool) -> None:
        self.start, self.text, self.bold = start, "", bold
        self.x0, self.y0, self.x1, self.y1 = box

    def row(self) -> list[object]:
        return [self.start, self.text, self.x0, self.x1, self.y0, self.y1, self.bold]


class _Turned:
    """The boxes of characters, on a page as it is looked at."""

    def __init__(self, text_page: Any, rotation: int) -> None:
        self._page, self._rotation = text_page, rotation
        self._rect = raw.FS_RECTF()
        self._pointer = ctypes.byref(self._rect)

    def box(self, index: int) -> tuple[float, float, float, float]:
        rect = self._rect
        raw.FPDFText_GetLooseCharBox(self._page, index, self._pointer)
        left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
        if self._rotation == 0:
            return left, bottom, right, top
        if self._rotation == 90:
            return bottom, -right, top, -left
        return (-right, -top, -left, -bottom) if self._rotation == 180 else (-top, left, -bottom, right)


def _fragments(page: Any, text_page: Any, text: str) -> list[_Fragment]:
    """Return what stands on a page, in the order of its making; text that stands on its side is left out."""
    rotation = page.get_rotation()
    turned = _Turned(text_page, rotation)
    found: list[_Fragment] = []
    current: _Fragment | None = None
    for index, character in enumerate(text):
        if character in _ENDS:
            current = None
            continue
        if character.isspace():
            if current:
                current.text += " "
            continue
        box = turned.box(index)
        if current is None or not _follows(current, box):
            current = _Fragment(index, box, bold=_is_bold(text_page, index))
            found.append(current)
        current.text += character
        current.x1 = max(current.x1, box[2])
        if character == _HYPHEN:
            current = None
    return _upright(text_page, found, rotation)


def _follows(current: _Fragment, box: tuple[float, float, float, float]) -> bool:
    x0, y0, _, y1 = box
    height = current.y1 - current.y0
    if abs(y1 - y0 - height) > _OTHER_SIZE * height or abs(y0 - current.y0) > _OTHER_SIZE * height:
        return False
    return -0.5 * height < x0 - current.x1 < _WIDE * height


def _is_bold(text_page: Any, index: int) -> bool:
    if raw.FPDFText_GetFontWeight(text_page, index) >= 600:
        return True
    buffer = ctypes.create_string_buffer(200)
    raw.FPDFText_GetFontInfo(text_page, index, buffer, 200, ctypes.byref(ctypes.c_int()))
    return any(word in buffer.value.lower() for word in (b"bold", b"black", b"heavy"))


def _upright(text_page: Any, found: list[_Fragment], rotation: int) -> list[_Fragment]:
    aside = {id(each) for each in found if _leans(raw.FPDFText_GetCharAngle(text_page, each.start), rotation)}
    lost = sum(len(each.text) for each in found if id(each) in aside)
    if not lost or lost > _SHARE_ASIDE * sum(len(each.text) for each in found):
        return found
    return [each for each in found if id(each) not in aside]


def _leans(angle: float, rotation: int) -> bool:
    """Return whether text with an angle is not level, to whoever looks at the page; either sense of angles will do."""
    turns = (angle + radians(rotation), angle - radians(rotation))
    return all(abs(sin(turn)) > _ASIDE or cos(turn) < 0 for turn in turns)


def _page(document: Any, number: int, most: int) -> tuple[int, list[list[object]]]:
    """Return how many characters a page has, and its fragments; nothing of one that is broken, or has too many."""
    try:
        page = document[number]
        text_page = page.get_textpage()
    except pdfium.PdfiumError:
        return 0, []
    try:
        length = text_page.count_chars()
        found = _fragments(page, text_page, _text(text_page, length)) if length <= most else []
    finally:
        text_page.close()
        page.close()
    return length, [each.row() for each in found]


def _text(text_page: Any, length: int) -> str:
    """Return a page's text, one character for each of PDFium's."""
    text = str(text_page.get_text_range()) if length else ""
    if len(text) == length:
        return text
    return "".join(chr(raw.FPDFText_GetUnicode(text_page, index)) for index in range(length)).replace("\x02", _HYPHEN)


def _about(document: Any) -> dict[str, object]:
    said = document.get_metadata_dict()
    return {
        "pages": len(document),
        "title": said.get("Title"),
        "author": said.get("Author"),
        "language": _language(document),
        "bookmarks": list(_bookmarks(document)),
    }


def _language(document: Any) -> str:
    buffer = ctypes.create_string_buffer(_LANGUAGE_BYTES)
    length = raw.FPDFCatalog_GetLanguage(document, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), _LANGUAGE_BYTES)
    return buffer.raw[: max(0, min(length, _LANGUAGE_BYTES) - 2)].decode("utf-16-le", errors="replace")


def _bookmarks(document: Any) -> Iterator[tuple[str, int, int, float | None]]:
    """Yield the lines of the outline: title, depth, page, and how high on it, where that is said."""
    count = 0
    for each in document.get_toc(max_depth=_DEEPEST):
        target = each.get_dest()
        page = target.get_index() if target else None
        title = " ".join(each.get_title().split())
        if title and page is not None:
            view, numbers = target.get_view()
            top = numbers[1] if view == raw.PDFDEST_VIEW_XYZ and len(numbers) > 1 else None
            yield title, each.level, page, top or None
            count += 1
        if count >= _MOST_BOOKMARKS:
            return


def _limit(memory: int, seconds: int) -> None:
    """Let the system end this program where it takes more memory, or more work from now on."""
    if resource is None:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime) + seconds
    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CPU, until), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _say(what: object) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


def main(path: str, memory: int, seconds: int, most: int, first: int) -> None:
    """Write what is in a PDF, from a page on, as far as it can be read."""
    _limit(memory, seconds)
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        _say({"error": error.err_code})
        return
    _say(_about(document))
    for number in range(first, len(document)):
        _limit(memory, seconds)
        _say(_page(document, number, most))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
