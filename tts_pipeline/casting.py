"""Who speaks which language of a book?"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from tts_pipeline.book_settings import AUTO, Speech
from tts_pipeline.engines.base import VoiceSettings, primary, speaks
from tts_pipeline.engines.guarded import Guarded
from tts_pipeline.engines.registry import best, engine, what_speaks
from tts_pipeline.errors import SpeechFailed, UnusableVoice

_TRIAL = {"en": "One.", "fr": "Un.", "de": "Eins.", "es": "Uno.", "it": "Uno.", "pt": "Um.", "ja": "いち。"}
"""What a voice is asked to say before a whole book is left to it; for other languages a number has to do."""


class Role(BaseModel):
    """An engine with one of its voices, for the sentences of one language."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: str
    voice: str | None = None
    language: str
    """In which it speaks: another than that of the text where nothing here speaks that one."""


def cast(languages: Iterable[str], main: str, speech: Speech) -> dict[str, Role]:
    """Return who speaks each language of a book; raises UnusableVoice where its main one can't be spoken as asked.

    A passage in a language that the asked engine does not speak goes to the best engine for it, and where there is
    none, to the book's own voice: a sentence with an accent is better than one that is missing.
    """
    chief = _found(speech.engine, main, speech, speech.voice)
    if speech.fallback_engine is not None:
        engine(speech.fallback_engine)
    return {main: chief} | {tag: _role(tag, chief, speech) for tag in set(languages) - {main}}


def _role(language: str, chief: Role, speech: Speech) -> Role:
    if primary(language) == primary(chief.language):
        return chief  # a quotation from British English in an American book is no reason for another reader
    for asked in dict.fromkeys((speech.engine, AUTO, chief.engine)):
        with suppress(UnusableVoice):
            return _found(asked, language, speech)
    return chief


def _found(asked: str, language: str, speech: Speech, voice: str | None = None) -> Role:
    """Return who was asked for and has proved able, by the voice that it would take today where none was asked for."""

    def take(found: Guarded, name: str = asked) -> Role:
        role = Role(engine=name, voice=voice or found.usual_voice(language), language=language)
        prove(role, speech)
        return role

    if asked == AUTO:
        return best(language, lambda found: take(found, found.name))
    found = engine(asked)
    if not speaks(found.languages, language):
        raise UnusableVoice(asked, f"it does not speak {language!r}: {what_speaks(found)}")
    return take(found)


def prove(role: Role, speech: Speech) -> None:
    """Have a word spoken, once in this process; raises UnusableVoice where a book would be left to the wrong one.

    Afterwards, what a voice has to load is loaded.
    """
    _proof(engine(role.engine), role, speech)


@lru_cache(maxsize=100)
def _proof(found: Guarded, role: Role, speech: Speech) -> None:
    word = _TRIAL.get(primary(role.language), "1")
    try:
        found.synthesize(word, voice_settings(role, speech))
    except SpeechFailed as error:
        who = f"{role.voice} ({role.engine})" if role.voice else role.engine
        raise UnusableVoice(who, f"it failed at a word of trial, {word!r}: {error.reason}") from error


def voice_settings(role: Role, speech: Speech, take: int = 0) -> VoiceSettings:
    """Return what an engine is told."""
    return VoiceSettings(
        voice=role.voice, language=role.language, rate=speech.rate, pitch=speech.pitch, volume=speech.volume, take=take
    )
