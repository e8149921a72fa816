"""How loud is a sound, as FFmpeg's ebur128 finds it?"""

import re
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import av
import av.logging
import numpy as np


class Reading(NamedTuple):
    lufs: float
    true_peak: float


def reading(samples: np.ndarray, rate: int) -> Reading:
    """Return the integrated loudness and the true peak; the filter tells them to the log when it goes."""
    av.logging.set_level(av.logging.INFO)
    try:
        with av.logging.Capture() as logs:
            _run(samples, rate)
    finally:
        av.logging.set_level(None)
    said = "".join(text for _, _, text in logs)
    lufs, peak = re.search(r"I: +(\S+) LUFS", said), re.search(r"Peak: +(\S+) dBFS", said)
    return Reading(float(lufs[1]), float(peak[1]))


def _run(samples: np.ndarray, rate: int) -> None:
    graph = av.filter.Graph()
    source = graph.add_abuffer(sample_rate=rate, format="fltp", layout="mono", time_base=Fraction(1, rate))
    meter, sink = graph.add("ebur128", "peak=true:framelog=quiet"), graph.add("abuffersink")
    source.link_to(meter)
    meter.link_to(sink)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples.reshape(1, -1), np.float32), "fltp", "mono")
    frame.rate, frame.pts, frame.time_base = rate, 0, Fraction(1, rate)
    source.push(frame)
    source.push(None)
    while True:
        try:
            sink.pull()
        except (av.BlockingIOError, av.EOFError):
            return


def decoded(path: Path) -> tuple[np.ndarray, int]:
    """Return all samples of a file as players play them, and their rate."""
    with av.open(str(path)) as container:
        samples = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])
        rate = container.streams.audio[0].rate
    return (samples / 32768 if samples.dtype == np.int16 else samples), rate
