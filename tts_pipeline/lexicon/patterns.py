"""Which parts of a text does a regular expression find, and what is said for each?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from tts_pipeline.lexicon.boundaries import within
from tts_pipeline.lexicon.forms import one_line
from tts_pipeline.lexicon.spans import Span

SECONDS = 2.0
"""Of the processor, for one pattern in one text; the text is a sentence, and needs microseconds."""
_TRIAL_SECONDS = 0.5
_TRIAL_SIZE = 300
_REFERENCE = re.compile(r"\\(?:(\d{1,2})|g<(\w+)>|(\\)|)")
_CALLS_ITSELF = re.compile(r"\((?:\?(?:R|&|P>|[+-]?\d))")
_MOST_GROUPS = 100
_Part = str | int


class TooSlow(Exception):
    """A pattern needs more time or memory than a text is worth."""


@dataclass(frozen=True)
class Pattern:
    """A regular expression that is ready to be used in one language."""

    anywhere: regex.Pattern[str]
    """What may be found: quick where nothing is."""
    found: regex.Pattern[str]
    """The same where it is found as it should be: whole words, as a rule."""
    parts: tuple[_Part, ...]
    """What is said: texts, and numbers of groups."""

    def spans(self, text: str) -> Iterator[Span]:
        """Yield what it finds; raises TooSlow."""
        try:
            if self.anywhere.search(text, timeout=SECONDS):
                yield from (self._span(match) for match in self.found.finditer(text, timeout=SECONDS) if match[0])
        except (TimeoutError, MemoryError) as error:
            raise TooSlow(f"it takes too long at {text!r:.80}") from error

    def _span(self, match: regex.Match[str]) -> Span:
        said = "".join(part if isinstance(part, str) else match[part] or "" for part in self.parts)
        return Span(*match.span(), one_line(said))


def prepared(written: str, say: str, language: str, *, ignores_case: bool, whole: bool) -> Pattern:
    """Return a pattern that was checked, for one language."""
    flags = regex.IGNORECASE if ignores_case else 0
    anywhere = regex.compile(written, flags)
    end = "\n)" if anywhere.flags & regex.VERBOSE else ")"
    border = f"(?!{within(language)})"
    found = regex.compile(f"{border}(?:{written}{end}{border}", flags) if whole else anywhere
    return Pattern(anywhere, found, _parts(say, anywhere))


@lru_cache(maxsize=4096)
def check_pattern(written: str, say: str) -> None:
    """Raise ValueError where a pattern or what is said for it can't be understood."""
    if _CALLS_ITSELF.search(written):
        raise ValueError("a pattern can't call itself")
    if written.count("(") + written.count("[") > _MOST_GROUPS:
        raise ValueError(f"it has more than {_MOST_GROUPS} groups")
    try:
        compiled = regex.compile(written)
        prepared(written, say, "en", ignores_case=False, whole=True)
    except regex.error as error:
        raise ValueError(f"it is no regular expression: {error}") from error
    _parts(say, compiled)


def try_out(written: str) -> None:
    """Raise TooSlow for a pattern that takes its time with texts made to be hard for it."""
    compiled = regex.compile(written)
    for text in _hard_texts(written):
        try:
            compiled.search(text, timeout=_TRIAL_SECONDS)
        except (TimeoutError, MemoryError) as error:
            raise TooSlow(f"it takes too long at {text[:10]!r} again and again") from error


def _hard_texts(written: str) -> Iterator[str]:
    letters = list(dict.fromkeys("a1 " + "".join(filter(str.isalnum, written))))[:20]
    for part in (*letters, "ab", "a ", "1 ", "a1", "a.", "a, "):
        yield part * (_TRIAL_SIZE // len(part)) + "\n!"


def _parts(say: str, compiled: regex.Pattern[str]) -> tuple[_Part, ...]:
    """Divide what is said into texts and groups; raises ValueError for a group that there is not."""
    parts: list[_Part] = []
    at = 0
    for match in _REFERENCE.finditer(say):
        parts += [say[at : match.start()], _part(match, compiled)]
        at = match.end()
    return tuple(part for part in (*parts, say[at:]) if part != "")


def _part(match: re.Match[str], compiled: regex.Pattern[str]) -> _Part:
    number, name, backslash = match.groups()
    if backslash:
        return backslash
    asked = number or name
    if asked is None:
        raise ValueError(r"in what is said a backslash stands before a group, as \1 or \g<name>, or before another")
    group = int(asked) if asked.isdecimal() else compiled.groupindex.get(asked)
    if group is None or group > compiled.groups:
        raise ValueError(f"the pattern has no group {asked}")
    return group
