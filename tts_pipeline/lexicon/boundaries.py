"""Where does a word begin and end?

Between a letter or digit and anything else, and:

- a mark belongs to the letter before it;
- a hyphen divides words;
- an apostrophe between letters does not (don't, aujourd'hui, O'Brien), but an article or pronoun before it and an
  ending behind it are no part of the word (l'été, d'Artagnan, Mary's, she'll; in Turkish any ending, İstanbul'da);
- a full stop or comma between digits does not (3.14), nor a full stop behind a single letter (e.g., U.S.A.), nor
  the dot of Catalan (col·legi), nor the mark in a Hebrew abbreviation;
- Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan are written without spaces: there a word may begin and end
  between any two characters.
"""

from __future__ import annotations

from functools import lru_cache

import regex

from tts_pipeline.lexicon.languages import primary

_UNSPACED = (
    r"\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}"
)
_IN_WORDS = r"\p{L}\p{N}\p{M}_\u200c\u200d"
_R = rf"(?:(?![{_UNSPACED}])[{_IN_WORDS}])"
_APOSTROPHE = "['’ʼ]"
_GERESH = r'["\u05f3\u05f4]'
_POINT = r"[.,\u066b\u066c]"
"""Of numbers, the Arabic ones among them."""
_BEFORE = (
    "c|d|j|l|m|n|s|t|z|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|"
    "v|un|all|dall|dell|nell|sull|coll|quell|quest|bell|sant|nessun|gl|com|dov|anch"
)
"""What French, Italian, Catalan and their neighbours write before an apostrophe, in front of another word."""
_BEHIND = "s|d|ll|ve|re|m"
"""What English and its neighbours write behind an apostrophe, at the end of another word; never the t of don't."""

UNIT = regex.compile(rf"[[{_IN_WORDS}]--[{_UNSPACED}]]+|\S", regex.V1)
"""What words are looked up by: letters and digits up to the next of something else, which is a unit by itself."""


@lru_cache
def within(language: str) -> str:
    """Return the regular expression for a place in a word: no word begins or ends there."""
    ending = rf"{_R}+" if primary(language) in ("tr", "az") else rf"(?i:{_BEHIND})"
    places = (
        r"(?=[\p{M}\u200d])",
        rf"(?<={_R})(?={_R})",
        rf"(?<={_R})(?={_APOSTROPHE}{_R})(?!{_APOSTROPHE}{ending}(?!{_R}|{_APOSTROPHE}{_R}))",
        rf"(?<={_R}{_APOSTROPHE})(?={_R})(?<!(?<!{_R}|{_APOSTROPHE})(?i:{_BEFORE}){_APOSTROPHE})",
        rf"(?<={_R})(?=·{_R})|(?<={_R}·)(?={_R})",
        rf"(?<=\p{{Hebrew}})(?={_GERESH}\p{{Hebrew}})|(?<=\p{{Hebrew}}{_GERESH})(?=\p{{Hebrew}})",
        rf"(?<=\p{{N}})(?={_POINT}\p{{N}})|(?<=\p{{N}}{_POINT})(?=\p{{N}})",
        rf"(?<=(?<!{_R})\p{{L}}\p{{M}}*)(?=\.{_R})|(?<=(?<!{_R})\p{{L}}\p{{M}}*\.)(?={_R})",
    )
    return f"(?:{'|'.join(places)})"


class Boundaries:
    """The places of one text in one language."""

    def __init__(self, text: str, language: str) -> None:
        self._text, self._within = text, regex.compile(within(language))

    def at(self, place: int) -> bool:
        """Say whether a word may begin or end there."""
        return self._within.match(self._text, place) is None

    def tears(self, place: int) -> bool:
        """Say whether a letter would lose its mark there."""
        return _MARK.match(self._text, place) is not None


_MARK = regex.compile(r"[\p{M}\u200d]")
