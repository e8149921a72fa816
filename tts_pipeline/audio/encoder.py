"""How is an encoder opened?"""

from __future__ import annotations

import av
from av.audio.codeccontext import AudioCodecContext

from tts_pipeline.audio.codec import CodecSettings

_BITEXACT = 1 << 23
"""The encoder leaves out its own name and version, so that packets are the same wherever they are made."""


def open_encoder(settings: CodecSettings) -> AudioCodecContext:
    """Return an encoder that takes samples in its own format, any number at a time."""
    encoder = av.CodecContext.create(settings.encoder, "w")
    assert isinstance(encoder, AudioCodecContext)
    encoder.rate, encoder.layout, encoder.format = settings.rate, "mono", settings.sample_format
    encoder.time_base, encoder.options = settings.time_base, settings.options
    if settings.bit_rate:
        encoder.bit_rate = settings.bit_rate
    encoder.flags |= _BITEXACT
    encoder.open()
    return encoder
