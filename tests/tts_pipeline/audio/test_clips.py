"""A clip comes back to the bit, or not at all."""

import io

import mutagen.flac
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tts_pipeline.audio.clips import Sound, from_flac, to_flac
from tts_pipeline.errors import DamagedFile

from .sounds import murmur, tone


@given(
    arrays.arrays(np.int16, st.integers(1, 12000)), st.sampled_from([8000, 11025, 16000, 22050, 24000, 44100, 48000])
)
def test_a_clip_comes_back_to_the_bit(samples, rate):
    sound = Sound(samples, rate)
    back = from_flac(to_flac(sound), sound.checksum)
    assert np.array_equal(back.samples, samples)
    assert (back.samples.dtype, back.rate) == (np.int16, rate)


def test_every_flac_reader_knows_its_length_and_its_md5():
    info = mutagen.flac.FLAC(io.BytesIO(to_flac(tone(1.5)))).info
    assert (info.length, info.sample_rate, info.channels, info.bits_per_sample) == (1.5, 24000, 1, 16)
    assert info.md5_signature


def test_the_same_sound_is_packed_to_the_same_bytes():
    assert to_flac(murmur(1, 1)) == to_flac(murmur(1, 1))


def test_the_checksum_is_of_the_sound_not_of_its_packing():
    sound = murmur(2, 1)
    assert from_flac(to_flac(sound)).checksum == sound.checksum
    assert Sound(sound.samples, 22050).checksum != sound.checksum


PACKED = to_flac(murmur(3, 0.5))
END_OF_INFO = 42


@given(st.integers(0, len(PACKED) - 1), st.integers(1, 255), st.booleans())
def test_a_damaged_clip_is_noticed_where_it_is_heard(place, bits, is_known):
    sound = murmur(3, 0.5)
    packed = bytearray(PACKED)
    packed[place if is_known else max(END_OF_INFO, place)] ^= bits
    try:
        back = from_flac(bytes(packed), sound.checksum if is_known else None, "clips/ab")
    except DamagedFile as error:
        assert error.name == "clips/ab"  # noqa: PT017
    else:
        assert back.checksum == sound.checksum


@pytest.mark.parametrize("size", [0, 3, 41, 100, 9000])
def test_a_clip_that_was_cut_off_is_noticed(size):
    with pytest.raises(DamagedFile):
        from_flac(to_flac(murmur(4, 1))[:size])


def test_another_clip_is_not_taken_for_the_one_that_was_asked_for():
    with pytest.raises(DamagedFile, match="not those that were stored"):
        from_flac(to_flac(tone(1)), tone(1, 440).checksum)


def test_a_clip_without_samples_is_refused():
    with pytest.raises(ValueError, match="without samples"):
        to_flac(Sound(np.zeros(0, np.int16), 24000))
