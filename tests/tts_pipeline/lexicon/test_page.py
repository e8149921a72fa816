"""The page on the lexicon says what is so."""

import re
from pathlib import Path

import pytest

from tts_pipeline.lexicon import Lexicon, boundaries, entry, patterns, read_lexicon, wording

PAGE = (Path(__file__).parents[3] / "docs/lexicon.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([a-z]{2}(?:-[A-Z]{2})?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)


@pytest.fixture
def shown(tmp_path) -> Lexicon:
    (block,) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "lexicon.toml").write_text(block, encoding="utf-8")
    return read_lexicon(tmp_path / "lexicon.toml")


def test_the_example_is_said_as_the_page_has_it(shown):
    assert len(ROWS) == 11
    for language, written, spoken in ROWS:
        assert shown.spoken(written, language) == spoken


def test_the_example_knows_its_books(shown):
    clockmaker = shown.for_book("The Clockmaker’s Daughter", None, None)
    assert clockmaker.spoken("Hermione in 東京", "en") == "Her-mee-oh-neh in Toe-kyo"
    dune = shown.for_book("Dune", None, "Dune.epub")
    assert dune.spoken("MUAD'DIB", "en") == "Moo-ahd-deeb"
    assert dune.spoken("MUAD'DIB", "fr") == "MUAD'DIB"


def test_the_limits_are_those_of_the_page():
    assert (entry.LONGEST_WORD, entry.LONGEST_PATTERN, entry.LONGEST_SAID) == (200, 1000, 1000)
    assert "200 characters at most, a pattern and what is said 1,000" in PAGE
    assert (patterns.SECONDS, patterns._TRIAL_SECONDS, patterns._TRIAL_SIZE) == (2, 0.5, 300)
    assert (wording._GROWTH, wording._LEAST_LIMIT) == (10, 2000)


def test_the_page_and_the_module_name_the_same_scripts():
    listed = "Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan"
    assert listed in PAGE
    assert listed in boundaries.__doc__
