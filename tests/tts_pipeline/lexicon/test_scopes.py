"""What is more exact counts more: the book before the language, the language before the rest."""

from pathlib import Path

import pytest

from tests.tts_pipeline.lexicon.making import lexicon, word, words
from tts_pipeline.lexicon import Lexicon, read_lexicon

FILE = """
[words]
Ann = "everywhere"
Ben = "everywhere"
Cid = "everywhere"
Dan = "everywhere"

[languages.en.words]
Ben = "english"
Cid = "english"

[languages.en-GB.words]
Cid = "british"

[books.Dune.words]
Dan = "dune"
Ben = "dune"

[books.Dune.languages.en.words]
Eve = "english dune"
Dan = "english dune"

[books."emma.epub".words]
Ann = "emma"

[books.01J9.words]
Ann = "by id"
"""
TEXT = "Ann Ben Cid Dan Eve"


@pytest.fixture
def shelf(tmp_path) -> Lexicon:
    path = tmp_path / "lexicon.toml"
    path.write_text(FILE, encoding="utf-8")
    return read_lexicon(path)


@pytest.mark.parametrize(
    ("language", "spoken"),
    [
        ("fr", "everywhere everywhere everywhere everywhere Eve"),
        ("en", "everywhere english english everywhere Eve"),
        ("en-US", "everywhere english english everywhere Eve"),
        ("en_gb", "everywhere english british everywhere Eve"),
        ("en-GB-oxendict", "everywhere english british everywhere Eve"),
        ("eng", "everywhere everywhere everywhere everywhere Eve"),
        ("", "everywhere everywhere everywhere everywhere Eve"),
    ],
)
def test_the_most_exact_language_wins(shelf, language, spoken):
    assert shelf.spoken(TEXT, language) == spoken
    assert shelf.for_book("Some book", None, None).spoken(TEXT, language) == spoken


def test_a_book_wins_over_every_language(shelf):
    dune = shelf.for_book("Dune", None, None)
    assert dune.spoken(TEXT, "en-GB") == "everywhere dune british english dune english dune"
    assert dune.spoken(TEXT, "fr") == "everywhere dune everywhere dune Eve"


def test_a_book_is_named_by_its_id_its_file_or_its_title(shelf):
    def ann(*named):
        return shelf.for_book(*named).spoken("Ann", "en")

    assert ann("Emma", None, "/shelf/Emma.EPUB") == "emma"
    assert ann("Emma", None, r"C:\books\emma.epub") == "emma"
    assert ann("Emma", None, "books/emma.epub/") == "emma"
    assert ann("EMMA.epub", None, None) == "emma"
    assert ann("Emma", None, "emma.epub.txt") == "everywhere"
    assert ann("Emma", "01j9", "emma.epub") == "by id"
    assert ann("dune", "01J9", "emma.epub") == "by id"
    assert shelf.for_book("DUNE", "01J9", "emma.epub").spoken(TEXT, "fr") == "by id dune everywhere dune Eve"


def test_a_title_is_known_however_its_apostrophe_and_spaces_are_written(tmp_path):
    path = tmp_path / "lexicon.toml"
    path.write_text('[books."The  Clockmaker’s Daughter".words]\na = "b"\n', encoding="utf-8")
    assert read_lexicon(path).for_book("the clockmaker's daughter", None, None).spoken("a", "en") == "b"


def test_what_is_meant_for_one_book_holds_for_no_other(tmp_path):
    path = tmp_path / "lexicon.toml"
    path.write_text('[books.Dune.words]\na = "b"\n', encoding="utf-8")
    found = read_lexicon(path)
    assert found
    assert found.spoken("a", "en") == "a"
    assert not found.for_book("Emma", None, None)
    assert found.for_book("Dune", None, None)


def test_none_is_false():
    assert not Lexicon()
    assert not Lexicon().for_book("Dune", "1", "dune.epub")
    assert words(a="b")


def test_a_lexicon_comes_back_from_what_was_dumped(shelf):
    import json

    for found in (shelf, shelf.for_book("Dune", None, None), Lexicon()):
        before = json.dumps(found.dump())
        assert Lexicon.load(json.loads(before)) == found
        found.spoken(TEXT, "en")
        assert json.dumps(found.dump()) == before
        assert Lexicon.load(found.dump()) == found


def test_the_same_entries_are_dumped_alike_however_the_file_is_ordered(tmp_path):
    def read(text: str) -> Lexicon:
        Path(tmp_path / "lexicon.toml").write_text(text, encoding="utf-8")
        return read_lexicon(tmp_path / "lexicon.toml")

    one = read('[words]\na = "1"\nb = "2"\n[languages.de.words]\nc = "3"\n[languages.fr.words]\nd = "4"\n')
    other = read('[languages.FR.words]\nd = "4"\n[languages.de.words]\nc = "3"\n[words]\n# so\nb = "2"\na = " 1\\n"\n')
    assert one.dump() == other.dump()


def test_an_entry_holds_where_its_language_does():
    assert lexicon(word("a", language="zh-Hant")).spoken("a", "zh-Hant-TW") == "X"
    assert lexicon(word("a", language="zh-Hant")).spoken("a", "zh") == "a"
