"""Captions are in step with the sound, never overlap, and show the text as it is."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tts_pipeline.audio.captions import LINE_COLUMNS, Cue, cues, srt, vtt, wrapped
from tts_pipeline.graphemes import columns

ITEMS = st.lists(st.tuples(st.integers(0, 50_000), st.integers(0, 20_000), st.text(max_size=30)), max_size=20)


def laid_out(steps) -> list[tuple[int, int, str]]:
    items, at = [], 0
    for length, pause, text in steps:
        items.append((at, at + length, text))
        at += length + pause
    return items


@given(ITEMS, st.sampled_from([8000, 22050, 24000, 44100]))
def test_cues_never_overlap_and_stand_where_the_samples_do(steps, rate):
    items = laid_out(steps)
    shown = list(cues(items, rate))
    assert [cue.text for cue in shown] == [
        " ".join(text.split()) for first, end, text in items if text.split() and end > first
    ]
    for cue in shown:
        assert cue.start < cue.end
    for one, other in pairwise(shown):
        assert one.end <= other.start


def test_times_are_those_of_the_samples():
    assert list(cues([(24000, 60012, "One."), (60012, 60012, ""), (72000, 90000, "Two.")], 24000)) == [
        Cue(1000, 2500, "One."),
        Cue(3000, 3750, "Two."),
    ]


def test_items_shorter_than_a_millisecond_do_not_overlap():
    shown = list(cues([(n * 3, n * 3 + 3, "x") for n in range(5)], 24000))
    assert [(cue.start, cue.end) for cue in shown] == [(n, n + 1) for n in range(5)]


def test_a_vtt_file_reads_as_the_standard_wants():
    assert "".join(vtt([Cue(0, 1500, 'He said <i> & "-->"'), Cue(3_600_000, 3_661_042, "Two.")])) == (
        "WEBVTT\n"
        '\n00:00:00.000 --> 00:00:01.500\nHe said &lt;i&gt; &amp; "--&gt;"\n'
        "\n01:00:00.000 --> 01:01:01.042\nTwo.\n"
    )


def test_an_srt_file_reads_as_players_want():
    assert "".join(srt([Cue(0, 1500, "One."), Cue(360_000_000, 360_001_000, "Two.")])) == (
        "1\n00:00:00,000 --> 00:00:01,500\nOne.\n\n2\n100:00:00,000 --> 100:00:01,000\nTwo.\n\n"
    )


def test_text_is_not_taken_for_markup():
    text = "".join(srt([Cue(0, 1, r"a --> b, <b>bold</b>, {\an8} and 1 < 2")]))
    assert text.count("-->") == 1
    assert "<b" not in text
    assert "</" not in text
    assert "{\\" not in text
    assert "1 < 2" in text


@given(st.text(max_size=300))
def test_wrapping_loses_nothing_and_keeps_to_the_width(text):
    text = " ".join(text.split())
    lines = wrapped(text)
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", text)
    assert all(columns(line) <= LINE_COLUMNS for line in lines)
    assert len(lines) == 1 or all(lines)


def test_lines_are_about_equally_long():
    text = "It was a bright cold day in April, and the clocks were striking thirteen."
    assert wrapped(text) == ["It was a bright cold day in April, and", "the clocks were striking thirteen."]


@pytest.mark.parametrize("text", ["春" * 50, "กำ" * 60, "👩‍👩‍👧" * 40])
def test_what_has_no_spaces_is_cut_between_characters(text):
    lines = wrapped(text)
    assert "".join(lines) == text
    assert not any(line.startswith(("\u0e33", "\u200d")) or line.endswith("\u200d") for line in lines[1:])
