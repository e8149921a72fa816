"""Chapters are found in texts of every shape, whatever they are written in."""

import html
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tts_pipeline.documents.docxs import Docx, paragraph
from tests.tts_pipeline.documents.epubs import Epub, nav, page
from tests.tts_pipeline.documents.told import titles, told
from tts_pipeline.book import Document
from tts_pipeline.documents import read

ONE = "The ferry left late, for the pilot had gone back to look for his hat, and nobody liked to leave without it."
TWO = "By evening they had found the hat, the pilot and the tide, each of them a little further out than before."
VERSE = "The ferry bell is old and slow,\nIt rings across the bay,\nAnd those who hear it go\nTheir separate way."

Shape = list[tuple[int, str]]
"""Headings with their levels; texts have level 0, and verse has -1."""

PREFACE = [
    (1, "PREFACE"), (0, ONE), (1, "INTRODUCTION"), (0, TWO),
    (1, "CHAPTER I. The Ferry"), (0, ONE), (1, "CHAPTER II. The Hat"), (0, TWO), (1, "EPILOGUE"), (0, ONE),
]  # fmt: skip
PARTS = [
    (1, "PART ONE"), (2, "CHAPTER I"), (0, ONE), (2, "CHAPTER II"), (0, TWO),
    (1, "PART TWO"), (2, "CHAPTER III"), (0, ONE), (2, "CHAPTER IV"), (0, TWO),
]  # fmt: skip
BOOKS = [
    (1, "BOOK THE FIRST"), (0, TWO), (2, "Chapter 1: The Ferry"), (0, ONE), (2, "Chapter 2: The Hat"), (0, TWO),
    (1, "BOOK THE SECOND"), (2, "Chapter 1: The Tide"), (0, ONE),
]  # fmt: skip
DEEP = [
    (1, "BOOK I"), (2, "PART I"), (3, "CHAPTER I"), (0, ONE), (3, "CHAPTER II"), (0, TWO),
    (2, "PART II"), (3, "CHAPTER I"), (0, ONE), (1, "BOOK II"), (2, "PART I"), (3, "CHAPTER I"), (0, TWO),
]  # fmt: skip
LETTERS = [
    (1, "LETTER I"), (0, "Harbour Street, the 3rd of May."), (0, "My dear Ida,"), (0, ONE), (0, "Yours, Tom."),
    (1, "LETTER II"), (0, "Mill Lane, the 9th of May."), (0, "Dear Tom,"), (0, TWO), (0, "Ever yours, Ida."),
]  # fmt: skip
PLAY = [
    (1, "ACT I"), (2, "SCENE I. A quay."), (0, "PILOT. Where did I leave it?"), (0, "IDA. On your head."),
    (2, "SCENE II. The same."), (0, "TOM. The tide is turning."),
    (1, "ACT II"), (2, "SCENE I. A kitchen."), (0, "IDA. Then let it turn."), (0, "PILOT. I have it!"),
]  # fmt: skip
CANTOS = [
    (1, "CANTO I"), (-1, VERSE), (-1, VERSE), (1, "CANTO II"), (-1, VERSE),
]  # fmt: skip
ROMANS = [(1, "I."), (0, ONE), (1, "II."), (0, TWO), (1, "III."), (0, ONE)]
BARE = [(1, "1"), (0, ONE), (1, "2"), (0, TWO), (1, "3"), (0, ONE)]
SECTIONS = [
    (1, "1. The Ferry"), (0, ONE), (2, "1.1 The Bell"), (0, TWO), (2, "1.2 The Rope"), (0, ONE),
    (1, "2. The Hat"), (0, TWO), (2, "2.1 The Brim"), (0, ONE), (1, "3. The Tide"), (0, TWO),
]  # fmt: skip
SHAPES: dict[str, tuple[Shape, list[str]]] = {
    "prefaces": (PREFACE, ["PREFACE", "INTRODUCTION", "CHAPTER I. The Ferry", "CHAPTER II. The Hat", "EPILOGUE"]),
    "parts": (PARTS, ["PART ONE — CHAPTER I", "CHAPTER II", "PART TWO — CHAPTER III", "CHAPTER IV"]),
    "books": (
        BOOKS,
        ["BOOK THE FIRST", "Chapter 1: The Ferry", "Chapter 2: The Hat", "BOOK THE SECOND — Chapter 1: The Tide"],
    ),
    "books with parts": (
        DEEP,
        ["BOOK I — PART I — CHAPTER I", "CHAPTER II", "PART II — CHAPTER I", "BOOK II — PART I — CHAPTER I"],
    ),
    "letters": (LETTERS, ["LETTER I", "LETTER II"]),
    "plays": (PLAY, ["ACT I — SCENE I. A quay", "SCENE II. The same", "ACT II — SCENE I. A kitchen"]),
    "cantos": (CANTOS, ["CANTO I", "CANTO II"]),
    "roman numerals": (ROMANS, ["I", "II", "III"]),
    "numbers": (BARE, ["1", "2", "3"]),
    "numbered sections": (SECTIONS, ["1. The Ferry", "2. The Hat", "3. The Tide"]),
    "one chapter": ([(1, "CHAPTER I"), (0, ONE), (0, TWO)], ["CHAPTER I"]),
    "one preface": ([(1, "Foreword"), (0, ONE)], ["Foreword"]),
}


