"""What a machine lacks is told before a book fails of it."""

import sys

import pytest

from tts_pipeline.book_settings import Publishing
from tts_pipeline.checks import Verdict, _clock, _japanese, _room, _sqlite
from tts_pipeline.room import room_for

GIB, MB = 1 << 30, 1_000_000


@pytest.mark.parametrize("version", [(3, 51, 3), (3, 52, 0), (3, 50, 7), (3, 50, 9), (3, 44, 6)])
def test_mended_versions_of_sqlite_are_good(version):
    assert _sqlite(version).verdict is Verdict.GOOD


@pytest.mark.parametrize("version", [(3, 40, 1), (3, 44, 5), (3, 45, 9), (3, 50, 6), (3, 51, 2)])
def test_others_are_doubtful_and_say_which_are_not(version):
    found = _sqlite(version)
    assert found.verdict is Verdict.DOUBTFUL
    assert "3.51.3" in found.words


@pytest.mark.parametrize(
    ("free", "needed", "verdict"),
    [
        (10 * GIB, 0, Verdict.GOOD),
        (10 * GIB, 3 * GIB, Verdict.GOOD),
        (2 * GIB, 2 * GIB, Verdict.DOUBTFUL),
        (GIB // 10, 0, Verdict.BAD),
    ],
)
def test_room_is_compared_with_what_is_queued(free, needed, verdict):
    found = _room("store space", free, needed)
    assert found.verdict is verdict
    assert (f"at most {needed / GIB:.1f}" in found.words) == bool(needed)


def test_what_a_book_takes_depends_on_what_it_becomes():
    m4b, mp3, tracks, wav = (Publishing(format=name) for name in ("m4b", "mp3", "mp3-chapters", "wav"))
    assert room_for(1, [m4b], 24_000).outputs == pytest.approx(30 * MB, rel=0.1)
    assert 82 * MB < room_for(1, [m4b], 24_000).store - 29 * MB < 130 * MB
    assert room_for(1, [mp3, tracks], 24_000).store == room_for(1, [mp3], 24_000).store
    assert room_for(1, [mp3, tracks], 24_000).outputs == 2 * room_for(1, [mp3], 24_000).outputs
    assert room_for(1, [wav], 24_000).outputs == pytest.approx(173 * MB, rel=0.01)
    assert room_for(10, [m4b], 24_000).store == pytest.approx(10 * room_for(1, [m4b], 24_000).store)


def test_a_clock_that_is_wrong_is_told():
    now = 1_800_000_000.0
    assert _clock(now, now + 1).verdict is Verdict.GOOD
    assert _clock(now, now + 3600).verdict is Verdict.DOUBTFUL
    assert _clock(3600.0, 3600.0).verdict is Verdict.BAD


def test_who_can_read_no_kanji_is_told_what_to_install(monkeypatch):
    assert (_japanese().verdict, _japanese().words) == (Verdict.GOOD, "kanji are read: トーキョー")
    monkeypatch.setitem(sys.modules, "janome", None)
    assert _japanese().verdict is Verdict.DOUBTFUL
    assert "pip install 'tts-pipeline[japanese]'" in _japanese().words
