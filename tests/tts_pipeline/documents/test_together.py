"""Several files are one book."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.tts_pipeline.documents.epubs import Epub, page
from tests.tts_pipeline.documents.told import titles, words
from tts_pipeline.book import Document
from tts_pipeline.documents import ENDINGS, Limits, ReadingOptions, read_as_one
from tts_pipeline.documents.formats import FORMATS
from tts_pipeline.errors import UnreadableDocument

LONG = "It was a long day, and nobody knew yet how it would end.\n\n" * 1200


@pytest.fixture
def book(tmp_path):
    def book(files: dict[str, str], title: str | None = None, **options: object) -> Document:
        for name, text in files.items():
            path = tmp_path / "Long Days" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        paths = [tmp_path / "Long Days" / name for name in files]
        return read_as_one(paths, ReadingOptions(**options), title)

    return book


def test_chapters_come_in_the_order_of_the_files(book):
    document = book({"b.md": "# One\n\nA.\n\n# Two\n\nB.", "a.txt": "C.", "c.html": "<h1>Three</h1><p>D."})
    assert titles(document) == ["One", "Two", "A", "Three"]
    assert words(document) == ["One", "A.", "Two", "B.", "C.", "Three", "D."]


def test_a_file_without_chapters_is_one_chapter_however_long(book):
    assert titles(book({"the-first.txt": LONG, "second.md": LONG})) == ["The first", "Second"]


def test_places_tell_files_apart(book, tmp_path):
    document = book({"a/x.txt": "A.", "b/x.txt": "B.", "x.txt": "C."})
    assert [chapter.blocks[0].place.file for chapter in document.chapters] == ["a/x.txt", "b/x.txt", "x.txt"]
    epubs = [Epub({"c.xhtml": page(f"<p>{name}</p>")}).write(tmp_path / f"{name}.epub") for name in "ab"]
    document = read_as_one(epubs)
    assert [chapter.blocks[0].place.file for chapter in document.chapters] == [
        "a.epub/OEBPS/c.xhtml",
        "b.epub/OEBPS/c.xhtml",
    ]
    assert document.title == "A Book"


def test_the_first_tells_the_language_and_others_differ(book):
    files = {
        "a.md": "---\nlang: en\nauthor: A. Writer\n---\n\nA.",
        "b.md": "---\nlang: fr\nauthor: B. Writer\n---\n\nB.",
        "c.md": "C.",
    }
    document = book(files)
    assert (document.language, document.author) == ("en", "A. Writer, B. Writer")
    assert [chapter.blocks[0].language for chapter in document.chapters] == [None, "fr", None]
    assert {block.language for each in book(files, language="de").chapters for block in each.blocks} == {None}


@pytest.mark.parametrize(
    ("names", "title"),
    [
        (("the_fair_01.md", "the_fair_02.md"), "The fair"),
        (("The Fair - Part 1.md", "The Fair - Part 2.md"), "The Fair"),
        (("chapter-01.md", "chapter-02.md"), "Long Days"),
        (("01.md", "02.md"), "Long Days"),
        (("arrival.md", "storm.md"), "Arrival"),
    ],
)
def test_titles(book, names, title):
    files = dict.fromkeys(names, "Text.")
    assert book(files).title == title
    assert book(files, "Given").title == "Given"


def test_what_can_not_be_read_is_named(book, tmp_path):
    with pytest.raises(UnreadableDocument, match=r"b\.md: it is empty"):
        book({"a.md": "A.", "b.md": ""})
    with pytest.raises(UnreadableDocument, match=r"b\.md: with it"):
        book({"a.md": "Some words.", "b.md": "Some words."}, limits=Limits(text_chars=15))
    with pytest.raises(ValueError, match="at least one"):
        read_as_one([])


def test_no_reader_is_imported_before_it_is_needed():
    libraries = (
        "{'lxml', 'mammoth', 'markdown_it', 'mdit_py_plugins', 'pypdfium2', 'pypdfium2_raw', 'charset_normalizer'}"
    )
    program = f"import sys, tts_pipeline.documents; sys.exit(str(sorted({libraries} & set(sys.modules))))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stderr == "[]\n"


def test_the_table_of_formats_is_whole():
    assert {".epub", ".docx", ".pdf", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text"} == ENDINGS
    assert len({each.name for each in FORMATS}) == len(FORMATS)
    assert Path("a.md").suffix in ENDINGS
