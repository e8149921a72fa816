"""In which form are texts and entries compared, and in which are they said?"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property

from tts_pipeline.lexicon.languages import primary

_JOINERS = "\u200c\u200d"
"""They are not seen, but are part of how words are written: Persian, Hindi, emoji."""
_ALIKE = str.maketrans({"’": "'", "ʼ": "'", "\u2010": "-", "\u2011": "-"} | dict.fromkeys("\t\n\r\u00a0\u202f", " "))
_TURKIC = str.maketrans({"I": "\N{LATIN SMALL LETTER DOTLESS I}", "İ": "i"})
_DOTTED = frozenset({"tr", "az"})
"""Languages that write one i with a dot and one without, in capitals too."""


def one_line(text: str) -> str:
    """Return a text in NFC, in one line, without anything that is neither seen nor heard."""
    return " ".join("".join(map(_visible, unicodedata.normalize("NFC", text))).split())


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zs", "Zl", "Zp"):
        return " "
    return "" if category in ("Cf", "Cs") and character not in _JOINERS else character


def composed(text: str) -> str:
    """Return a text with each letter and its accents as one character, where there is one."""
    return unicodedata.normalize("NFC", text)


def plain(text: str) -> str:
    """Return a text with one kind of apostrophe, hyphen and space, each character in its place."""
    return text if text.isascii() and "\n" not in text else text.translate(_ALIKE)


def folded(text: str, language: str | None) -> str:
    """Return what is the same for texts that differ in their case alone."""
    if language and primary(language) in _DOTTED:
        text = text.translate(_TURKIC)
    return text.casefold()


@dataclass(frozen=True)
class Folded:
    """A text with the form in which words are looked up in it."""

    written: str
    """Plain."""
    language: str | None

    @cached_property
    def text(self) -> str:
        """What is searched: some letters become two (ß → ss)."""
        return folded(self.written, self.language)

    def at(self, index: int) -> int | None:
        """Return which character of what is written begins at an index of what is searched, if one does."""
        return index if len(self.text) == len(self.written) else self._places.get(index)

    @cached_property
    def _places(self) -> dict[int, int]:
        places, at = {}, 0
        for place, character in enumerate(self.written):
            places[at] = place
            at += len(folded(character, self.language))
        return places | {at: len(self.written)}
