"""Which voices does espeak-ng have, and which of them speaks a language best?

Its data has a file per language, and others that change a voice of any language: lang/gmw/de
and voices/!v/f2 together are the voice gmw/de+f2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from tts_pipeline.engines.base import Voice, primary
from tts_pipeline.errors import UnusableVoice

_LINE = re.compile(r"^(name|language|gender)\s+(\S[^\n]*?)\s*(?://.*)?$", re.MULTILINE)
_USUAL_RANK = 5
_MOST_NAMED = 4
"""Of those that one may have meant."""
_WITHOUT_DICTIONARY = frozenset({"gmq/fo", "trk/kaa", "art/xex"})
"""They speak by the rules of whatever language was spoken before."""
_UNSTEADY = frozenset({"Reed", "caleb", "robosoft2"})
"""The noise of two never begins anew; the third reads outside of a table, and spoils what is said after it."""


@dataclass(frozen=True)
class EspeakVoice:
    """A file of espeak-ng's data."""

    identifier: str
    name: str
    languages: tuple[tuple[int, str], ...]
    """The tags that it speaks, in small letters, each behind its rank: the lower, the better."""
    gender: str | None
    path: Path

    def is_called(self, name: str) -> bool:
        """Say whether it is known by this name: an identifier, the end of one, a name or a tag."""
        known = {self.identifier, self.path.name, self.name, *(tag for _, tag in self.languages)}
        return name.lower() in {one.lower() for one in known}

    def rank(self, language: str) -> tuple[int, int] | None:
        """Say how well it speaks a language: an exact tag before a relative of it; None for not at all."""
        asked = language.replace("_", "-").lower()
        exact = [(0, rank) for rank, tag in self.languages if tag == asked]
        return min(exact + [(1, rank) for rank, tag in self.languages if tag == primary(asked)], default=None)


@dataclass(frozen=True)
class Chosen:
    """A voice of a language, and what changes it."""

    base: EspeakVoice
    variant: EspeakVoice | None = None

    @property
    def identifier(self) -> str:
        """What espeak-ng knows it by."""
        return self.base.identifier + (f"+{self.variant.path.name}" if self.variant else "")


@dataclass(frozen=True, eq=False)
class Catalogue:
    """All that is in a folder of data."""

    bases: tuple[EspeakVoice, ...]
    variants: tuple[EspeakVoice, ...]

    @property
    def languages(self) -> frozenset[str]:
        """The first parts of all tags."""
        return frozenset(primary(tag) for base in self.bases for _, tag in base.languages)

    def choose(self, language: str, voice: str | None) -> Chosen:
        """Find a voice by its name, `base`, `base+variant` or `+variant`, or the best for a language."""
        return _chosen(self, language, voice)

    def voices(self, engine: str) -> tuple[Voice, ...]:
        """Describe every voice for people, as one of an engine."""
        bases = [_described(base, engine, "") for base in self.bases]
        return (*bases, *(_described(variant, engine, "+") for variant in self.variants))


@lru_cache(maxsize=1000)  # asked for each sentence, and not quick
def _chosen(known: Catalogue, language: str, voice: str | None) -> Chosen:
    base_name, _, variant_name = (voice or "").partition("+")
    ranked = [(rank, base.identifier, base) for base in known.bases if (rank := base.rank(language)) is not None]
    able = [base for _, _, base in sorted(ranked)]
    variant = _called(known.variants, variant_name, known.variants, "+") if variant_name else None
    if base_name:
        return Chosen(_called(known.bases, base_name, able), variant)
    if not able:
        raise UnusableVoice("espeak-ng", f"it does not speak {language!r}")
    return Chosen(able[0], variant)


def _called(known: Sequence[EspeakVoice], name: str, fitting: Sequence[EspeakVoice], sign: str = "") -> EspeakVoice:
    """Find a voice by its name; where there is none, those are told that are called almost so, or that fit."""
    found = next((one for one in known if one.is_called(name)), None)
    if found is not None:
        return found
    names = {called.lower(): called for one in known for called in (one.path.name, one.identifier, one.name)}
    alike = [names[close] for close in get_close_matches(name.lower(), names, _MOST_NAMED)]
    named = ", ".join(sign + one for one in alike or [one.identifier for one in fitting[:_MOST_NAMED]])
    raise UnusableVoice(sign + name, "espeak-ng has no such voice" + (f": {named} perhaps?" if named else ""))


def _described(voice: EspeakVoice, engine: str, sign: str) -> Voice:
    return Voice(
        name=sign + (voice.path.name if sign else voice.identifier),
        languages=tuple(tag for _, tag in sorted(voice.languages)) if not sign else (),
        engine=engine,
        gender=voice.gender,
        description=f"{voice.name}, for any language" if sign else voice.name,
    )


@cache
def catalogue(data: Path) -> Catalogue:
    """Read the voices in espeak-ng's folder of data."""
    bases = _read(data / "lang", _WITHOUT_DICTIONARY)
    return Catalogue(bases, _read(data / "voices" / "!v", _UNSTEADY))


def _read(folder: Path, left_out: frozenset[str]) -> tuple[EspeakVoice, ...]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    named = [(path.relative_to(folder).as_posix(), path) for path in files]
    return tuple(_voice(identifier, path) for identifier, path in named if identifier not in left_out)


def _voice(identifier: str, path: Path) -> EspeakVoice:
    lines = _LINE.findall(path.read_text(encoding="utf-8", errors="replace"))
    said = dict(reversed(lines))
    return EspeakVoice(
        identifier=identifier,
        name=said.get("name", path.name),
        languages=tuple(_ranked(value) for key, value in lines if key == "language"),
        gender=said.get("gender", "").split(" ")[0] or None,
        path=path,
    )


def _ranked(value: str) -> tuple[int, str]:
    tag, *rank = value.split()
    return (int(rank[0]) if rank else _USUAL_RANK), tag.lower()
