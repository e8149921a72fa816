"""How is a text of one book said, where a voice would get it wrong?"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict

from tts_pipeline.lexicon.entry import Entry
from tts_pipeline.lexicon.forms import one_line, plain
from tts_pipeline.lexicon.wording import Wording

_SLASH = re.compile(r"[/\\]")


def book_name(written: str) -> str:
    """Return what is the same for names of the same book, however they are written."""
    return plain(one_line(written)).casefold()


class Section(BaseModel):
    """What holds for one book alone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    book: Annotated[str, AfterValidator(book_name)]
    """Its title, the name of its file, or its id."""
    entries: tuple[Entry, ...]


class Lexicon(BaseModel):
    """Words and patterns, and how they are said; false where there is none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    layers: tuple[tuple[Entry, ...], ...] = ()
    """Those of a layer count more than those of the next; patterns of a layer are tried in their order."""
    books: tuple[Section, ...] = ()
    """What was not yet asked for: it holds for no text."""

    def __bool__(self) -> bool:
        return bool(self.layers or self.books)

    def for_book(self, title: str, book_id: str | None = None, path: str | None = None) -> Lexicon:
        """Return what holds for a book: before the rest, what stands under its id, its file's name or its title."""
        names = [book_id, path and _SLASH.split(path.rstrip("/\\"))[-1], title]
        known = {section.book: section.entries for section in self.books}
        own = [known.get(name, ()) for name in dict.fromkeys(book_name(name) for name in names if name)]
        return Lexicon(layers=tuple(layer for layer in (*own, *self.layers) if layer))

    def spoken(self, text: str, language: str) -> str:
        """Return a text as it is said in a language; the same text where no entry touches it.

        Empty where nothing of it is to be said. Raises BadLexicon for a pattern that takes seconds at this text, and
        for entries that would make it many times as long.
        """
        if not self.layers:
            return text
        wording = self._wordings.get(language)
        if wording is None:
            wording = self._wordings[language] = Wording(self.layers, language)
        return wording.spoken(text)

    def dump(self) -> dict[str, Any]:
        """Return it as values that JSON has: the same for the same entries."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @classmethod
    def load(cls, dumped: dict[str, Any]) -> Self:
        """Return what was dumped."""
        return cls.model_validate(dumped)

    @cached_property
    def _wordings(self) -> dict[str, Wording]:
        return {}
