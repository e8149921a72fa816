"""A clip counts only if it can be a recording of its text."""

import numpy as np
import pytest

from tts_pipeline.audio.quality import check
from tts_pipeline.engines import Clip
from tts_pipeline.errors import BadClip

RATE = 16_000
TEXT = "A sentence of forty-two characters or so."


def tone(seconds, peak=8000):
    return Clip((peak * np.sin(np.arange(int(RATE * seconds)) / 8)).astype(np.int16), RATE)


@pytest.mark.parametrize("seconds", [1.0, 2.8, 8.0])
def test_what_lasts_as_long_as_speech_is_good(seconds):
    check(tone(seconds), TEXT)


@pytest.mark.parametrize(
    ("clip", "reason"),
    [
        (tone(0), "empty"),
        (tone(2.8, peak=0), "silent"),
        (tone(2.8, peak=60), "silent"),
        (Clip(np.sign(tone(2.8).samples) * np.int16(32767), RATE), "clipped"),
        (tone(0.3), "lasts 0.3 s"),
        (tone(60), "at most"),
    ],
)
def test_what_is_no_speech_is_refused_with_the_reason(clip, reason):
    with pytest.raises(BadClip, match=reason):
        check(clip, TEXT)


def test_the_loudest_negative_sample_counts():
    samples = tone(2.8).samples.copy()
    samples[::50] = -32768
    with pytest.raises(BadClip, match="clipped"):
        check(Clip(samples, RATE), TEXT)


def test_a_few_samples_at_the_limit_are_not_heard():
    samples = tone(2.8).samples.copy()
    samples[::2000] = 32767
    check(Clip(samples, RATE), TEXT)


@pytest.mark.parametrize("rate", [0.5, 2.0])
def test_the_bounds_follow_the_rate(rate):
    check(tone(2.8 / rate), TEXT, rate)
    with pytest.raises(BadClip):
        check(tone(25 / rate), TEXT, rate)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("你好，世界。今天天气很好。", 3.0), ("1984", 2.0), ("€5", 1.0), ("🙂", 1.0), ("XKCD", 2.5), ("Привет", 0.6)],
)
def test_other_scripts_take_other_times(text, seconds):
    check(tone(seconds), text)


def test_too_short_depends_on_the_script():
    with pytest.raises(BadClip):
        check(tone(0.3), "你好，世界。今天天气很好。")


def with_pauses(*seconds):
    """Return half a second of speech before, between and after pauses."""
    parts = [tone(0.5).samples]
    for pause in seconds:
        parts += [np.full(int(RATE * pause), 50, np.int16), tone(0.5).samples]
    return Clip(np.concatenate(parts), RATE)


LONG = (
    "It was, he said, as far as he knew, though nobody, not even she, had seen it: never, ever, once, at all, he said."
)


def test_many_pauses_are_natural():
    check(with_pauses(*[1.5] * 12), LONG)


def test_one_long_silence_is_not():
    check(with_pauses(4.9), LONG)
    with pytest.raises(BadClip, match=r"it is silent for 5\.5 s in the middle"):
        check(with_pauses(1, 5.5, 1), LONG)


def test_who_speaks_slowly_pauses_longer():
    check(with_pauses(9), LONG, rate=0.5)
    with pytest.raises(BadClip, match=r"silent for 9\.0 s"):
        check(with_pauses(9), LONG)


def test_silence_around_it_is_no_matter():
    silence = np.zeros(RATE * 6, np.int16)
    check(Clip(np.concatenate([silence, tone(2.8).samples, silence]), RATE), LONG)
