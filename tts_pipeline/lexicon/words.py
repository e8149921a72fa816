"""Which words of a text have an entry?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tts_pipeline.lexicon.boundaries import UNIT, Boundaries
from tts_pipeline.lexicon.entry import Entry
from tts_pipeline.lexicon.forms import Folded, folded
from tts_pipeline.lexicon.spans import Span, Taken


class Words:
    """The words that hold for one language, the first of those that are alike counting most.

    They are known by their first unit, or by their first letter where they may begin anywhere, with the lengths that
    those which begin so have: that a text has none of them is seen at once, however many entries there are.
    """

    def __init__(self, entries: Iterable[Entry], language: str) -> None:
        self._language = language
        self._entries: dict[str, list[Entry]] = defaultdict(list)
        self._whole: dict[str, set[int]] = defaultdict(set)
        self._loose: dict[str, set[int]] = defaultdict(set)
        for entry in entries:
            key = folded(entry.written, language)
            self._entries[key].append(entry)
            if entry.whole:
                self._whole[UNIT.findall(key)[0]].add(len(key))
            else:
                self._loose[key[0]].add(len(key))

    def spans(self, written: str, taken: Taken) -> Iterator[Span]:
        """Yield what they find in a plain text beside what is taken: from its start on, at each place the longest."""
        text = Folded(written, self._language)
        places = self._places(text.text)
        if not places:
            return
        search, done = _Search(text, Boundaries(written, self._language), taken), 0
        for place in sorted(places):
            start = text.at(place)
            span = self._longest(search, place, places[place]) if start is not None and start >= done else None
            if span:
                yield span
                done = span.end

    def _places(self, text: str) -> dict[int, set[int]]:
        """Return where a word may begin, and which lengths it may have."""
        places: dict[int, set[int]] = {}
        if not self._whole.keys().isdisjoint(UNIT.findall(text)):
            places = {unit.start(): self._whole[unit[0]] for unit in UNIT.finditer(text) if unit[0] in self._whole}
        if not self._loose.keys().isdisjoint(text):
            for place, letter in enumerate(text):
                if letter in self._loose:
                    places[place] = places.get(place, set()) | self._loose[letter]
        return places

    def _longest(self, search: _Search, place: int, lengths: set[int]) -> Span | None:
        for length in sorted(lengths, reverse=True):
            for entry in self._entries.get(search.text.text[place : place + length], ()):
                span = search.span(entry, place, place + length)
                if span:
                    return span
        return None


@dataclass(frozen=True)
class _Search:
    """A text in which words are looked for."""

    text: Folded
    boundaries: Boundaries
    taken: Taken

    def span(self, entry: Entry, first: int, last: int) -> Span | None:
        """Return what an entry makes of what looks like it, None where it is something else."""
        start, end = self.text.at(first), self.text.at(last)
        if start is None or end is None or not self.taken.is_free(start, end):
            return None
        if not (entry.ignores_case or self.text.written[start:end] == entry.written):
            return None
        return Span(start, end, entry.say) if self._is_apart(entry, start, end) else None

    def _is_apart(self, entry: Entry, start: int, end: int) -> bool:
        if entry.whole:
            return self.boundaries.at(start) and self.boundaries.at(end)
        return not (self.boundaries.tears(start) or self.boundaries.tears(end))
