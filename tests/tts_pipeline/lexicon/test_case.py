"""Capitals count where an entry has them, unless it says otherwise."""

import pytest

from tests.tts_pipeline.lexicon.making import lexicon, pattern, said, word

DOTLESS = "\N{LATIN SMALL LETTER DOTLESS I}"


def test_a_word_in_small_letters_stands_for_any_case():
    assert said("live", "live Live LIVE lIvE") == "X X X X"


def test_a_word_with_capitals_stands_for_itself():
    assert said("Polish", "Polish polish POLISH") == "X polish POLISH"
    assert said("iOS", "iOS ios IOS") == "X ios IOS"


def test_an_entry_may_decide():
    assert said("live", "live Live", case="exact") == "X Live"
    assert said("Polish", "Polish polish POLISH", case="ignore") == "X X X"


def test_a_word_as_it_is_written_counts_more_than_any_case():
    for entries in ([word("polish", "1"), word("Polish", "2")], [word("Polish", "2"), word("polish", "1")]):
        assert lexicon(*entries).spoken("polish Polish POLISH", "en") == "1 2 1"


def test_a_pattern_stands_for_its_own_case_unless_it_says_otherwise():
    assert lexicon(pattern(r"no\. \d")).spoken("no. 1 No. 1", "en") == "X No. 1"
    assert lexicon(pattern(r"no\. \d", case="ignore")).spoken("no. 1 No. 1", "en") == "X X"


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_outside_of_turkish_the_capital_with_a_dot_is_another_letter(language):
    assert said("istanbul", "ISTANBUL İSTANBUL", language) == "X İSTANBUL"
    assert said(f"{DOTLESS}rmak", "IRMAK", language) == "IRMAK"


@pytest.mark.parametrize("language", ["tr", "tr-TR", "az"])
def test_in_turkish_each_i_has_its_own_capital(language):
    assert said("istanbul", "İSTANBUL ISTANBUL", language) == "X ISTANBUL"
    assert said(f"{DOTLESS}rmak", f"IRMAK {DOTLESS}rmak İRMAK", language) == "X X İRMAK"


def test_letters_that_become_two_leave_all_others_in_place():
    assert said("end", "ẞßİ ŉ ﬁ end, bend.") == "ẞßİ ŉ ﬁ X, bend."
    assert said("ss", "ß ss weiß") == "X X weiß"


def test_a_greek_word_ends_in_either_sigma():
    assert said("λόγος", "ΛΌΓΟΣ Λόγος", "el") == "X X"
