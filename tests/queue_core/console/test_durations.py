"""Times are written as people write them."""

import pytest

from queue_core.console.durations import instant, rough, seconds, span


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("90", 90), ("1.5", 1.5), ("250ms", 0.25), ("30s", 30), ("5m", 300), ("2h", 7200), ("7d", 604_800),
        ("1h30m", 5400), (" 5M ", 300), (60, 60.0), ("0", 0),
    ],
)  # fmt: skip
def test_a_span_has_a_unit_or_is_in_seconds(written, value):
    assert seconds(written) == value


@pytest.mark.parametrize("written", ["", "m", "5 m", "5x", "5m!", "-1", "-5m", "nan", "inf", "1e30", "5m30", "5m30x"])
def test_anything_else_is_refused(written):
    with pytest.raises(ValueError, match="no span of time"):
        seconds(written)


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "0s"), (0.25, "0.25s"), (90, "1m30s"), (5400, "1h30m"), (300, "5m"), (7200, "2h"), (604_800, "7d"), (1, "1s")],
)
def test_a_setting_reads_as_it_was_written(value, written):
    assert span(value) == written
    assert seconds(span(value)) == value


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.04, "40ms"), (0.9999, "1.0s"), (3.21, "3.2s"), (9.99, "10s"), (45, "45s"), (59.9, "1m"), (90, "1m30s"),
        (7199.9, "2h"), (7300, "2h1m"), (400_000, "4d15h"),
    ],
)  # fmt: skip
def test_a_measured_time_is_rounded(value, written):
    assert rough(value) == written


def test_an_instant_says_how_far_it_is():
    assert instant(None, 0) == "-"
    assert instant(1_000, 6_000).endswith("(5.0s ago)")
    assert instant(600_000, 0).endswith("(in 10m)")
