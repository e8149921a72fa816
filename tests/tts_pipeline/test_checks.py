"""What a machine lacks is told before a book fails of it."""

import pytest

from tts_pipeline.checks import Verdict, _clock, _enough, _sqlite

GIB = 1 << 30


@pytest.mark.parametrize("version", [(3, 51, 3), (3, 52, 0), (3, 50, 7), (3, 50, 9), (3, 44, 6)])
def test_mended_versions_of_sqlite_are_good(version):
    assert _sqlite(version).verdict is Verdict.GOOD


@pytest.mark.parametrize("version", [(3, 40, 1), (3, 44, 5), (3, 45, 9), (3, 50, 6), (3, 51, 2)])
def test_others_are_doubtful_and_say_which_are_not(version):
    found = _sqlite(version)
    assert found.verdict is Verdict.DOUBTFUL
    assert "3.51.3" in found.words


@pytest.mark.parametrize(
    ("free", "hours", "verdict"),
    [
        (10 * GIB, 0, Verdict.GOOD),
        (10 * GIB, 20, Verdict.GOOD),
        (2 * GIB, 20, Verdict.DOUBTFUL),
        (GIB // 10, 0, Verdict.BAD),
    ],
)
def test_room_is_compared_with_what_is_queued(free, hours, verdict):
    found = _enough("store space", free, hours)
    assert found.verdict is verdict
    assert (f"{hours:.1f} h" in found.words) == bool(hours)


def test_a_clock_that_is_wrong_is_told():
    now = 1_800_000_000.0
    assert _clock(now, now + 1).verdict is Verdict.GOOD
    assert _clock(now, now + 3600).verdict is Verdict.DOUBTFUL
    assert _clock(3600.0, 3600.0).verdict is Verdict.BAD
