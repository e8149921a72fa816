"""Loudness is what FFmpeg's ebur128 finds, and every chapter has the same, however it was spoken."""

import io
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecSettings, Effort
from tts_pipeline.audio.edit import fitted
from tts_pipeline.audio.encode import Piece, chapter_key, encode_chapter
from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.leveling import LEAST_SECONDS, TARGET, TRUE_PEAK, ceiling, chapter_gain, reference
from tts_pipeline.audio.limiter import limited
from tts_pipeline.audio.loudness import Loudness, integrated, measure
from tts_pipeline.audio.mux import ChapterAudio
from tts_pipeline.engines import VoiceSettings, engine

from .meter import decoded, reading
from .sounds import AAC, FLAC, MP3, RATE, chapter, murmur, published, tone

VOICES = ("tone", "espeak", "hibari")
TEXTS = (
    "The harbour was empty.",
    "She folded the letter twice, put it back into its envelope, and did not read it again that day.",
    "It was the third winter in which the lamp on the pier had not been lit.",
    "They walked along the sea wall until the rain began, and then, without a word, turned back towards the town.",
    "Nobody spoke!",
)
EVERY_CODEC = pytest.mark.parametrize("name", ["m4b", "mp3", "opus", "flac"])
PAUSE_MS = 350


@cache
def spoken(voice: str) -> tuple[Sound, ...]:
    clips = (fitted(engine(voice).synthesize(text, VoiceSettings(language="en")), RATE) for text in TEXTS)
    return tuple(Sound(clip.samples, clip.rate) for clip in clips)


def scaled(sounds, factor: float) -> list[Sound]:
    return [Sound(np.clip(one.samples * factor, -32768, 32767).astype(np.int16), one.rate) for one in sounds]


def leveled(sounds, settings: CodecSettings, voice: Loudness | None = None, title: str = "A chapter") -> ChapterAudio:
    """Encode a chapter as the pipeline does, from what is kept of each clip's loudness."""
    kept = [Loudness.from_text(measure(sound).to_text()) for sound in sounds]
    gain = chapter_gain([(loudness, PAUSE_MS) for loudness in kept], settings, voice)
    file = io.BytesIO()
    record = encode_chapter([Piece(sound, PAUSE_MS) for sound in sounds], settings, file, gain, limit=True)
    return ChapterAudio(f"chapters/{title}", title, record, [file.getvalue()])


def heard_of(path: Path):
    return reading(*decoded(path))


# What is measured


@pytest.mark.parametrize("voice", VOICES)
def test_a_clip_is_as_loud_as_ebur128_says(voice):
    samples = np.concatenate([sound.samples for sound in spoken(voice)])
    power = measure(Sound(samples, RATE)).power
    assert integrated(10 ** (power / 10)) == pytest.approx(reading(samples / 32768, RATE).lufs, abs=0.1)


@pytest.mark.parametrize("rate", [8000, 11025, 16000, 22050, 24000, 44100, 96000])
@pytest.mark.parametrize("hertz", [60, 1000, 3000])
def test_it_is_weighted_at_every_rate_as_the_standard_has_it_for_48_khz(rate, hertz):
    """FFmpeg's own filter is off by up to 0.4 dB where the rate is low."""
    power, known = measure(tone(5, hertz, rate)).power, tone(5, hertz, 48000)
    expected = reading(known.samples / 32768, known.rate).lufs
    assert integrated(10 ** (power / 10)) == pytest.approx(expected, abs=0.1)


def test_a_full_tone_of_1_khz_is_the_standards_reference():
    """A sine of 0 dBFS in one channel measures -3.01 LUFS."""
    samples = np.sin(2 * np.pi * 997 * np.arange(10 * 48000) / 48000) * 32767
    power = measure(Sound(samples.astype(np.int16), 48000)).power
    assert integrated(10 ** (power / 10)) == pytest.approx(-3.01, abs=0.02)


def test_pauses_do_not_count():
    said = measure(tone(4)).power
    assert integrated(10 ** (np.concatenate([said, np.full(200, -np.inf), said]) / 10)) == pytest.approx(
        integrated(10 ** (said / 10)), abs=0.2
    )


