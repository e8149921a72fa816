"""What is spoken differs little from what is written, and knows where it comes from."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tts_pipeline.text.documents import KINDS, LINES
from tts_pipeline.book import Kind
from tts_pipeline.mapped import Mapped
from tts_pipeline.text import normalise
from tts_pipeline.text.normalise import __doc__ as described

PAGE = Path(__file__).parents[3] / "docs/reading.md"


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("cafe\u0301", "café"),
        ("so\u00adft\u200b ware\ufeff", "soft ware"),
        ("ﬁnd the oﬃce, ſir", "find the office, sir"),
        ("a \t\u00a0b\x07c\u2009d", "a b c d"),
        ("don’t, l’été, ‘quoted’", "don't, l'été, ‘quoted’"),
        ("wait--what---now ----- x", "wait—what—now ----- x"),
        ("well... . . . no.. yes", "well… no.. yes"),
        ("*so* **very** _much_ 2*3 a_b", "so very much 2*3 a_b"),
        ("", ""),
        (" \u200b ", ""),
    ],
)
def test_what_is_changed(written, spoken):
    assert normalise(written).text == spoken


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("CHAPTER XIV. The Fair", "CHAPTER 14. The Fair"),
        ("Kapitel IV", "Kapitel 4"),
        ("III", "3"),
        ("I. Night", "1. Night"),
        ("What I Saw", "What I Saw"),
        ("MILD", "MILD"),
    ],
)
def test_roman_numbers_of_headings_are_digits(written, spoken):
    assert normalise(written, Kind.HEADING).text == spoken
    assert normalise(written).text == written


def test_lines_and_cells():
    assert normalise("a  b \n  c\n\nd", Kind.VERSE).text == "a b\nc\nd"
    assert normalise("Bob\nLondon.\n3", Kind.TABLE).text == "Bob, London. 3"


@given(LINES, KINDS)
def test_letters_come_from_where_the_map_says(text, kind):
    spoken = normalise(text, kind)
    places = [spoken.at(index) for index in range(len(spoken.text) + 1)]
    assert places == sorted(places)
    assert all(0 <= place <= len(text) for place in places)
    for place, character in zip(places, spoken.text, strict=False):
        if character.isascii() and character.isalpha() and text[place].isascii() and kind is not Kind.HEADING:
            assert text[place] == character


@given(LINES)
def test_normalising_twice_changes_nothing_more(text):
    once = normalise(text).text
    assert normalise(once).text == once


EDITS = st.lists(st.tuples(st.sampled_from("abc "), st.sampled_from(["", "x", "yyy"])), max_size=5)


@given(st.text("abcd ", max_size=40), EDITS)
def test_edits_on_edits_keep_the_way_back(text, edits):
    mapped = Mapped.whole(text, 7)
    for old, new in edits:
        mapped = mapped.sub(re.compile(f"{old}+"), new)
    for index, character in enumerate(mapped.text):
        if character == "d":
            assert text[mapped.at(index) - 7] == "d"
    assert [mapped.at(index) for index in range(len(mapped.text))] == sorted(map(mapped.at, range(len(mapped.text))))


@given(st.text("ab ", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_a_part_keeps_its_places(text, one, other):
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    part = Mapped.whole(text, 5).cut(start, end)
    assert part.text == text[start:end]
    assert [part.at(index) for index in range(len(part.text) + 1)] == list(range(5 + start, 5 + end + 1))


def test_the_page_lists_what_the_module_does():
    assert described is not None
    listed = [" ".join(rule.split()) for rule in re.findall(r"^- ((?:.+\n?)+?)(?=^- |\Z)", described, re.MULTILINE)]
    section = (
        PAGE.read_text(encoding="utf-8").partition("## What is changed before it is spoken")[2].partition("\n## ")[0]
    )
    assert [" ".join(rule.split()) for rule in re.findall(r"^- (.+)$", section, re.MULTILINE)] == listed
    assert len(listed) == 10
