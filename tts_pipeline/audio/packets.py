"""Where does one packet end in a stored chapter?

A stored chapter is a plain .aac (ADTS) or .mp3 file, which any player opens. We cut it at
the packets' own heads, since a demuxer's guesses at timing would cost more than they tell.
Opus has no heads, and no file but Ogg's, whose pages would have to be taken apart again: its
packets are stored with two bytes of size before each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tts_pipeline.audio.codec import RATES, CodecName, CodecSettings
from tts_pipeline.errors import DamagedFile

_ADTS_HEAD = 7
_MP3_HEAD = 4
_OPUS_HEAD = 2
_KBITS_1 = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0)
_KBITS_2 = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0)
_MP3_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}


def framed(packet: bytes, settings: CodecSettings) -> bytes:
    """Return a packet as it is stored: an MP3 packet has a head of its own, others get one."""
    if settings.codec is CodecName.MP3:
        return packet
    if settings.codec is CodecName.OPUS:
        return len(packet).to_bytes(_OPUS_HEAD) + packet
    size = len(packet) + _ADTS_HEAD
    rate = RATES[CodecName.AAC].index(settings.rate)
    head = bytes((0xFF, 0xF1, 0x40 | rate << 2, 0x40 | size >> 11, size >> 3 & 0xFF, (size & 7) << 5 | 0x1F, 0xFC))
    return head + packet


def split(chunks: Iterable[bytes], codec: CodecName, name: str = "chapter") -> Iterator[bytes]:
    """Give the packets of a stored chapter; DamagedFile where one does not follow the other."""
    kind = _HEADS[codec]
    skipped = 0 if codec is CodecName.MP3 else kind.size
    for packet in _cut(chunks, kind.measure, kind.size, name):
        yield packet[skipped:]


def _cut(chunks: Iterable[bytes], measure: Callable[[bytes, int], int], head: int, name: str) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        data, at = rest + chunk, 0
        while len(data) - at >= head:
            size = measure(data, at)
            if size < head:
                raise DamagedFile(name, "it has something between two packets")
            if at + size > len(data):
                break
            yield data[at : at + size]
            at += size
        rest = data[at:]
    if rest:
        raise DamagedFile(name, "it ends within a packet")


def _adts_size(data: bytes, at: int) -> int:
    if data[at] != 0xFF or data[at + 1] & 0xF6 != 0xF0:
        return 0
    return (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5


def _mp3_size(data: bytes, at: int) -> int:
    """Return the size of a layer III packet, 0 where there is none."""
    if data[at] != 0xFF or data[at + 1] & 0xE6 != 0xE2:
        return 0
    version, bits, rate = data[at + 1] >> 3 & 3, data[at + 2] >> 4, data[at + 2] >> 2 & 3
    kbits = (_KBITS_1 if version == 3 else _KBITS_2)[bits]
    if version == 1 or rate == 3 or not kbits:
        return 0
    per_second = 144000 if version == 3 else 72000
    return per_second * kbits // _MP3_RATES[version][rate] + (data[at + 2] >> 1 & 1)


def _opus_size(data: bytes, at: int) -> int:
    """Return the size of a packet with its head, 0 where it would be empty."""
    size = data[at] << 8 | data[at + 1]
    return size + _OPUS_HEAD if size else 0


class _Head(NamedTuple):
    """How a packet's size is read from its head, and how many bytes that takes."""

    measure: Callable[[bytes, int], int]
    size: int


_HEADS = {
    CodecName.AAC: _Head(_adts_size, _ADTS_HEAD),
    CodecName.MP3: _Head(_mp3_size, _MP3_HEAD),
    CodecName.OPUS: _Head(_opus_size, _OPUS_HEAD),
}
