"""Which language is this, by the name that somebody gave it or by its commonest words?"""

from __future__ import annotations

import re
from collections import Counter

_NAMES = dict(
    pair.split(":")
    for pair in (
        "arabic:ar basque:eu bulgarian:bg catalan:ca chinese:zh croatian:hr czech:cs danish:da dutch:nl "
        "english:en esperanto:eo estonian:et finnish:fi french:fr galician:gl german:de greek:el hebrew:he "
        "hindi:hi hungarian:hu icelandic:is indonesian:id irish:ga italian:it japanese:ja korean:ko latin:la "
        "latvian:lv lithuanian:lt norwegian:nb persian:fa polish:pl portuguese:pt romanian:ro russian:ru "
        "serbian:sr slovak:sk slovenian:sl spanish:es swahili:sw swedish:sv turkish:tr ukrainian:uk "
        "vietnamese:vi welsh:cy "
    ).split()
)
_TAG = re.compile(r"[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)
_COMMON = {
    "en": "the and of to that was with his had not which you for she they this",
    "fr": "le les des et une dans que qui est pas pour elle avec sur vous je",
    "de": "der die und das nicht ich ist sie mit sich den dem ein auf auch war",
    "es": "el los las y una que en del por con para como pero más había muy",
    "it": "il di che non la un per gli della è con una sono più era nel",
    "pt": "o os que não uma do da em com para ao mais seu ele mas como",
    "nl": "de het een van en dat niet met zijn voor hij op was ook maar aan",
}
_SCRIPTS = (
    ("\u0370", "\u03ff", "el"),
    ("\u1f00", "\u1fff", "el"),
    ("\u0400", "\u052f", "ru"),
    ("\u0530", "\u058f", "hy"),
    ("\u0590", "\u05ff", "he"),
    ("\u0600", "\u06ff", "ar"),
    ("\u0900", "\u097f", "hi"),
    ("\u0980", "\u09ff", "bn"),
    ("\u0b80", "\u0bff", "ta"),
    ("\u0e00", "\u0e7f", "th"),
    ("\u10a0", "\u10ff", "ka"),
    ("\u3040", "\u30ff", "ja"),
    ("\u3400", "\u9fff", "zh"),
    ("\uac00", "\ud7af", "ko"),
)
"""Alphabets, and the language that most of what is written in each is in; Japanese is Chinese letters among its own."""
_UKRAINIAN = re.compile("[іїєґ]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 40_000
_LEAST = 20
"""Words that must be recognised before a language counts as recognised."""


def tag_of(name: str) -> str | None:
    """Return the BCP 47 tag for the English name of a language, or for what is a tag already."""
    first = re.split(r"[,;/(]| and ", name.strip())[0].strip()
    known = _NAMES.get(first.casefold())
    return known or normalised_tag(first)


def normalised_tag(tag: str | None) -> str | None:
    """Return a tag as BCP 47 writes it (en, pt-BR); None for what is no tag."""
    tag = (tag or "").strip().replace("_", "-")
    if not _TAG.fullmatch(tag) or tag.lower() in {"und", "zxx", "mul"}:
        return None
    first, *rest = tag.split("-")
    return "-".join([first.lower(), *(_subtag(part) for part in rest)])


def _subtag(part: str) -> str:
    by_length = {2: part.upper(), 4: part.title()}
    return by_length.get(len(part), part.lower())


def guessed(text: str) -> str | None:
    """Tell a language by its letters, or by its commonest words; None where it isn't clear."""
    return _by_letters(text[:_SAMPLE]) or _by_words(text)


def _by_letters(text: str) -> str | None:
    """Return the language that is written most in an alphabet of its own, where most of a text is in it."""
    letters = Counter(found for found in map(_script, filter(str.isalpha, text)))
    script, most = letters.most_common(1)[0] if letters else ("", 0)
    if 2 * most <= letters.total():
        return None
    if script == "zh" and letters["ja"] * 10 > most:
        return "ja"
    return "uk" if script == "ru" and _UKRAINIAN.search(text) else script or None


def _script(letter: str) -> str:
    return next((tag for first, last, tag in _SCRIPTS if first <= letter <= last), "")


def _by_words(text: str) -> str | None:
    counted = Counter(word.lower() for word in _WORD.findall(text[:_SAMPLE]))
    hits = Counter({tag: sum(counted[word] for word in words.split()) for tag, words in _COMMON.items()})
    (best, most), (_, next_most) = hits.most_common(2)
    return best if most >= _LEAST and most >= 1.5 * next_most else None
