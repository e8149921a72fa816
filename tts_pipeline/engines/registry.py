"""Which engines are there, and which is the best for a language?"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple, TypeVar

from tts_pipeline.engines.base import Engine, VoiceSettings, primary, speaks
from tts_pipeline.engines.guarded import Guarded, told
from tts_pipeline.errors import SpeechFailed, UnknownEngine, UnusableVoice

T = TypeVar("T")

GROUP = "tts_pipeline.engines"
"""The group of entry points; each is called without arguments, and returns an Engine or raises UnusableVoice."""
COMMAND = "command:"
"""What begins the name of an engine that is a program."""
_MOST_NAMED = 12

# Known also where the package runs without having been installed.
_OURS = {
    "hibari": "tts_pipeline.engines.hibari:HibariEngine",
    "pyttsx3": "tts_pipeline.engines.pyttsx3:Pyttsx3Engine",
    "espeak": "tts_pipeline.engines.espeak:EspeakEngine",
    "tone": "tts_pipeline.engines.tone:ToneEngine",
}


class Availability(NamedTuple):
    """An engine, and why it can't be used; None where it can."""

    name: str
    reason: str | None


@cache
def engine(name: str) -> Guarded:
    """Return an engine by its name, or `command:PROGRAM ARGUMENTS`; the same one each time in a process."""
    if name.startswith(COMMAND):
        return Guarded("command", _program(name.removeprefix(COMMAND)))
    check_known(name)
    try:
        return Guarded(name, _known()[name].load()())
    except UnusableVoice:
        raise
    except Exception as error:
        raise UnusableVoice(name, f"it can't be loaded: {told(error)}") from error


def fingerprint(name: str, settings: VoiceSettings) -> str:
    """Return what changes whenever a text may sound otherwise that an engine speaks with these settings."""
    return engine(name).fingerprint_for(settings)


def check_known(name: str) -> None:
    """Raise UnknownEngine where no engine has this name; whether it can be used here is another question."""
    known = _known()
    if name not in known and not name.startswith(COMMAND):
        raise UnknownEngine(name, [*known, f"{COMMAND}PROGRAM"])


def available() -> tuple[Availability, ...]:
    """Return every engine that is known, and whether it can be used here."""
    return tuple(Availability(name, _reason(name)) for name in _known())


def auto(language: str) -> Engine:
    """Return the best engine here for a language; raises UnusableVoice with the reasons of all where none speaks it."""
    return best(language, lambda found: found)


def best(language: str, use: Callable[[Guarded], T]) -> T:
    """Return what comes of using the best engine here for a language, or the next best where that fails.

    Raises UnusableVoice with the reasons of all where none is left.
    """
    reasons: dict[str, list[str]] = {}
    for name in (*(("hibari",) if primary(language) == "en" else ()), "pyttsx3", "espeak"):
        try:
            found = engine(name)
            if speaks(found.languages, language):
                return use(found)
            reason = what_speaks(found)
        except (UnusableVoice, SpeechFailed) as error:
            reason = error.reason
        reasons.setdefault(reason, []).append(name)
    told_by_all = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())
    raise UnusableVoice("auto", f"nothing here speaks {language!r} as asked ({told_by_all})")


def what_speaks(found: Engine) -> str:
    """Say what an engine speaks, for somebody who asked for another language."""
    known = sorted(found.languages)
    if len(known) <= _MOST_NAMED:
        return f"it speaks {', '.join(known)}"
    return f"it speaks {len(known)} others, see tts-pipeline voices --language all"


def _known() -> dict[str, EntryPoint]:
    ours = {name: EntryPoint(name, target, GROUP) for name, target in _OURS.items()}
    return ours | {found.name: found for found in entry_points(group=GROUP)}


def _reason(name: str) -> str | None:
    try:
        engine(name)
    except UnusableVoice as error:
        return error.reason
    return None


def _program(line: str) -> Engine:
    from tts_pipeline.engines.command import CommandEngine

    try:
        return CommandEngine(shlex.split(line))
    except ValueError as error:
        raise UnusableVoice("command", f"{line!r}: {error}") from error
