"""Which language is this, by the name that somebody gave it or by its commonest words?"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from heapq import nlargest

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
    "en": "the and of to in that was with his had not which you for she they this is it he her be at by have from are "
    "were but what there we my when who would said been their if will one could so no then them t don me as on an or "
    "him out up now very has into your its all do did",
    "fr": "le les des et une dans que qui est pas pour elle avec sur vous je la un en il du au ne se ce plus par mais "
    "son sa ses on nous leur comme tout cette ont était sont l d qu n s j c où y aux lui de à être été fait avait "
    "même si bien sans ils mon ma car rien ni m t cette ces dit deux peu encore",
    "de": "der die und das nicht ich ist sie mit sich den dem ein auf auch war es zu von eine im des in er wir so als "
    "wie an bei einen noch nur aber sind hat aus wenn einem einer was haben um über am vor nach zum zur mir du ihr "
    "hatte wurde man dass daß ihm ihn doch schon hier kein keine denn wird hatten ihre seine seinen waren man mehr",
    "es": "el los las y una que en del por con para como pero más había muy la de se un no su al lo le sus era es a "
    "me si ya cuando todo esta este está qué sin sobre fue yo mi te nos hasta donde porque o ella él son ha también "
    "desde entre tan sólo solo ni nada así porque estaba tenía dijo vez ser hay les unos casa muchos",
    "it": "il di che non la un per gli della è con una sono più era nel e i le a si da del in lo al ma come alla mi "
    "dei ha se ne nella o delle ci anche lui suo sua questo quando c l dell d all io cui ho degli dal molto tutto "
    "perché aveva poi così sul quella loro due dalla sulla nulla niente mio mia sia dove essere stato fu quel",
    "pt": "o os que não uma do da em com para ao mais seu ele mas como de a e um no na se por as dos eu das era foi "
    "sua ou quando muito nos já também só pelo pela até isso ela entre depois sem mesmo aos estava está lhe me é à "
    "são tem num numa às nem havia ser porque tinha disse pelos pelas essa esse foram sobre vez meu minha",
    "nl": "de het een van en dat niet met zijn voor hij op was ook maar aan in is te die er ik om als had uit bij nog "
    "door naar over ze zij wat we worden werd dan of hem haar waren kon tot geen heeft deze je toen zo mijn al",
}
"""The commonest words of each, and what is left of them before an apostrophe."""
_LANGUAGES_OF = {
    word: tuple(tag for tag, common in _COMMON.items() if word in common.split())
    for word in {word for common in _COMMON.values() for word in common.split()}
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
_LEAST_SHARE = 0.16
"""Of all words, those that must be common ones: in most texts a third or more are."""
_FEWEST = 2
_AHEAD = 1.25


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
    """Weigh the common words of each language, those that it has for itself most."""
    words = [word.lower() for word in _WORD.findall(text[:_SAMPLE])]
    scores: dict[str, float] = defaultdict(float)
    for word, count in Counter(words).items():
        tags = _LANGUAGES_OF.get(word, ())
        for tag in tags:
            scores[tag] += count / len(tags)
    (most, best), (next_most, _) = nlargest(2, [*((score, tag) for tag, score in scores.items()), (0, ""), (0, "")])
    is_clear = most >= max(_FEWEST, _LEAST_SHARE * len(words)) and most >= _AHEAD * next_most
    return best if is_clear else None
