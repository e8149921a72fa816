"""A file is read as it was meant, or refused in one line that says where and why."""

import pytest

from tts_pipeline.errors import PipelineError
from tts_pipeline.lexicon import BadLexicon, Lexicon, read_lexicon


@pytest.fixture
def read(tmp_path):
    def read(text: str | bytes) -> Lexicon:
        path = tmp_path / "lexicon.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_lexicon(path)

    return read


def test_keys_may_have_dots_apostrophes_and_any_script(read):
    found = read('[words]\n"e.g." = "for example"\n"d\'Artagnan" = "D"\n"東京" = "とうきょう"\n"Zoë" = "Zo-ee"\n')
    assert found.spoken("e.g. d’Artagnan, Zoe\u0308", "en") == "for example D, Zo-ee"
    assert found.spoken("東京都", "ja") == "とうきょう都"


def test_what_is_said_is_brought_into_one_form(read):
    found = read('[words]\na = """\n one\\ttwo\\u0007 \n e\\u0301\\u200bé\\u202e """\n')
    assert found.spoken("a", "en") == "one two éé"


def test_an_entry_may_have_options(read):
    found = read('[words]\ncat = { say = "X", case = "exact", whole = false }\ndog.say = "Y"\n')
    assert found.spoken("cats Cats dog", "en") == "Xs Cats Y"


def test_a_file_of_a_windows_editor_is_read(read):
    assert read(b'\xef\xbb\xbf[words]\r\na = "b"\r\n').spoken("a", "en") == "b"


def test_an_empty_file_is_an_empty_lexicon(read):
    assert read("") == Lexicon()
    assert read("# nothing yet\n[words]\n[books.Dune]\n") == Lexicon()


@pytest.mark.parametrize(
    ("text", "entry", "reason"),
    [
        ("[words]\nZoë = 'x'\n", "", "stands in quotes"),
        ("[words]\na = 'x'\na = 'y'\n", "", "no TOML"),
        (b"[words]\na = '\xff'\n", "", "UTF-8"),
        ("[word]\na = 'x'\n", "word", "words perhaps?"),
        ("a = 'x'\n", "a", "here stand words, patterns, languages, books"),
        ("words = 'x'\n", "words", "it is a table: [words]"),
        ("[words]\na = 5\n", "[words] a", "write what is said"),
        ("[words]\ne.g = 'x'\n", "[words] e", "stands in quotes"),
        ("[words]\na = {}\n", "[words] a", "it has no say"),
        ("[words]\na = {say = 'x', hole = true}\n", "[words] a", "there is no 'hole'"),
        ("[words]\na = {say = 'x', case = 'upper'}\n", "[words] a", "case: Input should be 'exact' or 'ignore'"),
        ("[words]\na = {say = 'x', whole = 'yes'}\n", "[words] a", "whole: Input should be a valid boolean"),
        ("[words]\n' ' = 'x'\n", '[words] " "', "nothing to look for"),
        ('[words]\n"a\\nb" = 5\n', '[words] "a\\nb"', "write what is said"),
        (f"[words]\n{'a' * 201} = 'x'\n", f"[words] {'a' * 80}", "more than 200 characters"),
        (f"[words]\na = '{'x' * 1001}'\n", "[words] a", "more than 1000 characters"),
        ("[words]\n\"it's\" = '1'\n\"it’s\" = '2'\n", '[words] "it’s"', "twice"),
        ("[languages.English.words]\n", "[languages.English]", "'English' is no language"),
        ("[languages.en.books.x]\n", "[languages.en] books", "there is no such key"),
        ("[languages.en-GB]\n[languages.en_gb]\n", "[languages.en_gb]", "twice"),
        ("[books.Dune]\n[books.DUNE]\n", "[books.DUNE]", "same book as [books.Dune]"),
        ("[books.Dune]\nwordz = {}\n", "[books.Dune] wordz", "words perhaps?"),
        ('[books."St. Ives".words]\na = 5\n', '[books."St. Ives".words] a', "write what is said"),
        ("[patterns]\na = 'x'\n", "[patterns]", "[[patterns]]"),
        ("[[patterns]]\nsay = 'x'\n", "[patterns] 1", "it has no pattern"),
        ("[[patterns]]\npattern = 'a'\n", "[patterns] 1, 'a'", "it has no say"),
        (
            "[[patterns]]\npattern = 'a'\nsay = ''\n[[patterns]]\npattern = '('\nsay = 'x'\n",
            "[patterns] 2, '('",
            "no regular expression: missing ) at position 1",
        ),
        ("[[books.x.languages.fr.patterns]]\n", "[books.x.languages.fr.patterns] 1", "it has no pattern"),
        ("[[patterns]]\npattern = '(a|aa)+$'\nsay = 'x'\n", "[patterns] 1, '(a|aa)+$'", "too long at 'aaaaaaaaaa'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(read, tmp_path, text, entry, reason):
    with pytest.raises(BadLexicon) as refused:
        read(text)
    error = refused.value
    assert error.file == str(tmp_path / "lexicon.toml")
    assert error.entry == entry
    assert reason in error.reason
    assert str(error) == ": ".join(part for part in (error.file, entry, error.reason) if part)
    assert "\n" not in str(error)
    assert isinstance(error, PipelineError)
    assert not error.can_retry


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadLexicon, match="No such file"):
        read_lexicon(tmp_path / "lexicon.toml")
