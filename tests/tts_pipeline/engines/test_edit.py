"""A clip gets ready for its book without losing anything that is heard."""

import numpy as np

from tests.tts_pipeline.engines.speaking import SENTENCE, speak
from tts_pipeline.audio.edit import MARGIN_MS, at_rate, fitted, trimmed
from tts_pipeline.audio.quality import check
from tts_pipeline.engines import Clip, Word

RATE = 10_000
SOUND = np.tile(np.array([9000, -9000], np.int16), 500)
CLIP = Clip(np.concatenate([np.zeros(3000, np.int16), SOUND, np.zeros(5000, np.int16)]), RATE, (Word(3000, "x"),))
MARGIN = RATE * MARGIN_MS // 1000


def test_silence_is_cut_down_to_the_margin():
    cut = trimmed(CLIP)
    assert len(cut.samples) == len(SOUND) + 2 * MARGIN
    assert (cut.samples[MARGIN:-MARGIN] == SOUND).all()


def test_words_stay_where_they_are_heard():
    assert trimmed(CLIP).words == (Word(MARGIN, "x"),)
    assert at_rate(CLIP, 2 * RATE).words == (Word(6000, "x"),)


def test_a_word_before_the_first_sound_begins_with_the_clip():
    early = Clip(CLIP.samples, RATE, (Word(0, "x"), Word(len(CLIP.samples), "y")))
    cut = trimmed(early)
    assert cut.words == (Word(0, "x"), Word(len(cut.samples) - 1, "y"))


def test_what_has_no_silence_stays_as_it_is():
    bare = Clip(SOUND, RATE)
    assert (trimmed(bare).samples == SOUND).all()


def test_what_is_nothing_but_silence_stays_as_it_is():
    silent = Clip(np.zeros(100, np.int16), RATE)
    assert trimmed(silent) is silent
    empty = Clip(np.zeros(0, np.int16), RATE)
    assert trimmed(empty) is empty


def test_the_loudest_negative_sample_is_heard():
    samples = np.zeros(2000, np.int16)
    samples[1000] = -32768
    assert len(trimmed(Clip(samples, RATE)).samples) == 2 * MARGIN + 1


def test_trimming_twice_changes_nothing_more():
    once = trimmed(speak("espeak"))
    assert (trimmed(once).samples == once.samples).all()


def test_a_real_clip_comes_at_the_rate_of_the_book():
    clip = speak("espeak")
    book = fitted(clip, 24_000)
    assert book.rate == 24_000
    assert abs(book.seconds - trimmed(clip).seconds) < 0.001
    assert [word.text for word in book.words] == [word.text for word in clip.words]
    check(book, SENTENCE)


def test_a_clip_at_the_rate_of_the_book_is_not_resampled():
    assert at_rate(CLIP, RATE) is CLIP
