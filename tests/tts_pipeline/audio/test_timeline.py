"""Every item is heard exactly where the timeline says, to the last of 200 chapters."""

import numpy as np
import pytest

from tts_pipeline.audio.timeline import chapter_marks, common_settings, placed, sample_count

from .sounds import EVERY_CODEC, LOSSY, MP3, heard, murmur, murmurs, published


def lag(found: np.ndarray, clip: np.ndarray, first: int, around: int = 2048) -> int:
    """Return by how many samples a clip is off, as cross-correlation finds it."""
    start = max(0, first - around)
    window = found[start : first + len(clip) + around].astype(np.float64)
    size = 1 << (len(window) + len(clip)).bit_length()
    spectrum = np.fft.rfft(window, size) * np.conj(np.fft.rfft(clip.astype(np.float64), size))
    return int(np.fft.irfft(spectrum, size)[: len(window) - len(clip) + 1].argmax()) + start - first


@EVERY_CODEC
def test_each_item_is_heard_where_the_timeline_says(settings, tmp_path):
    chapters = [murmurs(seed, settings=settings) for seed in range(4)]
    found = heard(published(tmp_path, chapters))
    for item in placed([audio.record for audio in chapters]):
        clip = murmur(item.chapter * 100 + item.item, 0.7 + 0.013 * item.item + 0.007 * item.chapter).samples
        assert item.end - item.first == len(clip)
        assert abs(lag(found, clip, item.first)) <= 1


@EVERY_CODEC
def test_nothing_drifts_over_200_chapters(settings, tmp_path):
    kinds = [murmurs(seed, 1, settings) for seed in range(10)]
    chapters = [kinds[n * 7 % 10] for n in range(200)]
    records = [audio.record for audio in chapters]
    found = heard(published(tmp_path, chapters))
    assert len(found) == sample_count(records)
    for item in list(placed(records))[::20] + list(placed(records))[-1:]:
        seed = item.chapter * 7 % 10
        assert abs(lag(found, murmur(seed * 100, 0.7 + 0.007 * seed).samples, item.first)) <= 1


@LOSSY
def test_there_is_silence_between_chapters(settings, tmp_path):
    chapters = [murmurs(seed, settings=settings) for seed in range(3)]
    found = heard(published(tmp_path, chapters))
    for start, _ in chapter_marks([audio.record for audio in chapters])[1:]:
        assert np.abs(found[start - chapters[0].record.priming : start - 64]).max() < 0.02, "25 dB below the murmurs"


def test_marks_follow_each_other_and_end_with_the_sound():
    records = [murmurs(seed).record for seed in range(3)]
    marks = chapter_marks(records)
    assert marks[0][0] == 0
    assert [end for _, end in marks[:-1]] == [start for start, _ in marks[1:]]
    assert marks[-1][1] == sample_count(records) == sum(record.duration for record in records) - records[0].priming


def test_a_book_without_chapters_has_no_samples():
    assert (chapter_marks([]), sample_count([]), list(placed([]))) == ([], 0, [])


def test_chapters_of_two_kinds_are_not_joined():
    with pytest.raises(ValueError, match="encoded in 2 ways"):
        common_settings([murmurs(0).record, murmurs(1, settings=MP3).record])
