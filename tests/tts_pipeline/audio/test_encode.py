"""A chapter is encoded as a stream that others can be joined to, and its record says what is in it."""

import hashlib
import io
from itertools import pairwise

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import RATES, CodecName, CodecSettings, Effort, nearest_rate
from tts_pipeline.audio.encode import Piece, chapter_key, encode_chapter
from tts_pipeline.audio.packets import split
from tts_pipeline.audio.records import EncodedChapter
from tts_pipeline.audio.resample import resampled
from tts_pipeline.audio.verify import verify
from tts_pipeline.errors import DamagedFile

from .sounds import AAC, FLAC, LOSSY, MP3, OPUS, chapter, heard, murmur, murmurs, published, tone

EVERY_RATE = [CodecSettings(codec=codec, rate=rate, bit_rate=32000) for codec in CodecName for rate in RATES[codec]]


@LOSSY
def test_every_packet_is_counted_and_hashed(settings):
    audio = murmurs(1, settings=settings)
    packets = list(split(audio.chunks, settings.codec))
    assert len(packets) == audio.record.packet_count
    assert hashlib.sha256(b"".join(packets)).hexdigest() == audio.record.packets_hash


@pytest.mark.parametrize("settings", [AAC, MP3, FLAC], ids=lambda settings: settings.codec)
def test_a_stored_chapter_can_be_played_as_it_is(settings):
    audio = murmurs(2, settings=settings)
    with av.open(io.BytesIO(audio.chunks[0]), format=str(settings.codec)) as container:
        assert sum(frame.samples for frame in container.decode(audio=0)) == audio.record.duration


@pytest.mark.parametrize("settings", EVERY_RATE, ids=lambda settings: f"{settings.codec}-{settings.rate}")
def test_every_sample_rate_that_a_codec_has_makes_a_good_book(settings, tmp_path):
    chapters = [murmurs(seed, 2, settings) for seed in range(2)]
    assert verify(published(tmp_path, chapters), [audio.record for audio in chapters]) == []


def test_items_follow_each_other_by_their_samples_and_pauses():
    clips = [tone(0.5), tone(0.25), None, tone(1)]
    record = chapter([Piece(clip, 100 * n) for n, clip in enumerate(clips)]).record
    assert [(span.first, span.end) for span in record.items] == [
        (0, 12000),
        (12000, 18000),
        (20400, 20400),
        (25200, 49200),
    ]
    assert record.sample_count == 49200 + 7200
    assert record.items[2].level == 0
    assert record.items[0].level == pytest.approx(9000 / 32768 / 2**0.5, abs=0.001)


@given(st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 300)), max_size=6))
def test_a_chapter_is_whole_packets_that_hold_all_of_it(lengths):
    pieces = [Piece(Sound(np.ones(count, np.int16), 24000), pause) for count, pause in lengths]
    record = chapter(pieces).record
    assert record.frame_size == 1024
    assert record.priming + record.sample_count <= record.duration < record.priming + record.sample_count + 2048
    assert record.sample_count == sum(count + round(pause * 24) for count, pause in lengths)


def test_encoding_again_gives_the_same_packets():
    assert murmurs(3).chunks == murmurs(3).chunks
    assert murmurs(3).record == murmurs(3).record


def test_clips_of_another_rate_are_resampled(tmp_path):
    audio = chapter([Piece(tone(1, 330, 22050), 0), Piece(tone(1, 330, 16000), 0), Piece(tone(1, 330), 0)])
    assert [span.end for span in audio.record.items] == [24000, 48000, 72000]
    spectra = [np.abs(np.fft.rfft(heard(published(tmp_path, [audio]))[first:][:24000])) for first in (0, 24000, 48000)]
    assert [int(spectrum.argmax()) for spectrum in spectra] == [330, 330, 330]


@given(st.integers(1, 4000), st.sampled_from([8000, 16000, 22050, 44100, 48000]))
def test_resampling_keeps_the_length(count, rate):
    assert len(resampled(Sound(np.ones(count, np.int16), rate), 24000).samples) == round(count * 24000 / rate)


def test_gain_makes_it_louder_and_never_wraps_around(tmp_path):
    file = io.BytesIO()
    record = encode_chapter([Piece(tone(0.5), 0)], AAC, file, gain=2)
    assert record.items[0].level == pytest.approx(2 * 9000 / 32768 / 2**0.5, abs=0.001)
    assert encode_chapter([Piece(tone(0.5), 0)], AAC, io.BytesIO(), gain=100).items[0].level <= 1


def test_a_record_survives_json():
    record = murmurs(4).record
    assert EncodedChapter.model_validate_json(record.model_dump_json()) == record


def test_the_key_depends_on_all_that_changes_the_sound():
    clips = [("ab", 100), (None, 300)]
    keys = [
        chapter_key(clips, AAC),
        chapter_key(clips, MP3),
        chapter_key(clips, OPUS),
        chapter_key(clips, AAC.model_copy(update={"effort": Effort.THOROUGH})),
        chapter_key(clips, AAC, 1.5),
        chapter_key([("ab", 100), (None, 301)], AAC),
        chapter_key([("ac", 100), (None, 300)], AAC),
        chapter_key(clips[::-1], AAC),
        chapter_key(clips, AAC.model_copy(update={"bit_rate": 48000})),
    ]
    assert len(set(keys)) == len(keys)
    assert chapter_key(iter(clips), AAC, 1) == keys[0]
    assert keys[0].startswith("chapters/")
    assert keys[0].endswith(".aac")


@LOSSY
@given(st.lists(st.integers(0, 6000), max_size=40))
def test_packets_are_found_however_the_file_is_read(settings, cuts):
    whole = murmurs(5, 1, settings).chunks[0]
    bounds = [0, *sorted(cuts), len(whole)]
    chunks = [whole[start:end] for start, end in pairwise(bounds)]
    assert list(split(chunks, settings.codec)) == list(split([whole], settings.codec))


@LOSSY
@pytest.mark.parametrize("damage", [lambda data: data[:-5], lambda data: data[3:], lambda data: b"ID3" + data])
def test_a_file_that_is_no_row_of_packets_is_damaged(settings, damage):
    with pytest.raises(DamagedFile, match="chapters/x"):
        list(split([damage(murmurs(6, 1, settings).chunks[0])], settings.codec, "chapters/x"))


def test_a_rate_that_a_codec_lacks_is_refused():
    with pytest.raises(ValidationError, match="no sample rate of 23000"):
        CodecSettings(rate=23000)


@pytest.mark.parametrize(
    ("codec", "rate", "nearest"),
    [("aac", 22050, 22050), ("aac", 23000, 24000), ("mp3", 64000, 48000), ("mp3", 7000, 8000), ("aac", 192000, 96000)],
)
def test_the_nearest_rate_loses_nothing_if_it_can(codec, rate, nearest):
    assert nearest_rate(CodecName(codec), rate) == nearest


def test_a_very_quiet_murmur_is_still_heard(tmp_path):
    quiet = Sound((murmur(7, 1).samples / 100).astype(np.int16), 24000)
    audio = chapter([Piece(quiet, 100)])
    assert verify(published(tmp_path, [audio]), [audio.record]) == []
