"""How loud is a clip?

Loudness is that of ITU-R BS.1770-4 (EBU R 128): the mean square of what the ear hears of a
sound, over blocks of 400 ms that overlap by three quarters, without those that are too soft
to count. The power of a step of 100 ms is found on its spectrum, which takes a tenth of the
time of a filter; four steps make a block. A clip is measured once, where it is rendered; what
is kept of it, two bytes a step, is enough to know how loud a chapter of many clips is.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tts_pipeline.audio.clips import Sound

STEP_MS = 100

_STEPS_IN_BLOCK = 4
_OFFSET = -0.691
_ABSOLUTE_GATE, _RELATIVE_GATE = -70.0, -10.0
_SCALE = 2
"""Units to a decibel, in a byte that counts down from the loudest that it can say."""
_TOP, _SOFTEST = 4.0, 255
_LOUDEST = 32768

_CLOCK = 48000
"""The standard's filters are given for this rate; their response holds at any."""
_SHELF = (
    (1.53512485958697, -2.69169618940638, 1.19839281085285),
    (1.0, -1.69065929318241, 0.73248077421585),
)
_HIGH_PASS = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Loudness:
    """What is kept of how loud a clip is: its power and its peak in each step of 100 ms, in decibels."""

    power: _Floats
    """Mean square of what the ear hears; a step that is not full counts as filled up with silence."""
    peak: _Floats
    """Of the samples."""

    @property
    def seconds(self) -> float:
        """How long it lasts, to a step."""
        return len(self.power) * STEP_MS / 1000

    def to_text(self) -> str:
        """Return it as about 27 characters a second, for a database or JSON."""
        units = np.clip(np.round((_TOP - np.stack([self.power, self.peak])) * _SCALE), 0, _SOFTEST)
        return base64.b64encode(units.astype(np.uint8).tobytes()).decode()

    @classmethod
    def from_text(cls, text: str) -> Loudness:
        """Return what to_text kept."""
        units = np.frombuffer(base64.b64decode(text), np.uint8).reshape(2, -1)
        power, peak = _TOP - units / _SCALE
        return cls(power, peak)


def measure(sound: Sound) -> Loudness:
    """Return how loud a clip is."""
    step = sound.rate * STEP_MS // 1000
    steps = np.zeros((-(-len(sound.samples) // step), step), np.int16)
    steps.reshape(-1)[: len(sound.samples)] = sound.samples
    spectrum = np.fft.rfft(steps).view(np.float64)  # in 64 bits: NumPy takes twice as long in 32
    # Never `@`: its threads wait by spinning, and take more time than all of this.
    power = np.einsum("sf,sf,f->s", spectrum, spectrum, _weights(sound.rate, step))
    highest, lowest = steps.max(axis=1, initial=0).astype(np.float64), steps.min(axis=1, initial=0).astype(np.float64)
    peak = np.maximum(highest, -lowest) / _LOUDEST
    return Loudness(decibels(power), 2 * decibels(peak))


def decibels(power: _Floats) -> _Floats:
    """Return powers in decibels, silence as very little."""
    return 10 * np.log10(np.maximum(power, 1e-20))


@cache
def _weights(rate: int, step: int) -> _Floats:
    """Return what the squares of a step's spectrum, real and imaginary parts in turn, add to its mean square."""
    turn = np.exp(-2j * np.pi * np.minimum(np.fft.rfftfreq(step, 1 / rate), _CLOCK / 2) / _CLOCK)
    response = np.abs(_response(_SHELF, turn) * _response(_HIGH_PASS, turn)) ** 2
    sides = np.full(len(turn), 2.0)
    sides[0] = 1
    if step % 2 == 0:
        sides[-1] = 1
    return np.repeat(response * sides / step**2 / _LOUDEST**2, 2)


def _response(
    coefficients: tuple[tuple[float, ...], tuple[float, ...]], turn: NDArray[np.complex128]
) -> NDArray[np.complex128]:
    above, below = (np.polynomial.polynomial.polyval(turn, one) for one in coefficients)
    return above / below


def integrated(power: _Floats) -> float | None:
    """Return the loudness in LUFS of a row of steps, each as its mean square; None where nothing is heard."""
    steps = np.pad(power, (0, max(0, _STEPS_IN_BLOCK - len(power))))
    blocks = np.convolve(steps, np.full(_STEPS_IN_BLOCK, 1 / _STEPS_IN_BLOCK), "valid")
    heard = blocks[_OFFSET + decibels(blocks) > _ABSOLUTE_GATE]
    if not len(heard):
        return None
    gate = heard.mean() * 10 ** (_RELATIVE_GATE / 10)
    return float(_OFFSET + 10 * np.log10(heard[heard > gate].mean()))
