"""What does a voice sound like that is the same on every machine, for tests of everything but speech?

Each word is one tone: as long as its letters, as high as its hash. All of it is done in whole
numbers, so that no processor and no library can round it otherwise.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np

from tts_pipeline.engines.base import ANY_LANGUAGE, Clip, Voice, VoiceSettings, Word
from tts_pipeline.engines.plain import plain
from tts_pipeline.engines.samples import Samples
from tts_pipeline.errors import SpeechFailed, UnusableVoice

RATE = 24_000
LETTER_MS = 60
_GAP_MS = 60
_FADE = RATE // 200
"""Five milliseconds, so that a tone begins and ends without a click."""
_LOUDEST = 12_000
_LOWEST, _SPAN = 150, 350
"""Hertz: of the lowest tone, and between it and the highest."""
_CYCLE = 1 << 16


class ToneEngine:
    """A deterministic voice that says nothing."""

    name = "tone"
    deterministic = True
    languages = frozenset({ANY_LANGUAGE})

    def voices(self) -> tuple[Voice, ...]:
        return (Voice(name="tone", languages=(ANY_LANGUAGE,), engine=self.name, description="Tones, for tests"),)

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        if settings.voice not in (None, "tone"):
            raise UnusableVoice(f"{settings.voice}", "the tone engine has one voice, which is called tone")
        heard = re.findall(r"\S+", plain(text))
        if not heard:
            raise SpeechFailed(self.name, text, "there is nothing to say", can_retry=False)
        gap = np.zeros(_length(_GAP_MS, settings), np.int16)
        parts: list[Samples] = []
        words: list[Word] = []
        at = 0
        for word in heard:
            words.append(Word(at, word))
            parts += (_tone(word, settings), gap)
            at += len(parts[-2]) + len(gap)
        return Clip(np.concatenate(parts), RATE, tuple(words))

    def fingerprint(self) -> str:
        return "tone-1"


def _length(milliseconds: int, settings: VoiceSettings) -> int:
    return RATE * milliseconds // round(settings.rate * 1000)


def _tone(word: str, settings: VoiceSettings) -> Samples:
    length = _length(LETTER_MS * len(word), settings)
    place = np.arange(length, dtype=np.int64)
    phase = place * _step(word, settings) % _CYCLE
    # Two parabolas: close to a sine, and made without one.
    half = _CYCLE // 2
    inside = phase % half
    wave = inside * (half - inside) * np.where(phase < half, 1, -1)
    fade = np.minimum(np.minimum(place, place[::-1]), _FADE)
    loudness = _LOUDEST * round(settings.volume * 1000) // 1000
    return (wave // (half // 4) * loudness // half * fade // _FADE).astype(np.int16)


def _step(word: str, settings: VoiceSettings) -> int:
    """How far in its cycle a tone gets from one sample to the next."""
    said = f"{settings.take}:{word}" if settings.take else word
    number = int.from_bytes(hashlib.blake2b(said.encode(), digest_size=4).digest())
    return (_LOWEST + number % _SPAN) * round(settings.pitch * 1000) * _CYCLE // (RATE * 1000)
