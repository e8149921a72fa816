"""Where do sentences begin and end, in the language that they are written in?

The only module that knows sentencex. What it divides wrongly is joined again here: a pause in the
middle of "M. Dupont" is worse to listen to than one that is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sentencex

Span = tuple[int, int]
"""(start, end) in a text."""

_UNENDED = {
    "fr": r"\b(?:M|MM|Mme|Mmes|Mlle|Mgr|Me|St|Ste)\.",
    "de": r"(?<![\d.,])\d{1,2}\.|\b(?:[IVX]+|Hr|Fr|Frl)\.",
    "es": r"\b(?:Sr|Sra|Srta|D|Dña|Ud|Uds|Vd|Vds|Sto|Sta)\.",
    "it": r"\b(?:Sig|Sigg|Dott|Prof|Ing|Avv|On|S)\.",
    "pt": r"\b(?:Sr|Sra|Srta|D|Dr|Dra|Exmo|Sto|Sta)\.",
    "en": r"\b(?:Mr|Mrs|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lieut|Lt|Sgt|Messrs|Mme|Mlle|St|Esq)\.",
}
"""Ends of what is no sentence yet, though a full stop and a capital letter follow."""
_PATTERNS = {language: re.compile(rf"(?:{pattern})\s*\Z") for language, pattern in _UNENDED.items()}
_SHORTENED = re.compile(r"\b(?:[A-Z][a-z]{0,4}|[^\W\d_]{1,4})\.\s*\Z")
"""Such as Mass. or vol. or ii.: no sentence ends there if the next word is small."""
_COUNTING = re.compile(r"\b(?:pp?|pagg?|vols?|chs?|caps?|kap|bd|nos?|nr|figg?|figs|arts?)\.\s*\Z", re.IGNORECASE)
"""What a number follows in references."""
_WINDOW = 10_000
_WINDOW_ENDS = (". ", "! ", "? ", "。")
_LONGEST_UNENDED = 12


def sentences(text: str, language: str) -> list[Span]:
    """Return the sentences of a text: each begins where the one before it ends, the first at 0."""
    family = language.partition("-")[0].lower()
    unended = _PATTERNS.get(family)
    spans: list[Span] = []
    for span in _found(text, family):
        if spans and (_is_unended(text, spans[-1], unended) or not _both_have_words(text, spans[-1], span)):
            spans[-1] = (spans[-1][0], span[1])
        else:
            spans.append(span)
    return spans


def _found(text: str, language: str) -> Iterator[Span]:
    """Yield what sentencex finds; it takes time by the square of a text in which quotations don't end."""
    for start, end in _windows(text):
        for boundary in sentencex.get_sentence_boundaries(language, text[start:end]):
            yield start + boundary["start_index"], start + boundary["end_index"]


def _windows(text: str) -> Iterator[Span]:
    start = 0
    while len(text) - start > _WINDOW:
        end = max(text.rfind(mark, start, start + _WINDOW) + 1 for mark in _WINDOW_ENDS)
        end = max(end, text.rfind(" ", start, start + _WINDOW) + 1) if end <= start else end
        end = end if end > start else start + _WINDOW
        yield start, end
        start = end
    yield start, len(text)


def _is_unended(text: str, span: Span, unended: re.Pattern[str] | None) -> bool:
    tail = text[max(span[0], span[1] - _LONGEST_UNENDED) : span[1]]
    following = text[span[1] : span[1] + 1]
    if (following.islower() and _SHORTENED.search(tail)) or (following.isdecimal() and _COUNTING.search(tail)):
        return True
    return unended is not None and bool(unended.search(tail))


def _both_have_words(text: str, *spans: Span) -> bool:
    return all(any(map(str.isalnum, text[start:end])) for start, end in spans)
