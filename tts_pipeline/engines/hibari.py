"""How does hibari, a small neural voice, speak English?"""

from __future__ import annotations

import hashlib
from functools import cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tts_pipeline.engines import signs
from tts_pipeline.engines.base import Clip, Voice, VoiceSettings, speaks
from tts_pipeline.engines.plain import plain
from tts_pipeline.engines.samples import Samples
from tts_pipeline.errors import SpeechFailed, UnusableVoice

_NAME = "hibari"
_FULL = 32_767


class HibariEngine:
    """The voices of hibari that are on this machine."""

    name = _NAME
    deterministic = True
    languages = frozenset({"en"})

    def __init__(self) -> None:
        """Load nothing yet; raises UnusableVoice where there is nothing to load."""
        if find_spec("hibari") is None:
            raise UnusableVoice(_NAME, "hibari-tts is not installed: pip install 'tts-pipeline[neural]'")

    def voices(self) -> tuple[Voice, ...]:
        return tuple(
            Voice(
                name=name,
                languages=(facts["language"],),
                engine=_NAME,
                gender=facts["gender"],
                description=f"{facts['accent']} English",
            )
            for name, facts in _registered().items()
            if _file(name) is not None
        )

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        voice = _voice_for(settings)
        model = _model(voice)
        # A link would be taken for a word and how it is pronounced, and what it leads to left out.
        said = plain(text).replace("](", "] (")
        said = signs.spelled(said, partial(_is_dropped, voice))
        if missed := _unread(said, model):
            raise SpeechFailed(_NAME, text, f"it can't read {missed!r}", can_retry=False)
        sound = model(said, speed=settings.rate, seed=settings.take)
        if not len(sound) or not any(map(str.isalnum, said)):
            raise SpeechFailed(_NAME, text, "there is nothing to say", can_retry=False)
        return Clip(_sixteen_bits(sound, settings.volume), model.sample_rate)

    def usual_voice(self, language: str) -> str:
        return _usual_voice(language)

    def fingerprint(self) -> str:
        return _fingerprint()


def _voice_for(settings: VoiceSettings) -> str:
    if not speaks(HibariEngine.languages, settings.language):
        raise UnusableVoice(_NAME, f"it speaks English only, not {settings.language!r}")
    if settings.pitch != 1:
        raise UnusableVoice(_NAME, "its voices have no pitch that can be set")
    name = settings.voice or _usual_voice(settings.language)
    if name not in _registered():
        raise UnusableVoice(name, f"hibari has {', '.join(_registered())}")
    if _file(name) is None:
        raise UnusableVoice(name, f"it is not on this machine; fetch it once with: hibari --voice {name} Hello")
    return name


def _usual_voice(language: str) -> str:
    """Return the first voice here with the accent of a tag, else the one that is always there."""
    from hibari.voices import DEFAULT

    accent = language.replace("_", "-").lower()
    alike = (name for name, facts in _registered().items() if facts["language"].lower() == accent and _file(name))
    return next(alike, str(DEFAULT))


def _registered() -> dict[str, dict[str, Any]]:
    from hibari.voices import VOICES

    return dict(VOICES)


def _file(name: str) -> Path | None:
    """Return where a voice lies; never fetches one, as a worker should not depend on the network."""
    from hibari.voices import voice_path

    try:
        return Path(voice_path(name, download_missing=False))
    except FileNotFoundError:
        return None


@cache
def _model(name: str) -> Any:
    from hibari import Hibari

    return Hibari(voice=name, threads=1)


def _unread(text: str, model: Any) -> str | None:
    """Return the first word in another script of which nothing would be heard: it leaves those out silently."""
    foreign = (word for word in text.split() if any(map(str.isalpha, word)) and not _has_latin(word))
    return next((word for word in foreign if not model.phonemize(word)), None)


@cache
def _is_dropped(voice: str, sign: str) -> bool:
    """Say whether a sign is heard neither between numbers nor before one."""

    def heard(text: str) -> str:
        return "".join(_model(voice).phonemize(text)).replace(" ", "")

    return heard(f"1 {sign} 2") == heard("1 2") and heard(f"{sign}2") == heard("2")


def _has_latin(word: str) -> bool:
    return any(letter.isalpha() and letter < "\u0250" for letter in word)


def _sixteen_bits(sound: NDArray[np.float32], volume: float) -> Samples:
    return np.round(np.clip(sound, -1, 1) * (volume * _FULL)).astype(np.int16)


@cache
def _fingerprint() -> str:
    import hibari
    from hibari.dsp import FFT_BACKEND

    # What computes it rounds in its own way; the files of further voices are known by their hashes in the list.
    parts = [f"{name} {version(name)}" for name in ("hibari-tts", "onnxruntime", "numpy")]
    total = hashlib.blake2b(digest_size=16)
    for path in sorted(Path(hibari.__file__).with_name("assets").iterdir()):
        total.update(hashlib.blake2b(path.read_bytes()).digest())
    return ", ".join([*parts, f"fft {FFT_BACKEND}", f"data {total.hexdigest()}", f"signs {signs.VERSION}"])
