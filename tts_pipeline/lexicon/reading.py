"""Which entries are in a file?"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from tts_pipeline.lexicon.entry import Entry
from tts_pipeline.lexicon.errors import BadLexicon
from tts_pipeline.lexicon.languages import canonical
from tts_pipeline.lexicon.lexicon import Lexicon, Section, book_name
from tts_pipeline.lexicon.patterns import TooSlow, try_out

_OPTIONS = ("say", "case", "whole")
_QUOTES = "a word with anything but the letters a to z, digits, - and _ stands in quotes"


def read_lexicon(path: Path) -> Lexicon:
    """Read a lexicon; raises BadLexicon for the first thing that is wrong with it."""
    whole = _Part(str(path), _table(path))
    whole.check_keys("words", "patterns", "languages", "books")
    layer = tuple(whole.entries())
    return Lexicon(layers=(layer,) if layer else (), books=tuple(_sections(whole.part("books"))))


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadLexicon(str(path), "", error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise BadLexicon(str(path), "", "it is not in UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadLexicon(str(path), "", f"it is no TOML: {error}; {_QUOTES}") from error


def _sections(books: _Part) -> Iterator[Section]:
    """Yield what is meant for one book each, in an order that is not the file's."""
    found: dict[str, _Part] = {}
    for name in books.table:
        book = books.part(name)
        book.check_keys("words", "patterns", "languages")
        twin = found.setdefault(book_name(name), book)
        if twin is not book:
            book.refuse("", f"it is the same book as [{twin.name}]")
    for name, book in sorted(found.items()):
        entries = tuple(book.entries())
        if entries:
            yield Section(book=name, entries=entries)


@dataclass(frozen=True)
class _Part:
    """A table of the file, and what it is called there."""

    file: str
    table: Mapping[str, Any]
    name: str = ""
    language: str | None = None

    def refuse(self, entry: str, reason: str) -> NoReturn:
        """Raise BadLexicon for an entry of this table, or for all of it."""
        raise BadLexicon(self.file, " ".join(filter(None, (self.name and f"[{self.name}]", entry))), reason)

    def check_keys(self, *known: str) -> None:
        """Refuse what nobody would read."""
        for key in self.table:
            if key not in known:
                alike = get_close_matches(key, known, 1)
                hint = f"{alike[0]} perhaps?" if alike else f"here stand {', '.join(known)}"
                self.refuse(_quoted(key), f"there is no such key: {hint}")

    def part(self, key: str) -> _Part:
        """Return one of its tables, an empty one where it is not there."""
        name = f"{self.name}.{_quoted(key)}" if self.name else _quoted(key)
        found = self.table.get(key, {})
        if not isinstance(found, dict):
            self.refuse(_quoted(key), f"it is a table: [{name}]")
        return replace(self, table=found, name=name)

    def entries(self) -> Iterator[Entry]:
        """Yield all that holds in the same place: words as they are sorted, patterns as they stand in the file."""
        yield from self.part("words").words()
        yield from self._patterns()
        for part in self.part("languages").by_language():
            part.check_keys("words", "patterns")
            yield from part.entries()

    def by_language(self) -> list[_Part]:
        """Return its tables, each of which is for one language, in an order that is not the file's."""
        found: dict[str, _Part] = {}
        for tag in self.table:
            part = self.part(tag)
            try:
                language = canonical(tag)
            except ValueError as error:
                part.refuse("", str(error))
            if language in found:
                part.refuse("", "it stands there twice")
            found[language] = replace(part, language=language)
        return [found[language] for language in sorted(found)]

    def words(self) -> list[Entry]:
        """Return its entries, the order of which says nothing."""
        found: dict[str, Entry] = {}
        for key, value in self.table.items():
            entry = self._word(key, value)
            if entry.written in found:
                self.refuse(_quoted(key), "it stands there twice")
            found[entry.written] = entry
        return [found[written] for written in sorted(found)]

    def _word(self, key: str, value: object) -> Entry:
        options = {"say": value} if isinstance(value, str) else value
        if not isinstance(options, dict):
            self.refuse(_quoted(key), 'write what is said: "…", or { say = "…", case = "exact", whole = true }')
        if "." not in key and options and not options.keys() & set(_OPTIONS):
            self.refuse(_quoted(key), f"nothing says how it is said; {_QUOTES}")
        return self._entry(_quoted(key), {"written": key}, options)

    def _patterns(self) -> Iterator[Entry]:
        found = self.table.get("patterns", [])
        part = replace(self, name=f"{self.name}.patterns" if self.name else "patterns")
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            part.refuse("", f"it is a list of tables: [[{part.name}]]")
        for number, options in enumerate(found, 1):
            yield part.pattern(number, options)

    def pattern(self, number: int, options: Mapping[str, Any]) -> Entry:
        """Return an entry, which is known by its number and what it looks for."""
        called = f"{number}"
        if not isinstance(options.get("pattern"), str):
            self.refuse(called, "it has no pattern = '…'")
        called = f"{number}, {options['pattern']!r:.80}"
        rest = {key: value for key, value in options.items() if key != "pattern"}
        entry = self._entry(called, {"written": options["pattern"], "pattern": True}, rest)
        try:
            try_out(entry.written)
        except TooSlow as error:
            self.refuse(called, str(error))
        return entry

    def _entry(self, called: str, written: Mapping[str, Any], options: Mapping[str, Any]) -> Entry:
        unknown = [key for key in options if key not in _OPTIONS]
        if unknown:
            self.refuse(called, f"there is no {unknown[0]!r:.80}: known are {', '.join(_OPTIONS)}")
        if "say" not in options:
            self.refuse(called, 'it has no say = "…"')
        try:
            return Entry.model_validate({**written, **options, "language": self.language})
        except ValidationError as error:
            self.refuse(called, _reason(error))


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = "".join(f"{part}: " for part in first["loc"])
    return where + first["msg"].removeprefix("Value error, ")


def _quoted(key: str) -> str:
    bare = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return f"{key:.80}" if bare else json.dumps(f"{key:.80}", ensure_ascii=False)
