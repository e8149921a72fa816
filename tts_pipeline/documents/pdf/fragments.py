"""What is the smallest part of a page that its lines are made of?"""

from __future__ import annotations

from dataclasses import dataclass

HYPHEN = "\ufffe"
"""What PDFium makes of a hyphen at the end of a line."""


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
