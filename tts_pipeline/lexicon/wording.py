"""How is a text said in one language?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tts_pipeline.lexicon.entry import Entry
from tts_pipeline.lexicon.errors import BadLexicon
from tts_pipeline.lexicon.forms import composed, plain
from tts_pipeline.lexicon.languages import closeness
from tts_pipeline.lexicon.patterns import Pattern, TooSlow, prepared
from tts_pipeline.lexicon.spans import Span, Taken, spoken
from tts_pipeline.lexicon.words import Words

_LEAST_LIMIT = 2000
_GROWTH = 10
"""How many times its own length a text may be as it is said."""

Layers = Sequence[Sequence[Entry]]


class Wording:
    """The entries that hold for one language, ready to be found."""

    def __init__(self, layers: Layers, language: str) -> None:
        entries = list(_ranked(layers, language))
        self._patterns = [(entry, _ready(entry, language)) for entry in entries if entry.pattern]
        self._words = Words([entry for entry in entries if not entry.pattern], language)

    def spoken(self, text: str) -> str:
        """Return a text as it is said: each part of it replaced once at most, and nothing that was put in."""
        whole = composed(text)
        spans = list(self._found(whole))
        if not spans:
            return text
        _check_growth(whole, spans)
        return spoken(whole, spans)

    def _found(self, text: str) -> Iterator[Span]:
        taken = Taken(len(text))
        for entry, pattern in self._patterns:
            for span in _spans(entry, pattern, text):
                if taken.is_free(span.start, span.end):
                    taken.take(span)
                    yield span
        yield from self._words.spans(plain(text), taken)


def _spans(entry: Entry, pattern: Pattern, text: str) -> list[Span]:
    try:
        return list(pattern.spans(text))
    except TooSlow as error:
        raise BadLexicon("", f"pattern {entry.written!r:.80}", str(error)) from error


def _ranked(layers: Layers, language: str) -> Iterator[Entry]:
    """Yield what holds for a language, what counts most first: layer by layer, what names the language most exactly."""
    for layer in layers:
        held = [(close, entry) for entry in layer if (close := closeness(entry.language, language)) is not None]
        held.sort(key=lambda one: (-one[0], not one[1].pattern and one[1].ignores_case))
        yield from (entry for _, entry in held)


def _ready(entry: Entry, language: str) -> Pattern:
    return prepared(entry.written, entry.say, language, ignores_case=entry.ignores_case, whole=entry.whole)


def _check_growth(text: str, spans: Sequence[Span]) -> None:
    limit = max(_LEAST_LIMIT, _GROWTH * len(text))
    if sum(len(span.say) for span in spans) > limit:
        longest = max(spans, key=lambda span: len(span.say))
        written = text[longest.start : longest.end]
        raise BadLexicon("", f"{written!r:.80}", f"{text!r:.80} would become longer than {limit} characters")
