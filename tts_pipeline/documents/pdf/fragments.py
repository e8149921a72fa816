"""Which characters of a page stand right behind each other?"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

from pypdfium2 import raw

HYPHEN = "\ufffe"
"""What PDFium makes of a hyphen at the end of a line."""
_ENDS = frozenset("\r\n")
_WIDE = 0.9
"""The gap, in heights of a line, that may be more than a space."""
_OTHER_SIZE = 0.2
_ASIDE = 0.3
"""How far, as the sine of its angle, a line may lean."""
_SHARE_ASIDE = 0.2


@dataclass(slots=True)
class Fragment:
    """Characters of one size on one line, from left to right."""

    start: int
    """Its first character's place in the page's text."""
    text: str
    x0: float
    x1: float
    y0: float
    y1: float
    bold: bool = False

    @property
    def height(self) -> float:
        return self.y1 - self.y0


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


def fragments(page: Any, text_page: Any, text: str) -> list[Fragment]:
    """Return what stands on a page, in the order of its making; text that stands on its side is left out."""
    rotation = page.get_rotation()
    turned = _Turned(text_page, rotation)
    found: list[Fragment] = []
    current: Fragment | None = None
    for index, character in enumerate(text):
        if character in _ENDS:
            current = None
            continue
        if character.isspace():
            if current:
                current.text += " "
            continue
        x0, y0, x1, y1 = turned.box(index)
        if current is None or not _follows(current, x0, y0, y1):
            current = Fragment(index, "", x0, x1, y0, y1, _is_bold(text_page, index))
            found.append(current)
        current.text += character
        current.x1 = max(current.x1, x1)
        if character == HYPHEN:
            current = None
    return _upright(text_page, found, rotation)


def _follows(current: Fragment, x0: float, y0: float, y1: float) -> bool:
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


def _upright(text_page: Any, found: list[Fragment], rotation: int) -> list[Fragment]:
    aside = {id(each) for each in found if _leans(raw.FPDFText_GetCharAngle(text_page, each.start), rotation)}
    lost = sum(len(each.text) for each in found if id(each) in aside)
    if not lost or lost > _SHARE_ASIDE * sum(len(each.text) for each in found):
        return found
    return [each for each in found if id(each) not in aside]


def _leans(angle: float, rotation: int) -> bool:
    """Return whether text with an angle is not level, to whoever looks at the page; either sense of angles will do."""
    turns = (angle + radians(rotation), angle - radians(rotation))
    return all(abs(sin(turn)) > _ASIDE or cos(turn) < 0 for turn in turns)
