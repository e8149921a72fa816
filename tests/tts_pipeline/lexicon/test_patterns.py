"""A pattern says what it finds otherwise, and never for long."""

import pytest
from pydantic import ValidationError

from tests.tts_pipeline.lexicon.making import lexicon, pattern, word
from tts_pipeline.lexicon import BadLexicon


@pytest.mark.parametrize(
    ("written", "say", "text", "spoken"),
    [
        (r"(\d+)\s*kHz", r"\1 kilohertz", "44kHz, 8 kHz", "44 kilohertz, 8 kilohertz"),
        (r"(?P<n>\d+)(st|nd)?", r"<\g<n>|\2|\g<0>>", "1st 7", "<1|st|1st> <7||7>"),
        (r"(\w)/(\w)", r"\2\\\1", "a/b", "b\\a"),
        (r"\bno\. (?=\d)", "number ", "no. 7", "number7"),
        (r"\p{Lu}+", "CAPS", "ABC ÉÀ Ab", "CAPS CAPS Ab"),
        (r"a (b\sc)", r"\1", "a b\nc\nd", "b c\nd"),
        (r"x*", "!", "y", "y"),
    ],
)
def test_what_is_said_may_have_parts_of_what_is_found(written, say, text, spoken):
    assert lexicon(pattern(written, say)).spoken(text, "en") == spoken


@pytest.mark.parametrize(
    ("written", "say", "reason"),
    [
        ("(", "x", "no regular expression: missing )"),
        ("[z-a]", "x", "bad character range"),
        ("a)(b", "x", "no regular expression"),
        ("a", r"\1", "no group 1"),
        ("(a)", r"\g<b>", "no group b"),
        ("(a)", r"\n", "backslash"),
        ("(a)", "\\", "backslash"),
        ("a(?R)?b", "x", "call itself"),
        ("(a(?1)?)", "x", "call itself"),
        ("(" * 101 + ")" * 101, "x", "more than 100 groups"),
        ("a" * 1001, "x", "more than 1000 characters"),
        ("", "x", "nothing to look for"),
    ],
)
def test_a_pattern_that_makes_no_sense_is_refused_at_once(written, say, reason):
    with pytest.raises(ValidationError, match=r".*") as refused:
        pattern(written, say)
    assert reason in str(refused.value)


def test_a_pattern_that_would_take_for_ever_is_given_up(monkeypatch):
    monkeypatch.setattr("tts_pipeline.lexicon.patterns.SECONDS", 0.05)
    spoken = lexicon(pattern("(a|aa)+$"))
    assert spoken.spoken("aaa", "en") == "X"
    with pytest.raises(BadLexicon, match=r"pattern '\(a\|aa\)\+\$': it takes too long at 'aaaaaa") as refused:
        spoken.spoken("a" * 60 + "!", "en")
    assert not refused.value.can_retry


@pytest.mark.parametrize("entry", [word("a", "word " * 100), pattern("(.*)", r"\1" * 50, whole=False)])
def test_a_text_that_would_grow_beyond_measure_is_refused(entry):
    with pytest.raises(BadLexicon, match="longer than"):
        lexicon(entry).spoken("a " * 150, "en")


def test_a_short_text_may_grow():
    assert len(lexicon(word("a", "word " * 100)).spoken("a", "en")) == 499


def test_what_is_found_as_part_of_another_pattern_is_not_found_again():
    spoken = lexicon(pattern(r"\d+ and \d+", "both"), pattern(r"\d+", "one"))
    assert spoken.spoken("1 and 2 and 3", "en") == "both and one"
