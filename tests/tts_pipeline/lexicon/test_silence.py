"""An empty spoken form is silence, and takes with it what only divided it from the rest."""

import pytest

from tests.tts_pipeline.lexicon.making import lexicon, pattern, word


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("well um yes", "well yes"),
        ("Um, yes.", "yes."),
        ("Well, um, no.", "Well, no."),
        ("So, um.", "So."),
        ("so um", "so"),
        ("“Um,” he said.", "“” he said."),
        ("yes, um—no", "yes—no"),
        ("a\num\nb", "a\n\nb"),
        ("no um… yes", "no… yes"),
        ("um 5 %", "5 %"),
    ],
)
def test_a_word_that_is_not_said_leaves_no_gap(text, spoken):
    assert lexicon(word("um", "")).spoken(text, "en") == spoken


@pytest.mark.parametrize("text", ["Um.", "um", "“Um, um?” …", "um" + "," * 5000])
def test_where_nothing_is_left_to_be_said_nothing_is_left(text):
    assert lexicon(word("um", "")).spoken(text, "en") == ""


def test_what_follows_at_once_and_is_said_otherwise_keeps_its_space():
    spoken = lexicon(word("um", "", whole=False), word("no", "yes", whole=False))
    assert spoken.spoken("well umno", "en") == "well yes"


def test_signs_alone_stay_where_nothing_was_left_out():
    assert lexicon(word("um", "")).spoken("* * *", "en") == "* * *"
    assert lexicon(word("*", "…")).spoken("*", "en") == "…"


def test_what_follows_silence_is_said_once():
    spoken = lexicon(word("um", ""), pattern(", (yes)", r", \1 \1", whole=False), pattern(" ", "_", whole=False))
    assert spoken.spoken("um, yes um um no", "en") == ", yes yes___no"
