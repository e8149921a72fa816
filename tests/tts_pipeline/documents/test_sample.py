"""The sample in inputs/ is worth hearing, and the same in both forms."""

from pathlib import Path

import pytest

from tests import sample_book
from tts_pipeline.book import Document, Kind
from tts_pipeline.documents import ReadingOptions, read
from tts_pipeline.text import items

BOTH = [sample_book.TEXT, sample_book.EPUB]


def opened(path: Path) -> Document:
    return read(path, ReadingOptions(notes="inline"))


@pytest.mark.parametrize("path", BOTH, ids=lambda path: path.suffix)
def test_it_has_all_that_a_book_may_have(path):
    document = opened(path)
    assert (document.title, document.author, document.language) == (sample_book.TITLE, sample_book.AUTHOR, "en")
    assert [chapter.title for chapter in document.chapters] == [
        "CHAPTER I. The Shop in Lantern Street",
        "CHAPTER II. Eleven Minutes",
        "CHAPTER III. The Tower of St. Aldhelm",
        "CHAPTER IV. What the Bell Said",
    ]
    kinds = {block.kind for chapter in document.chapters for block in chapter.blocks}
    assert kinds == {Kind.HEADING, Kind.PARAGRAPH, Kind.VERSE, Kind.BREAK, Kind.NOTE}
    assert sum(len(block.text.split()) for chapter in document.chapters for block in chapter.blocks) >= 2000


def test_both_forms_say_the_same():
    text, epub = ([item.text for item in items(opened(path))] for path in BOTH)
    assert text[2:] == epub  # a title page is read of the text alone


def test_the_epub_is_what_its_script_makes():
    assert sample_book.EPUB.read_bytes() == sample_book.epub(), "run python -m tests.sample_book"


def test_it_has_a_cover():
    cover = read(sample_book.EPUB).cover
    assert cover is not None
    assert (cover.media_type, cover.data) == ("image/png", sample_book.cover())
