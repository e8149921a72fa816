"""Can this be a recording of that text?

The bounds are wide: a sentence is better heard as it is than thrown away for being unusual.
They catch what engines do when they fail: nothing, silence, noise, half a sentence, no end.
"""

from __future__ import annotations

import unicodedata

import numpy as np

from tts_pipeline.engines.base import Clip
from tts_pipeline.engines.samples import Samples
from tts_pipeline.errors import BadClip

_QUIETEST_PEAK = 100
"""50 dB below the loudest there is."""
_LIMIT = 32_760
_MOST_AT_LIMIT = 0.002
"""The share of samples at the limit from which on it is heard."""
_SLACK_SECONDS = 2.0
_MOST_SILENT_SECONDS = 5.0
"""In one piece, between two sounds. Voices pause for up to a second; however often they do is no matter."""

_Span = tuple[float, float]
_LATIN: _Span = (0.02, 0.4)
_LETTER: _Span = (0.02, 2.0)
"""Of another alphabet; a voice that does not know it may say the letter's name."""
_SYLLABLE: _Span = (0.05, 2.0)
"""A character that is a syllable or a word: Chinese, Japanese, Korean."""
_DIGIT: _Span = (0.02, 1.0)
_SIGN: _Span = (0.0, 3.0)
"""Silent, as a comma is, or spoken, as emoji are."""


def check(clip: Clip, text: str, rate: float = 1.0) -> None:
    """Raise BadClip with the reason if a clip is no recording of a text, spoken at a relative rate."""
    reason = _sounds_wrong(clip.samples) or _breaks_off(clip, rate) or _lasts_wrong(clip.seconds, text, rate)
    if reason:
        raise BadClip(text, reason)


def _sounds_wrong(samples: Samples) -> str | None:
    if not len(samples):
        return "it is empty"
    loudness = np.abs(samples.astype(np.int32))
    if loudness.max() < _QUIETEST_PEAK:
        return "it is silent"
    share = np.count_nonzero(loudness >= _LIMIT) / len(samples)
    return f"it is clipped: {share:.1%} of it is as loud as can be" if share > _MOST_AT_LIMIT else None


def _breaks_off(clip: Clip, rate: float) -> str | None:
    """Say so where the voice stays away; silence at the ends is cut off anyway."""
    heard = np.flatnonzero(np.abs(clip.samples.astype(np.int32)) >= _QUIETEST_PEAK)
    longest = int(np.diff(heard).max(initial=0)) / clip.rate
    return f"it is silent for {longest:.1f} s in the middle" if longest > _MOST_SILENT_SECONDS / rate else None


def _lasts_wrong(seconds: float, text: str, rate: float) -> str | None:
    spans = [_span(character) for character in text]
    least = sum(low for low, _ in spans) / rate
    most = (_SLACK_SECONDS + sum(high for _, high in spans)) / rate
    if least <= seconds <= most:
        return None
    bound = f"at least {least:.1f} s" if seconds < least else f"at most {most:.1f} s"
    return f"it lasts {seconds:.1f} s, where {len(text)} characters take {bound}"


def _span(character: str) -> _Span:
    """Say how many seconds a character takes, at least and at most."""
    if character.isspace():
        return 0.0, 0.0
    if not character.isalnum():
        return _SIGN
    if not character.isalpha():
        return _DIGIT
    if character < "\u0250":
        return _LATIN
    return _SYLLABLE if unicodedata.east_asian_width(character) in "WF" else _LETTER
