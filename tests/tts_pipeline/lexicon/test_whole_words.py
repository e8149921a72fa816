"""A word is found where it is a word, in whatever script it is written."""

import unicodedata

import pytest

from tests.tts_pipeline.lexicon.making import lexicon, pattern, said, word


@pytest.mark.parametrize(
    ("written", "text", "spoken"),
    [
        ("cat", "Cat, cat. (cat) “cat” cat's cat", "X, X. (X) “X” X's X"),
        ("cat", "concat catalogue cat_2 cats 1cat cat1", "concat catalogue cat_2 cats 1cat cat1"),
        ("Luc", "Jean-Luc, Luc-like", "Jean-X, X-like"),
        ("Jean-Luc", "Jean-Luc and Jean", "X and Jean"),
        ("C++", "C++, C++11 and C", "X, X11 and C"),
        (".NET", "ASP.NET", "ASPX"),
        ("g", "e.g. 5 g, U.S.g.A", "e.g. 5 X, U.S.g.A"),
        ("e.g.", "e.g. this", "X this"),
        ("14", "14 is not 3.14 nor 14,000 nor 14.5, but 14.", "X is not 3.14 nor 14,000 nor 14.5, but X."),
        ("St. Ives", "St. Ives, St.\nIves", "X, X"),
        ("lega", "col·lega, lega", "col·lega, X"),
    ],
)
def test_a_word_is_not_found_in_another(written, text, spoken):
    assert said(written, text) == spoken


@pytest.mark.parametrize(
    ("written", "text", "spoken"),
    [
        ("Hermione", "Hermione's l'Hermione Hermione’ll d'Hermione’s", "X's l'X X’ll d'X’s"),
        ("can", "can't can", "can't X"),
        ("t", "don't, t", "don't, X"),
        ("m", "I'm 5 m", "I'm 5 X"),
        ("s", "it's 5 s", "it's 5 X"),
        ("hui", "aujourd'hui huit hui", "aujourd'hui huit X"),
        ("Brien", "O'Brien", "O'Brien"),
        ("don't", "Don’t don't don\u02bct", "X X X"),
        ("j", "j'm'en j", "j'm'en X"),
        ("don’t", "Don’t don't", "X X"),
        ("'em", "get 'em th'em", "get X th'em"),
        ("l'", "l'été", "Xété"),
        ("l'été", "L'été, d'été", "X, d'été"),
        ("dogs", "the dogs' 'dogs'", "the X' 'X'"),
    ],
)
def test_an_apostrophe_divides_articles_and_endings_only(written, text, spoken):
    assert said(written, text) == spoken


@pytest.mark.parametrize(
    ("written", "text", "language", "spoken"),
    [
        ("Artagnan", "d'Artagnan qu’Artagnan jusqu'Artagnan", "fr", "d'X qu’X jusqu'X"),
        ("opera", "dell'opera un'opera", "it", "dell'X un'X"),
        ("weiß", "WEISS weiss Weiß weißt", "de", "X X X weißt"),
        ("Straße", "Straße STRASSE Straßenbahn", "de", "X STRASSE Straßenbahn"),
        ("كتاب", "كتاب، الكتاب كِتاب كتاب؟", "ar", "X، الكتاب كِتاب X؟"),
        ("हिन्दी", "हिन्दी, हिन्दीवाला", "hi", "X, हिन्दीवाला"),
        ("क", "कि क का क्", "hi", "कि X का क्"),
        ("क़लम", "क़लम", "hi", "X"),
        ("می‌خواهم", "می‌خواهم", "fa", "X"),
        ("می", "می‌خواهم می", "fa", "می‌خواهم X"),
        ("東京", "東京都に住む", "ja", "X都に住む"),
        ("ロンドン", "橋はロンドンブリッジ", "ja", "橋はXブリッジ"),
        ("iPhone", "iPhoneを買う", "ja", "Xを買う"),
        ("か", "かが", "ja", "Xが"),
        ("北京", "我在北京。", "zh", "我在X。"),
        ("กิน", "ฉันกินข้าว", "th", "ฉันXข้าว"),
        ("ก", "กิน กา", "th", "กิน Xา"),
        ("런던", "런던은 런던", "ko", "런던은 X"),
        ("ять", "п'ять ять", "uk", "п'ять X"),
        ("ל", 'צה"ל ל', "he", 'צה"ל X'),
        ("İstanbul", "İstanbul'da İstanbul’un", "tr", "X'da X’un"),
        ("da", "İstanbul'da da", "tr", "İstanbul'da X"),
    ],
)
def test_words_of_many_languages(written, text, language, spoken):
    assert said(written, text, language) == spoken


def test_a_letter_and_its_accent_are_one_however_they_are_stored():
    for form in ("NFC", "NFD"):
        assert said(unicodedata.normalize(form, "Café"), "Café Cafe\u0301") == "X X"
        assert said("cafe", unicodedata.normalize(form, "café cafe")) == "café X"


@pytest.mark.parametrize(
    ("written", "text", "spoken"),
    [
        ("cat", "concat Cats", "conX Xs"),
        ("ক", "কি ক", "কি X"),
        ("s", "ß ss", "ß XX"),
        ("런던", "런던은", "X은"),
        ("كتاب", "الكتاب", "الX"),  # noqa: RUF001
    ],
)
def test_a_part_of_a_word_is_found_where_that_is_asked_for_but_no_letter_is_torn(written, text, spoken):
    assert said(written, text, whole=False) == spoken


def test_words_and_parts_of_words_go_together():
    both = lexicon(word("cat", "W"), word("at", "P", whole=False), word("ca", "Q", whole=False))
    assert both.spoken("cat cats bat", "en") == "W Qts bP"


def test_patterns_find_whole_words_too():
    assert lexicon(pattern("colou?r")).spoken("color colours color's", "en") == "X colours X's"
    assert lexicon(pattern("t|ten")).spoken("ten don't", "en") == "X don't"
    assert lexicon(pattern("colou?r", whole=False)).spoken("colours", "en") == "Xs"
    assert lexicon(pattern("(?x) t e n  # a number")).spoken("ten tens", "en") == "X tens"
