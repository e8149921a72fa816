"""What if an engine, which anybody may have written, does not do what was agreed?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tts_pipeline.engines.base import Clip, Engine, Voice, VoiceSettings
from tts_pipeline.errors import PipelineError, SpeechFailed, UnusableVoice

T = TypeVar("T")
_LEAST_RATE, _MOST_RATE = 1_000, 768_000


class Guarded:
    """An engine whose failures, of whatever kind, come out as UnusableVoice or SpeechFailed, under its name."""

    def __init__(self, name: str, engine: Engine) -> None:
        self.name = name
        self._engine = engine

    @property
    def deterministic(self) -> bool:
        return self._asked("deterministic", lambda: bool(self._engine.deterministic))

    @property
    def languages(self) -> frozenset[str]:
        return self._asked("languages", lambda: frozenset(self._engine.languages))

    def voices(self) -> tuple[Voice, ...]:
        return self._asked("voices", lambda: tuple(map(_voice, self._engine.voices())))

    def fingerprint(self) -> str:
        return self._asked("fingerprint", lambda: _text(self._engine.fingerprint()))

    def fingerprint_for(self, settings: VoiceSettings) -> str:
        """Return the fingerprint for what is spoken so; that of the engine, where it knows no better."""
        of = getattr(self._engine, "fingerprint_for", None)
        return self.fingerprint() if of is None else self._asked("fingerprint", lambda: _text(of(settings)))

    def usual_voice(self, language: str) -> str | None:
        """Return the voice that it takes for a language where none is asked for; None where it does not tell."""
        of = getattr(self._engine, "usual_voice", None)
        return None if of is None else self._asked("usual voice", lambda: _text(of(language)))

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        try:
            clip = self._engine.synthesize(text, settings)
            wrong = _wrong(clip)
        except PipelineError:
            raise
        except Exception as error:
            raise SpeechFailed(self.name, text, told(error)) from error
        if wrong:
            raise SpeechFailed(self.name, text, wrong)
        return clip

    def _asked(self, what: str, answer: Callable[[], T]) -> T:
        try:
            return answer()
        except PipelineError:
            raise
        except Exception as error:
            raise UnusableVoice(self.name, f"asked for its {what}, it failed: {told(error)}") from error


def told(error: Exception) -> str:
    """Return what kind of error it is, and what it says, in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def _voice(given: Any) -> Voice:
    if not isinstance(given, Voice):
        raise TypeError(f"{given!r:.80} is no Voice")
    return given


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"{given!r:.80} is no text")
    return given


def _wrong(clip: Any) -> str | None:
    """Say what is wrong with what should be a clip of mono samples; of how it sounds nothing is said."""
    import numpy as np  # who only asks which voices there are needs none

    if not isinstance(clip, Clip):
        return f"it gave {type(clip).__name__}, which is no Clip"
    if not isinstance(clip.samples, np.ndarray) or clip.samples.dtype != np.int16 or clip.samples.ndim != 1:
        kind, shape = getattr(clip.samples, "dtype", type(clip.samples).__name__), np.shape(clip.samples)
        return f"it gave {kind} samples in the shape {shape}, not a row of int16"
    if not isinstance(clip.rate, int | np.integer) or not _LEAST_RATE <= clip.rate <= _MOST_RATE:
        return f"it gave {clip.rate!r:.80} samples a second"
    return None if len(clip.samples) else "it gave no sound"
