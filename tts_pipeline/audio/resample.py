"""How does a sound get another sample rate?"""

from __future__ import annotations

import av
import numpy as np

from tts_pipeline.audio.clips import Sound


def resampled(sound: Sound, rate: int) -> Sound:
    """Return the same sound at another rate, as long to within one sample."""
    if sound.rate == rate or not len(sound.samples):
        return Sound(sound.samples, rate)
    frame = av.AudioFrame.from_ndarray(sound.samples.reshape(1, -1), "s16", "mono")
    frame.rate = sound.rate
    resampler = av.AudioResampler("s16", "mono", rate)
    parts = [part.to_ndarray()[0] for part in (*resampler.resample(frame), *resampler.resample(None))]
    whole = np.concatenate([np.zeros(0, np.int16), *parts]).astype(np.int16, copy=False)
    length = round(len(sound.samples) * rate / sound.rate)
    return Sound(np.pad(whole[:length], (0, max(0, length - len(whole)))), rate)
