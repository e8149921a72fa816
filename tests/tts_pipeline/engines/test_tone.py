"""The voice of tests: a function of the text, the same everywhere."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tts_pipeline.engines.speaking import print_of, speak
from tts_pipeline.audio.quality import check


def test_its_sound_is_known_once_and_for_all():
    clip = speak("tone", "Known to the last sample.")
    assert print_of(clip) == "24000 2f42bf18c3bf26665d1bd80d6b8d11200bb3c9fb8e026473b5052dd875261ff6"


def test_a_letter_takes_sixty_milliseconds():
    assert speak("tone", "abcd").seconds == 0.06 * 5
    assert speak("tone", "abcd", rate=2.0).seconds == 0.03 * 5


def test_no_tone_begins_or_ends_with_a_click():
    samples = speak("tone", "one two three").samples.astype(int)
    assert np.abs(np.diff(samples)).max() < 3000
    assert samples[0] == samples[-1] == 0


def test_another_take_sounds_otherwise():
    assert print_of(speak("tone", take=1)) != print_of(speak("tone"))


def test_pitch_changes_the_sound_and_not_its_length():
    high, usual = speak("tone", pitch=2.0), speak("tone")
    assert len(high.samples) == len(usual.samples)
    assert print_of(high) != print_of(usual)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=8), min_size=1, max_size=12).map(" ".join))
def test_any_words_make_a_good_clip(text):
    clip = speak("tone", text)
    check(clip, text)
    assert [word.text for word in clip.words] == text.split()
