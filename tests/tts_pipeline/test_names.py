"""A name is safe on every file system, and as close to the title as that allows."""

import unicodedata
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tts_pipeline.graphemes import clusters, fit
from tts_pipeline.names import MOST_BYTES, book_folder, safe_name

FORBIDDEN = set('<>:"/\\|?*')
RESERVED = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {
    f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"
}
TEXTS = st.one_of(
    st.text(max_size=200),
    st.text(alphabet="coCONPRNAUXnul123¹. $", max_size=8),
    st.text(alphabet="a\u0301\u200d👩‍👧🇫🇷🏽\u202e\u2067. ", max_size=80),
)
SUFFIXES = st.sampled_from(["", " (2)", ".m4b", ".report.json"])


@given(TEXTS, SUFFIXES)
def test_no_file_system_refuses_it_or_changes_it(text, suffix):
    name = safe_name(text, suffix=suffix)
    assert name
    assert name == unicodedata.normalize("NFC", name)
    assert len(name.encode()) <= MOST_BYTES
    assert not set(name) & FORBIDDEN
    assert not any(unicodedata.category(character)[0] == "C" and character not in "\u200c\u200d" for character in name)
    assert name[0] not in " ."
    assert name[-1] not in " ."
    assert name.split(".")[0].strip().lower() not in RESERVED


@given(TEXTS)
def test_a_safe_name_stays_as_it_is(text):
    name = safe_name(text)
    assert safe_name(name) == name


@given(TEXTS)
def test_a_name_can_be_made_and_is_found_again(text):
    with TemporaryDirectory() as folder:
        path = book_folder(Path(folder), text, text)
        path.mkdir(parents=True)
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dune", "Dune"),
        ("Dune: Part Two", "Dune - Part Two"),
        ("AC/DC", "AC-DC"),
        ('What is "art"?', "What is 'art'"),
        ("  ...hidden.  ", "hidden"),
        ("Mr. and Mrs.", "Mr. and Mrs"),
        ("CON", "CON_"),
        ("nul.txt", "nul_.txt"),
        ("Com1 .x", "Com1_ .x"),
        ("Console", "Console"),
        ("", "Untitled"),
        ("???", "Untitled"),
        ("\u202egnp.exe", "gnp.exe"),
        ("e\u0301te\u0301", "été"),
        ("line\r\nbreak\ttab", "line break tab"),
        ("ספר הג'ונגל", "ספר הג'ונגל"),
        ("می‌خواهم", "می‌خواهم"),
        ("👩‍👩‍👧 family", "👩‍👩‍👧 family"),
        ("half \ud800 surrogate", "half surrogate"),
        ("ﬁne", "ﬁne"),
    ],
)
def test_a_title_is_kept_as_far_as_it_can_be(text, name):
    assert safe_name(text) == name


def test_a_reserved_name_has_room_for_its_mark():
    assert len(safe_name("nul." + "x" * 300, suffix=".m4b").encode()) <= MOST_BYTES


def test_a_long_title_is_cut_between_characters():
    family = "👩‍👩‍👧"
    name = safe_name(family * 50)
    assert name == family * (len(name) // len(family))
    assert MOST_BYTES - 30 < len(name.encode()) <= MOST_BYTES
    assert safe_name("é" * 300, suffix=" (2)").endswith("éé (2)")


def test_a_book_stands_under_its_author(tmp_path):
    assert book_folder(tmp_path, "Frank Herbert", "Dune") == tmp_path / "Frank Herbert" / "Dune"
    assert book_folder(tmp_path, None, "Dune", number=2) == tmp_path / "Unknown author" / "Dune (2)"


@given(st.text(max_size=60))
def test_clusters_are_the_text(text):
    assert "".join(clusters(text)) == text


@given(st.text(max_size=60), st.integers(0, 100))
def test_what_fits_is_a_start_of_the_text(text, most):
    text = text.encode(errors="replace").decode()
    kept = fit(text, most)
    assert text.startswith(kept)
    assert len(kept.encode()) <= most


@pytest.mark.parametrize("text", ["é", "e\u0301", "👩‍👩‍👧", "👍🏽", "🇫🇷", "❤️", "नि", "가"])
def test_what_is_seen_as_one_is_one(text):
    assert list(clusters(text)) == [text]


def test_flags_are_pairs():
    assert list(clusters("🇫🇷🇩🇪")) == ["🇫🇷", "🇩🇪"]