@pytest.mark.parametrize("count", [0, 1, 1000, 2400, 2401])
def test_sounds_of_every_length_are_measured(count):
    loudness = measure(Sound(np.full(count, 5000, np.int16), RATE))
    assert len(loudness.power) == len(loudness.peak) == -(-count // 2400)


def test_silence_has_no_loudness():
    assert integrated(10 ** (measure(Sound(np.zeros(99999, np.int16), RATE)).power / 10)) is None
    assert chapter_gain([(measure(Sound(np.zeros(99999, np.int16), RATE)), 0), (None, 500)], AAC) == 1
    assert chapter_gain([], AAC) == 1


@given(st.lists(st.floats(-120, 3), max_size=50))
def test_what_is_kept_is_true_to_a_quarter_of_a_decibel(levels):
    loudness = Loudness(np.array(levels), np.array(levels))
    text = loudness.to_text()
    assert np.abs(Loudness.from_text(text).power - loudness.power).max(initial=0) <= 0.25
    assert len(text) <= 27 * loudness.seconds + 4


def test_what_is_kept_of_silence_is_still_silence():
    kept = Loudness.from_text(measure(Sound(np.zeros(99999, np.int16), RATE)).to_text())
    assert integrated(10 ** (kept.power / 10)) is None


# What is made of it


@EVERY_CODEC
@pytest.mark.parametrize("factor", [1, 0.05, 1.5], ids=["as spoken", "soft", "loud"])
@pytest.mark.parametrize("voice", VOICES)
def test_every_chapter_is_as_loud_as_it_should_be(voice, factor, name, tmp_path):
    sounds = scaled(spoken(voice), factor)
    found = heard_of(published(tmp_path, [leveled(sounds, FORMATS[name].settings(RATE))], as_format=FORMATS[name]))
    assert found.lufs == pytest.approx(TARGET, abs=0.3)
    assert found.true_peak <= TRUE_PEAK


@EVERY_CODEC
def test_a_book_is_as_loud_as_its_chapters(name, tmp_path):
    """Chapters of three voices, loud and soft, and a short one that takes a voice's own gain."""
    settings = FORMATS[name].settings(RATE)
    voice = reference(engine("hibari"), VoiceSettings(language="en"), RATE)
    chapters = [
        leveled(spoken("espeak"), settings),
        leveled(scaled(spoken("hibari"), 0.1), settings),
        leveled(spoken("hibari")[:1], settings, voice),
        leveled(spoken("tone"), settings),
    ]
    found = heard_of(published(tmp_path, chapters, as_format=FORMATS[name]))
    assert found.lufs == pytest.approx(TARGET, abs=0.3)
    assert found.true_peak <= TRUE_PEAK


@pytest.mark.parametrize(
    ("name", "bit_rate", "effort"),
    [
        ("m4b", 32000, Effort.QUICK),
        ("m4b", 128000, Effort.THOROUGH),
        ("mp3", 32000, Effort.QUICK),
        ("mp3", 128000, Effort.THOROUGH),
        ("opus", 24000, Effort.QUICK),
        ("opus", 64000, Effort.THOROUGH),
    ],
)
@pytest.mark.parametrize("voice", VOICES)
def test_other_settings_keep_it_too(voice, name, bit_rate, effort, tmp_path):
    settings = FORMATS[name].settings(RATE, bit_rate, effort)
    found = heard_of(published(tmp_path, [leveled(spoken(voice), settings)]))
    assert found.lufs == pytest.approx(TARGET, abs=0.5)
    assert found.true_peak <= TRUE_PEAK


def test_a_chapter_that_says_little_takes_the_gain_of_its_voice():
    voice = reference(engine("tone"), VoiceSettings(), RATE)
    own = chapter_gain([(voice, 0)], AAC)
    shout = measure(tone(LEAST_SECONDS - 0.2, 900))
    assert chapter_gain([(shout, 900)], AAC, voice) == own
    assert chapter_gain([(None, 60_000)], AAC, voice) == own
    enough = measure(tone(LEAST_SECONDS, 900))
    assert chapter_gain([(enough, 900)], AAC, voice) != own
    assert chapter_gain([(shout, 900)], AAC) == chapter_gain([(enough, 900)], AAC)


@pytest.mark.parametrize("voice", VOICES)
def test_a_voice_says_numbers_about_as_loud_as_sentences(voice):
    known = reference(engine(voice), VoiceSettings(language="en"), RATE)
    assert known.seconds >= LEAST_SECONDS
    own = chapter_gain([(measure(sound), PAUSE_MS) for sound in spoken(voice)], AAC)
    assert 20 * np.log10(chapter_gain([(known, 0)], AAC) / own) == pytest.approx(0, abs=2)


def test_the_gain_is_the_same_whoever_finds_it():
    parts = [(measure(sound), PAUSE_MS) for sound in spoken("tone")]
    assert chapter_gain(parts, AAC) == chapter_gain(iter(parts), AAC)
    assert 20 * np.log10(chapter_gain(parts, AAC)) * 20 == pytest.approx(
        round(20 * np.log10(chapter_gain(parts, AAC)) * 20), abs=0.001
    )


# The limiter


def peaky(seed: int, seconds: float = 2.0) -> np.ndarray:
    """Return murmurs with bursts far above the rest, up to half the rate, where peaks hide between samples."""
    rng = np.random.default_rng(seed)
    samples = murmur(seed, seconds).samples.astype(np.float32) / 32768 * 0.5
    for at in rng.integers(0, len(samples) - 400, 12):
        samples[at : at + 400] += np.sin(np.arange(400) * rng.uniform(0.1, 3.0) + rng.uniform(0, 6)) * rng.uniform(
            0.3, 3
        )
    return samples.astype(np.float32)


@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.5, 0.7]), st.sampled_from([11025, 24000, 48000]))
def test_no_sample_comes_out_above_the_ceiling(seed, most, rate):
    assert np.abs(limited(peaky(seed, 0.5), rate, most)).max() <= most * 1.0001