def plain(folder: Path, shape: Shape) -> Document:
    path = folder / "The Ferry Book.txt"
    lines = ("\n".join(f"    {line}" for line in text.split("\n")) if level < 0 else text for level, text in shape)
    path.write_text("\n\n\n".join(lines), encoding="utf-8")
    return read(path)


def markdown(folder: Path, shape: Shape) -> Document:
    path = folder / "The Ferry Book.md"
    made = (f"{'#' * level} {text}" if level > 0 else text.replace("\n", "\\\n") for level, text in shape)
    path.write_text("\n\n".join(made), encoding="utf-8")
    return read(path)


def elements(shape: Shape) -> str:
    names = ((f"h{level}" if level > 0 else "p", html.escape(text).replace("\n", "<br/>")) for level, text in shape)
    return "\n".join(f"<{name}>{text}</{name}>" for name, text in names)


def web(folder: Path, shape: Shape) -> Document:
    path = folder / "The Ferry Book.html"
    path.write_text(f"<!DOCTYPE html><html><body>{elements(shape)}</body></html>", encoding="utf-8")
    return read(path)


def epub(folder: Path, shape: Shape) -> Document:
    """One file, without a table of contents."""
    return read(Epub({"c.xhtml": page(elements(shape))}).write(folder / "book.epub"))


def word(folder: Path, shape: Shape) -> Document:
    made = (
        paragraph(text.replace("\n", "</w:t><w:br/><w:t>"), style=f"Heading{level}" * (level > 0))
        for level, text in shape
    )
    return read(Docx("".join(made)).write(folder / "The Ferry Book.docx"))


WRITERS: dict[str, Callable[[Path, Shape], Document]] = {
    "txt": plain, "md": markdown, "html": web, "epub": epub, "docx": word
}  # fmt: skip


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("writer", WRITERS)
def test_chapters_of_every_shape(tmp_path, writer, kind):
    shape, expected = SHAPES[kind]
    document = WRITERS[writer](tmp_path, shape)
    assert [title.rstrip(".") for title in titles(document)] == expected
    said = [text for _, text in told(document)]
    assert " ".join(" ".join(said).split()) == " ".join(" ".join(text for _, text in shape).split())


@pytest.mark.parametrize("writer", WRITERS)
def test_verse_is_verse_in_its_chapters(tmp_path, writer):
    kinds = [kind for kind, _ in told(WRITERS[writer](tmp_path, CANTOS))]
    assert kinds == ["heading", "verse", "verse", "heading", "verse"]


@pytest.mark.parametrize("writer", ["md", "html", "docx"])
def test_the_name_of_the_book_is_no_part_of_a_title(tmp_path, writer):
    shape = [(1, "The Ferry Book"), (0, "by Jane Doe"), *((level + (level > 0), text) for level, text in PARTS)]
    document = WRITERS[writer](tmp_path, shape)
    assert (document.title, titles(document)) == ("The Ferry Book", SHAPES["parts"][1])


CONTENTS = [
    "CONTENTS\n\nPREFACE\nINTRODUCTION\nCHAPTER I. The Ferry\nCHAPTER II. The Hat\nEPILOGUE\n",
    "CONTENTS\n\n  Preface ... v\n  Introduction ... ix\n I. The Ferry ... 1\n II. The Hat ... 12\n  Epilogue ... 30\n",
    "Contents.\n\nPreface\n\nIntroduction\n\nChapter I. The Ferry\n\nChapter II. The Hat\n\nEpilogue\n",
]


