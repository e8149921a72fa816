"""How much room does a book take, in the store and where it is published?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tts_pipeline.book_settings import Encoding, Publishing

_HOUR = 3600
_FLAC_SHARE = 0.65
"""Of its samples: more than any voice that we measured."""
_CONTAINER = 1.05
"""What a file has besides its packets."""


class Room(NamedTuple):
    """Bytes."""

    store: int = 0
    outputs: int = 0


def room_for(hours: float, wanted: Sequence[Publishing], rate: int) -> Room:
    """Return what so many hours of speech take at most as these files."""
    encodings = {each.encoding for each in wanted}
    store = _flac(rate) + sum(_encoded(each, rate) for each in encodings)
    outputs = sum(_samples(rate) if each.format == "wav" else _encoded(each.encoding, rate) for each in wanted)
    return Room(round(hours * store), round(hours * outputs))


def _encoded(encoding: Encoding, rate: int) -> float:
    settings = encoding.codec_settings(rate)
    return _flac(rate) if settings.is_lossless else settings.bit_rate / 8 * _HOUR * _CONTAINER


def _flac(rate: int) -> float:
    return _samples(rate) * _FLAC_SHARE


def _samples(rate: int) -> float:
    return rate * 2 * _HOUR