@pytest.mark.parametrize("seed", range(8))
def test_no_true_peak_comes_out_above_the_ceiling(seed):
    """Within what the meter and we may differ by, in bursts of pure tones close to half the sample rate."""
    most = 10 ** (-3.3 / 20)
    assert reading(limited(peaky(seed), RATE, most), RATE).true_peak <= TRUE_PEAK


def test_a_peak_between_two_samples_is_found():
    """A tone of a quarter of the rate, whose samples all lie 3 dB below its crests."""
    fade = np.minimum(1, np.minimum(np.arange(RATE), np.arange(RATE)[::-1]) / 500)
    wave = (np.sin(np.pi / 2 * np.arange(RATE) + np.pi / 4) * fade * 0.9).astype(np.float32)
    assert np.abs(wave).max() == pytest.approx(0.9 / 2**0.5, abs=0.001)
    assert reading(limited(wave, RATE, 0.7), RATE).true_peak <= -3.0


def test_what_is_below_the_ceiling_is_left_alone():
    wave = (tone(1).samples / 32768).astype(np.float32)
    assert limited(wave, RATE, 0.5) is wave
    near = (wave / np.abs(wave).max() * 0.45).astype(np.float32)
    assert limited(near, RATE, 0.5) is near, "it comes near the ceiling, and stays below it"


def test_the_gain_glides():
    """One loud word in a steady tone: no step to be heard, and the tone is back soon after."""
    wave = (np.sin(2 * np.pi * 440 * np.arange(RATE) / RATE) * 0.3).astype(np.float32)
    wave[RATE // 2 : RATE // 2 + 480] *= 3
    gains = limited(wave, RATE, 0.5)[wave != 0] / wave[wave != 0]
    assert gains.min() < 0.6
    assert np.abs(np.diff(gains)).max() < 0.005
    assert np.allclose(np.delete(gains, np.s_[RATE // 2 - 1500 : RATE // 2 + 1980]), 1)


@pytest.mark.parametrize("count", [0, 1, 5, 24, 25])
def test_the_shortest_sounds_are_limited_too(count):
    out = limited(np.full(count, 0.9, np.float32), RATE, 0.5)
    assert len(out) == count
    assert np.all(out <= 0.5001)


# Off, and on


def test_without_a_limit_nothing_is_changed(tmp_path):
    sound = spoken("espeak")[1]
    path = published(tmp_path, [chapter([Piece(sound, 0)], FLAC)])
    assert np.array_equal(np.round(decoded(path)[0] * 32768).astype(np.int16), sound.samples)


def test_the_key_of_a_chapter_says_whether_it_is_limited():
    assert chapter_key([("ab", 1)], AAC, 2.0, limit=True) != chapter_key([("ab", 1)], AAC, 2.0)


def test_lame_takes_a_little_away_and_the_limiter_gives_it_back():
    assert MP3.level == 0.95
    assert ceiling(MP3) < 10 ** (TRUE_PEAK / 20)


def test_a_limited_chapter_is_encoded_to_the_same_packets_again():
    assert leveled(spoken("espeak"), AAC).record == leveled(spoken("espeak"), AAC).record
