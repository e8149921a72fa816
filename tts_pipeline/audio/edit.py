"""How does a clip get ready to stand in a book: without silence around it, at the book's rate?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.resample import resampled
from tts_pipeline.engines.base import Clip, Word

VERSION = 1
"""Raised when the same clip would come out otherwise."""
MARGIN_MS = 40
"""What is left of the silence on each side: soft sounds begin and end below what counts as heard."""
_HEARD = 60
"""Louder than this, 55 dB below the loudest there is."""


def fitted(clip: Clip, rate: int) -> Clip:
    """Return a clip as the book takes it."""
    return at_rate(trimmed(clip), rate)


def trimmed(clip: Clip) -> Clip:
    """Cut the silence before and after a clip down to the margin; the pauses of a book are its own."""
    heard = np.flatnonzero(np.abs(clip.samples.astype(np.int32)) > _HEARD)
    if not len(heard):
        return clip
    margin = clip.rate * MARGIN_MS // 1000
    first = max(0, int(heard[0]) - margin)
    samples = clip.samples[first : int(heard[-1]) + 1 + margin]
    last = len(samples) - 1
    words = tuple(Word(min(max(0, word.first - first), last), word.text) for word in clip.words)
    return replace(clip, samples=samples, words=words)


def at_rate(clip: Clip, rate: int) -> Clip:
    """Return a clip at another sample rate."""
    if clip.rate == rate:
        return clip
    sound = resampled(Sound(clip.samples, clip.rate), rate)
    words = tuple(Word(word.first * rate // clip.rate, word.text) for word in clip.words)
    return Clip(sound.samples, rate, words)
