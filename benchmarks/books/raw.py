"""What is the least that has to be done: speak sentences, and encode them? A process of its own: text in, a file out.

`python -m benchmarks.books.raw SENTENCES.json SHARE COUNT VOICE CODEC OUT` takes every COUNT-th sentence.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np

from tts_pipeline.audio.codec import CodecName, CodecSettings

RATE = 24_000
_PAUSE_MS = 300

Say = Callable[[str], tuple[np.ndarray, int]]
"""Speaks a sentence: samples of 16 bits, and how many there are to a second."""


def espeak() -> Say:
    """Return the direct call of libespeak-ng, its voice loaded once."""
    from tts_pipeline.engines import VoiceSettings, libespeak
    from tts_pipeline.engines import espeak as ours

    library = ours._library()
    library._set(ours._voices().choose("en", None), VoiceSettings())

    def say(text: str) -> tuple[np.ndarray, int]:
        library._chunks, library._events = [], []
        said = text.encode()
        library._c.espeak_Synth(said, len(said) + 1, 0, 1, 0, libespeak.UTF8_ENDPAUSE, None, None)
        return np.frombuffer(b"".join(library._chunks), np.int16), library.rate

    return say


def main() -> None:
    """Speak and encode a share of the sentences."""
    source, share, count, voice, codec, out = sys.argv[1:]
    said = json.loads(Path(source).read_text(encoding="utf-8"))[int(share) :: int(count)]
    say = {"espeak": espeak, "hibari": hibari}[voice]()
    encode(said, say, CodecSettings.fitting(CodecName(codec), RATE), Path(out))


def hibari() -> Say:
    """Return the call of hibari's own package."""
    from tts_pipeline.engines import VoiceSettings
    from tts_pipeline.engines.hibari import HibariEngine

    speaker = HibariEngine()

    def say(text: str) -> tuple[np.ndarray, int]:
        clip = speaker.synthesize(text, VoiceSettings())
        return clip.samples, clip.rate

    return say


def encode(said: list[str], say: Say, settings: CodecSettings, out: Path) -> None:
    """Write one stream, with a pause after every sentence."""
    with av.open(str(out), "w", format={"aac": "mp4", "mp3": "mp3", "opus": "ogg"}[settings.codec]) as container:
        stream = container.add_stream(settings.encoder, rate=settings.rate, layout="mono", options=settings.options)
        stream.bit_rate = settings.bit_rate
        resampler = av.AudioResampler(settings.sample_format, "mono", settings.rate)
        pause = np.zeros(RATE * _PAUSE_MS // 1000, np.int16)
        for text in said:
            samples, rate = say(text)
            for part, of_rate in ((samples, rate), (pause[: rate * _PAUSE_MS // 1000], rate)):
                frame = av.AudioFrame.from_ndarray(part.reshape(1, -1), "s16", "mono")
                frame.rate = of_rate
                for ready in resampler.resample(frame):
                    container.mux(stream.encode(ready))
        for ready in resampler.resample(None):
            container.mux(stream.encode(ready))
        container.mux(stream.encode(None))


if __name__ == "__main__":
    main()