@pytest.mark.parametrize("table", CONTENTS)
def test_a_table_of_contents_before_prefaces_is_not_read(tmp_path, table):
    shape = [(0, "THE FERRY BOOK"), (0, "by Jane Doe"), (0, table), *PREFACE]
    document = plain(tmp_path, shape)
    assert titles(document) == SHAPES["prefaces"][1]
    assert len(told(document)) == len(PREFACE) + 2


def test_a_table_of_parts_and_chapters_is_not_read(tmp_path):
    table = "CONTENTS\n\nPART ONE\n  CHAPTER I\n  CHAPTER II\n\nPART TWO\n  CHAPTER III\n  CHAPTER IV\n"
    document = plain(tmp_path, [(0, table), *PARTS])
    assert titles(document) == SHAPES["parts"][1]


def test_a_table_of_romans_is_not_read(tmp_path):
    titled = [(1, "I. The Ferry"), (0, ONE), (1, "II. The Hat"), (0, TWO), (1, "III. The Tide"), (0, ONE)]
    table = "CONTENTS\n\n I. The Ferry\n II. The Hat\n III. The Tide\n"
    assert titles(plain(tmp_path, [(0, table), *titled])) == ["I. The Ferry", "II. The Hat", "III. The Tide"]


def test_persons_and_directions_of_a_play_are_read_and_are_no_chapters(tmp_path):
    persons = [(0, "PERSONS OF THE PLAY"), (0, "IDA, a clockmaker.\nTOM, her brother.\nPILOT, of the ferry.")]
    assert titles(plain(tmp_path, [*persons, *PLAY]))[-3:] == SHAPES["plays"][1][-3:]


def test_speeches_and_dates_of_letters_are_no_chapters(tmp_path):
    shape = [*LETTERS, (0, "P.S. I. found it."), (0, "I."), (0, "Part of it, at least."), (0, "Book it for me.")]
    assert titles(plain(tmp_path, shape)) == ["LETTER I", "LETTER II"]


def test_a_poem_with_numbered_stanzas_under_a_title_is_one_chapter(tmp_path):
    shape = [(1, "CHAPTER I"), (0, "1"), (-1, VERSE), (0, "2"), (-1, VERSE), (1, "CHAPTER II"), (0, ONE)]
    assert titles(plain(tmp_path, shape)) == ["CHAPTER I", "CHAPTER II"]


def test_titles_of_poems_are_chapters_where_the_contents_announce_them(tmp_path):
    table = "CONTENTS\n\nThe Bell\nAcross the Bay\nA Hat at Sea\n"
    poems = [
        (0, table),
        (1, "THE BELL"),
        (-1, VERSE),
        (1, "ACROSS THE BAY"),
        (-1, VERSE),
        (1, "A HAT AT SEA"),
        (-1, VERSE),
    ]
    assert titles(plain(tmp_path, poems)) == ["THE BELL", "ACROSS THE BAY", "A HAT AT SEA"]


def test_sections_of_long_parts_are_chapters_and_those_of_short_ones_are_not(tmp_path):
    long = [(0, ONE)] * 120
    names = [(1, "Water"), (2, "The Ferry"), *long, (2, "The Hat"), *long, (1, "Land"), (2, "The Tide"), *long]
    expected = ["Water — The Ferry", "The Hat", "Land — The Tide"]
    assert titles(markdown(tmp_path, names)) == titles(web(tmp_path, names)) == expected
    short = [each for each in names if each[0]] + [(0, ONE)]
    assert titles(markdown(tmp_path, short)) == ["Water", "Land"]


def test_entries_of_an_epub_are_flattened_to_three_levels(tmp_path):
    pages = {f"c{n}.xhtml": page(f"<p>{text}</p>") for n, text in enumerate((ONE, TWO, ONE))}

    def entry(name: str, file: str, inner: str = "") -> str:
        return f'<li><a href="{file}">{name}</a>{f"<ol>{inner}</ol>" if inner else ""}</li>'

    chapters = entry("Chapter 1", "c0.xhtml", entry("Section", "c0.xhtml", entry("Deeper", "c1.xhtml")))
    table = nav(entry("Book", "c0.xhtml", chapters + entry("Chapter 2", "c2.xhtml")))
    document = read(Epub(pages, nav=table).write(tmp_path / "a.epub"))
    assert titles(document) == ["Book — Chapter 1 — Section", "Chapter 2"]
