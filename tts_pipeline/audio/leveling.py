"""By what is a chapter multiplied to be as loud as every other?

Every chapter is brought to the same loudness by what was measured of its own clips, so that
none waits for the book. Where little is said in it, the voice's own gain is taken: one that
was measured of it saying numbers, which is the same whoever encodes the chapter, and when.
A limiter takes away some of what makes a voice loud; how much is known from the peaks that
stand beside the powers, and the gain makes up for it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecSettings
from tts_pipeline.audio.edit import fitted
from tts_pipeline.audio.loudness import STEP_MS, Loudness, integrated, measure
from tts_pipeline.engines.base import Engine, VoiceSettings
from tts_pipeline.errors import SpeechFailed

TARGET = -19.0
"""LUFS, of one channel: as loud as -16 LUFS from two."""
TRUE_PEAK = -3.0
LEAST_SECONDS = 10.0
"""Of speech; less says little of how loud a voice is."""

_LIMITED_SHARE = 0.7
"""Of a step's decibels above the ceiling: what its power loses where its peak is brought down to it."""
_MOST_MADE_UP, _MOST_GAIN = 6.0, 40.0
_CLOSE = 0.01
_ROUNDS = 40
_STEPS_PER_DECIBEL = 20
_NUMBERS = "1{0}, 2{0}, 3{0}; 4{0}!"
"""Spoken in any language, and, of the ways to write numbers that we tried, as loud as sentences are."""
_MOST_TEXTS = 40

_Floats = NDArray[np.float64]


def ceiling(settings: CodecSettings) -> float:
    """Return below which true peak a chapter is encoded, so that what is decoded stays below TRUE_PEAK."""
    return _ratio(TRUE_PEAK - settings.overshoot)


def chapter_gain(
    parts: Iterable[tuple[Loudness | None, int]], settings: CodecSettings, reference: Loudness | None = None
) -> float:
    """Return what a chapter's samples are multiplied with before the limiter.

    The parts are its items in order: how loud the clip is, None where nothing is said, and the pause after it in
    milliseconds. The reference is that of the voice, for a chapter that says little.
    """
    known = list(parts)
    spoken = sum(loudness.seconds for loudness, _ in known if loudness is not None)
    if spoken < LEAST_SECONDS and reference is not None:
        known = [(reference, 0)]
    power, peak = _row(known)
    return _ratio(round(_gain(power, peak, settings) * _STEPS_PER_DECIBEL) / _STEPS_PER_DECIBEL)


def reference(speaker: Engine, settings: VoiceSettings, rate: int) -> Loudness | None:
    """Return how loud a voice is at a book's sample rate; None where it can't say a number."""
    said: list[tuple[Loudness | None, int]] = []
    seconds = 0.0
    for number in range(_MOST_TEXTS):
        text = _NUMBERS.format(100 + number * 137 % 900)
        try:
            clip = fitted(speaker.synthesize(text, settings), rate)
        except SpeechFailed:
            continue
        said.append((measure(Sound(clip.samples, clip.rate)), 0))
        seconds += clip.seconds
        if seconds >= LEAST_SECONDS:
            break
    return Loudness(*_row(said)) if said else None


def _row(parts: Iterable[tuple[Loudness | None, int]]) -> tuple[_Floats, _Floats]:
    """Return the powers and peaks of a chapter step by step; a clip's last step is half a pause already."""
    powers, peaks = [np.zeros(0)], [np.zeros(0)]
    for loudness, pause_ms in parts:
        silence = np.full(max(0, round(pause_ms / STEP_MS - 0.5)), -np.inf)
        if loudness is not None:
            powers.append(loudness.power)
            peaks.append(loudness.peak)
        powers.append(silence)
        peaks.append(silence)
    return np.concatenate(powers), np.concatenate(peaks)


def _gain(power: _Floats, peak: _Floats, settings: CodecSettings) -> float:
    """Return the gain in decibels after which, limited, the row has the target's loudness."""
    loudness = integrated(10 ** (power / 10))
    if loudness is None:
        return 0.0
    over = peak - TRUE_PEAK + settings.overshoot
    gain = TARGET - loudness
    most = min(gain + _MOST_MADE_UP, _MOST_GAIN)
    for _ in range(_ROUNDS):
        limited = power - _LIMITED_SHARE * np.maximum(0, over + gain)
        missing = TARGET - gain - (integrated(10 ** (limited / 10)) or TARGET)
        gain = min(gain + missing, most)
        if abs(missing) < _CLOSE or gain == most:
            break
    return gain


def _ratio(decibels: float) -> float:
    return round(float(10 ** (decibels / 20)), 6)
