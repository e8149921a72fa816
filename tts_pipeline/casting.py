"""Who speaks which language of a book?"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from tts_pipeline.book_settings import AUTO, Speech
from tts_pipeline.engines.base import VoiceSettings, primary, speaks
from tts_pipeline.engines.registry import auto, engine
from tts_pipeline.errors import UnusableVoice

_TRIAL = {"en": "One.", "fr": "Un.", "de": "Eins.", "es": "Uno.", "it": "Uno.", "pt": "Um."}
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
    chief = Role(engine=_engine_for(main, speech.engine), voice=speech.voice, language=main)
    _try_out(chief, speech)
    if speech.fallback_engine is not None:
        engine(speech.fallback_engine)
    return {main: chief} | {tag: _role(tag, chief, speech) for tag in set(languages) - {main}}


def _engine_for(language: str, asked: str) -> str:
    if asked == AUTO:
        return auto(language).name
    if not speaks(engine(asked).languages, language):
        raise UnusableVoice(asked, f"it does not speak {language!r}")
    return asked


def _role(language: str, chief: Role, speech: Speech) -> Role:
    if primary(language) == primary(chief.language):
        return chief  # a quotation from British English in an American book is no reason for another reader
    for asked in dict.fromkeys((speech.engine, AUTO, chief.engine)):
        try:
            role = Role(engine=_engine_for(language, asked), language=language)
            _try_out(role, speech)
        except UnusableVoice:
            continue
        return role
    return chief


def _try_out(role: Role, speech: Speech) -> None:
    """Find out before anything is queued that a voice is unknown, or has no such pitch."""
    if speech.voice is None and speech.pitch == 1 and speech.rate == 1 and speech.volume == 1:
        return
    engine(role.engine).synthesize(_TRIAL.get(primary(role.language), "1"), voice_settings(role, speech))


def voice_settings(role: Role, speech: Speech, take: int = 0) -> VoiceSettings:
    """Return what an engine is told."""
    return VoiceSettings(
        voice=role.voice, language=role.language, rate=speech.rate, pitch=speech.pitch, volume=speech.volume, take=take
    )
