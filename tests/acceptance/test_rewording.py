"""Sentences that are said otherwise, or once more, as somebody types it; one book for all, made once."""

import shutil

import pytest

from tests.acceptance.reader import Reader, book, sentence

TEXT = book(chapters=2, sentences=4)
SECOND = sentence(1, 2)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Reader:
    reader = Reader(tmp_path_factory.mktemp("made"))
    reader.types("run", reader.writes("walk.txt", TEXT), "--engine", reader.speaker, "--workers", "1")
    return reader


@pytest.fixture
def own(tmp_path) -> Reader:
    """A shelf whose book's file may change."""
    own = Reader(tmp_path)
    own.types("run", own.writes("walk.txt", TEXT), "--engine", own.speaker, "--workers", "1")
    (tmp_path / "asked.txt").unlink()
    return own


@pytest.fixture
def reader(made, tmp_path) -> Reader:
    """A copy of the shelf; the voice goes on in the folder where the book was made."""
    for name in ("data", "outputs"):
        shutil.copytree(made.folder / name, tmp_path / name)
    shutil.copy(made.folder / "walk.txt", tmp_path)
    (made.folder / "asked.txt").write_text("", encoding="utf-8")
    return Reader(tmp_path)


def number_of(reader: Reader, text: str) -> int:
    """Return the number of a sentence as people count, from the report of the book."""
    from tts_pipeline.report.published import read_report

    captions = (path.read_text(encoding="utf-8") for path in reader.folder.rglob("*.srt"))
    assert any(text[:20] in caption for caption in captions)
    (report,) = reader.folder.glob("outputs/*/*/report.json")
    import hashlib

    digest = hashlib.sha256(text.encode()).hexdigest()
    return next(each.number + 1 for each in read_report(report).sentences if each.text_sha256 == digest)


def test_edit_renders_one_sentence_and_lasts_over_revisions(own):
    number = str(number_of(own, SECOND))
    told = own.told("edit", "walk", "--sentence", number, "--say", "Nobody counted the steps.")
    assert own.asked() == ["Nobody counted the steps."]
    assert [(each["revision"], each["new_sentences"], each["state"]) for each in told] == [(2, 1, "published")]
    assert SECOND[:20] in next(own.folder.glob("outputs/*/*/*.srt")).read_text(encoding="utf-8")
    own.writes("walk.txt", TEXT.replace(sentence(2, 1), "Something else is here."))
    own.types("run", "walk.txt", "--engine", own.speaker, "--workers", "1")
    assert own.asked() == ["Nobody counted the steps.", "Something else is here."]
    own.types("edit", "walk", "--sentence", number, "--as-written", "--workers", "1")
    assert own.asked()[2:] == [], "as it was first, its clip is there still"
    own.types("verify")


def test_redo_renders_a_sentence_or_a_chapter_once_more(made, reader):
    reader.types("redo", "walk", "--sentence", str(number_of(reader, SECOND)), "--workers", "1")
    assert made.asked() == [SECOND]
    reader.types("redo", "walk", "--chapter", "2", "--workers", "1")
    assert sorted(made.asked()[1:]) == sorted(["CHAPTER 2", *(sentence(2, at) for at in range(1, 5))])
    reader.types("verify")


def test_redo_lexicon_says_how_much_that_is_before_it_starts(made, reader):
    reader.writes("lexicon.toml", '[words]\n"day 2" = "the second day"\n')
    run = reader.types("redo", "--lexicon", "--dry-run")
    assert "4 sentences in 1 book to be rendered again" in run.stderr
    assert made.asked() == []
    reader.types("redo", "--lexicon", "--workers", "1")
    assert made.asked() == [sentence(2, at).replace("day 2", "the second day") for at in range(1, 5)]
    assert "nothing has changed" in reader.types("redo", "--lexicon").stderr


def test_a_new_pronunciation_comes_with_the_next_run_too(own):
    own.writes("lexicon.toml", '[books."walk.txt".words]\nwalk = "wok"\n[books.other.words]\nsteps = "stabs"\n')
    own.types("run", "walk.txt", "--engine", own.speaker, "--workers", "1")
    assert len(own.asked()) == 1 + 8
    assert all("wok" in text and "stabs" not in text for text in own.asked())


def test_later_leaves_it_to_workers_elsewhere(made, reader):
    reader.types("redo", "walk", "--sentence", str(number_of(reader, SECOND)), "--later")
    assert made.asked() == []
    reader.types("work", "--workers", "1")
    assert made.asked() == [SECOND]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("redo", "walk"), "say what"),
        (("redo", "--chapter", "1"), "name the one BOOK"),
        (("redo", "walk", "--chapter", "7"), "they go from 1 to 2"),
        (("redo", "walk", "--sentence", "700"), "they go from 1 to"),
        (("redo", "walk", "--sentence", "0"), "is not a whole number from 1 on"),
        (("redo", "walk", "--chapter", "1", "--dry-run"), "say what"),
        (("redo", "walk", "--lexicon", "--chapter", "1"), "say what"),
        (("edit", "walk", "--sentence", "2"), "say either"),
        (("edit", "walk", "--sentence", "2", "--say", "…"), "say either"),
        (("edit", "walk", "--sentence", "2", "--say", "a", "--as-written"), "say either"),
        (("edit", "walk", "--sentence", "700", "--say", "a"), "they go from 1 to"),
    ],
)
def test_wrong_use_is_said_in_one_line_and_changes_nothing(reader, words, reason):
    run = reader.types(*words, exit_code=2)
    assert reason in run.stderr
    assert [each["revision"] for each in reader.told("status")] == [1]


def test_a_lexicon_that_cant_be_read_is_told_with_its_place(reader):
    reader.writes("lexicon.toml", "[words]\nwalk = 3\n")
    run = reader.types("redo", "--lexicon", exit_code=1)
    assert "lexicon.toml" in run.stderr
    assert "walk" in run.stderr
    assert len(run.stderr.splitlines()) == 1
