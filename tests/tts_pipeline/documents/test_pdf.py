"""PDFs as books and papers are set."""

import subprocess
import sys
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib.pdfencrypt import StandardEncryption

from tests.tts_pipeline.documents.bombs import pictures, written
from tests.tts_pipeline.documents.pdfs import BOLD, HEIGHT, LEFT, RIGHT, TOP, Pdf, wrapped
from tests.tts_pipeline.documents.told import titles, told, words
from tts_pipeline.book import Document
from tts_pipeline.documents import Limits, Notes, ReadingOptions, read
from tts_pipeline.errors import UnreadableDocument

ONE = (
    "It was a long day, and nobody in the whole house knew yet how it would end, since every clock had stopped "
    "at noon and the smith who mended them was away at the fair until the following week."
)
TWO = (
    "The youngest of them went to the window from time to time, looked down to the river, and came back to the "
    "table without a word, which the others took for an answer as good as any that could be had."
)
THREE = "So they waited, as people do who have no choice, and told each other what they had told each other before."


@pytest.fixture
def pdf(tmp_path):
    def pdf(**about: object) -> Pdf:
        return Pdf(tmp_path / "book.pdf", **about)

    return pdf


def reading(made: Pdf, **options: object) -> Document:
    return read(made.save(), ReadingOptions(**options))


def refused(path, **limits: float) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        read(path, ReadingOptions(limits=Limits(**limits)))
    assert "\n" not in caught.value.reason
    return caught.value.reason


def test_indents_begin_paragraphs(pdf):
    assert told(reading(pdf().text(ONE).text(TWO).text(THREE))) == [("paragraph", each) for each in (ONE, TWO, THREE)]


def test_gaps_begin_paragraphs(pdf):
    made = pdf()
    for text in (ONE, TWO, THREE):
        made.text(text, indent=0)
        made.y -= 10
    assert words(reading(made)) == [ONE, TWO, THREE]


def test_lines_that_end_early_end_paragraphs(pdf):
    made = pdf()
    for text in (ONE, TWO, THREE):
        made.text(text, indent=0)
    assert words(reading(made)) == [ONE, TWO, THREE]


def test_a_paragraph_goes_on_after_the_page(pdf):
    lines = wrapped(f"{ONE} {TWO} {THREE}", RIGHT - LEFT)
    made = pdf()
    for line in lines[:5]:
        made.line(line)
    made.next_page()
    for line in lines[5:]:
        made.line(line)
    document = reading(made.text(ONE))
    assert words(document) == [f"{ONE} {TWO} {THREE}", ONE]
    assert [block.place.element for block in document.chapters[0].blocks] == ["page 1", "page 2"]


HYPHENS = {
    "The clock-\nmaker": "The clockmaker",
    "The Anglo-\nSaxon": "The Anglo-Saxon",
    "The years 1914-\n1918": "The years 1914-1918",
    "A word —\nand more": "A word — and more",
    "so\u00ad\nmething": "something",
}


@pytest.mark.parametrize(("text", "said"), HYPHENS.items())
@pytest.mark.parametrize("is_page", [False, True])
def test_hyphens_at_line_ends(pdf, text, said, is_page):
    first, second = text.split("\n")
    made = pdf().text(f"{ONE}").line(f"{'and so on ' * 6}{first}")
    if is_page:
        made.next_page()
    made.line(f"{second} of it")
    assert f"and so on {said} of it" in " ".join(words(reading(made)))


def columns(made: Pdf, texts: list[list[str]], top: float) -> None:
    width = (RIGHT - LEFT + 20) / len(texts) - 20
    for number, column in enumerate(texts):
        made.y = top
        x = LEFT + number * (width + 20)
        for text in column:
            made.text(text, x, x + width, indent=10, size=8)


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("title", [True, False])
def test_columns_are_read_one_after_the_other(pdf, count, title):
    made = pdf(size=8)
    texts = [[f"{word} {ONE}", f"{word} {TWO}", f"{word} {THREE}"] for word in ("First.", "Second.", "Third.")[:count]]
    if title:
        made.line("A Title That Goes Across All of Them", size=16)
        made.text(f"{ONE} {TWO}", indent=0, size=8)
    columns(made, texts, made.y - 20)
    found = words(reading(made))
    assert found == ["A Title That Goes Across All of Them", f"{ONE} {TWO}"][: 2 * title] + [
        t for c in texts for t in c
    ]


def test_columns_made_line_by_line_are_read_one_after_the_other(pdf):
    """Some programs write a page from top to bottom, whatever column a line is in."""
    made = pdf(size=8)
    pairs = zip(
        wrapped(f"{ONE} {TWO} {THREE}", 145, size=8), wrapped(f"{TWO} {THREE} {ONE}", 145, size=8), strict=False
    )
    for left, right in pairs:
        y = made.y
        made.line(left).line(right, LEFT + 175, y)
    found = " ".join(words(reading(made)))
    assert found.index(TWO[-60:-40]) < found.rindex(TWO[:40])
    assert ONE[:80] in found


def test_a_table_is_read_row_by_row(pdf):
    made = pdf().text(ONE)
    for row in (("Name", "Age", "Town"), ("Ida", "12", "Merrowby"), ("Tom", "9", "Aldham"), ("Ann", "30", "Leck")):
        y = made.y
        for number, cell in enumerate(row):
            made.line(cell, LEFT + 110 * number, y)
        made.y -= 15
    found = " ".join(words(reading(made.text(TWO))))
    assert "Ida 12 Merrowby" in found


def test_running_heads_and_page_numbers_are_not_read(pdf):
    made = pdf()
    for number in range(1, 9):
        made.line("THE FAIR" if number % 2 else f"{number} A. WRITER", 180, 560, size=9)
        made.line(f"- {number + 6} -", 200, 30, size=9).text(ONE).text(TWO).next_page()
    assert words(reading(made)) == [ONE, TWO] * 8


def test_chapters_that_open_at_the_same_height_keep_their_headings(pdf):
    made = pdf()
    for number in range(1, 5):
        made.line(f"Chapter {number}", y=540).text(ONE).line(str(3 * number - 2), 200, 40).next_page()
        for page in (1, 2):
            made.line("The Fair", 180, 560).text(TWO).line(str(3 * number - 2 + page), 200, 30).next_page()
    document = reading(made)
    assert titles(document) == [f"Chapter {number}" for number in range(1, 5)]
    assert words(document)[:4] == ["Chapter 1", ONE, TWO, TWO]


def test_pages_that_say_nothing_else_are_read(pdf):
    made = pdf()
    for _ in range(4):
        made.line("The same words.").next_page()
    assert words(reading(made)) == ["The same words."] * 4


def test_what_repeats_far_from_the_edge_is_read(pdf):
    made = pdf()
    for _ in range(4):
        made.text(ONE).text("The same words.").text(TWO).text(THREE).text(ONE).next_page()
    assert words(reading(made)).count("The same words.") == 4


def test_headings_are_larger_or_heavier(pdf):
    made = pdf().heading("The Fair", 24).heading("One").text(ONE).line("A section", font=BOLD).text(TWO)
    document = reading(made.next_page().heading("Two").text(THREE))
    assert document.title == "The Fair"
    assert titles(document) == ["One", "Two"]
    assert [kind for kind, _ in told(document)] == [
        *["heading"] * 2,
        "paragraph",
        "heading",
        "paragraph",
        "heading",
        "paragraph",
    ]


def test_a_title_under_a_number_belongs_to_it(pdf):
    made = pdf()
    for number, title in ((1, "The Arrival"), (2, "The Storm")):
        made.heading(f"Chapter {number}", 18).line(title, size=15).text(ONE).next_page()
    assert titles(reading(made)) == ["Chapter 1 The Arrival", "Chapter 2 The Storm"]


def test_a_heading_in_the_size_of_the_text_is_told_by_its_words(pdf):
    made = pdf()
    for number in ("I", "II"):
        made.line(f"CHAPTER {number}", 180)
        made.y -= 15
        made.text(ONE).text(TWO)
        made.y -= 25
    assert titles(reading(made)) == ["CHAPTER I", "CHAPTER II"]


def test_the_outline_tells_the_chapters(pdf):
    made = pdf().bookmark("Part One").heading("Part One", 22).bookmark("A: The Fair", 1).heading("The Fair").text(ONE)
    made.bookmark("B", 1).text(TWO).next_page().bookmark("Part Two").text(THREE)
    assert titles(reading(made)) == ["Part One — A: The Fair", "B", "Part Two"]


def test_an_outline_of_pages_tells_nothing(pdf):
    made = pdf().bookmark("Page 1").heading("One").text(ONE).next_page().bookmark("Page 2").heading("Two").text(TWO)
    assert titles(reading(made)) == ["One", "Two"]


def test_tables_of_contents_are_not_read(pdf):
    made = pdf().line("Contents", size=16)
    for number, title in enumerate(("One", "Two", "Three")):
        made.line(f"{title} {'. ' * 20}{number + 3}")
    for title in ("One", "Two", "Three"):
        made.next_page().heading(title).text(ONE)
    assert words(reading(made)) == ["One", ONE, "Two", ONE, "Three", ONE]


NOTED = f"{ONE}^1^ {TWO}"


def noted(made: Pdf) -> Pdf:
    made.text(NOTED).text(THREE)
    made.y = 60
    made.line("1 It was a Monday, as everybody", size=8).line("knew.", size=8)
    return made.next_page().text(TWO)


def test_footnotes_go_where_they_are_wanted(pdf):
    said = {notes: words(reading(noted(pdf()), notes=notes)) for notes in Notes}
    text, note = f"{ONE} {TWO}", "It was a Monday, as everybody knew."
    assert said[Notes.SKIP] == [text, THREE, TWO]
    assert said[Notes.INLINE] == [text, note, THREE, TWO]
    assert said[Notes.END] == [text, THREE, TWO, note]


def test_a_note_goes_on_at_the_foot_of_the_next_page(pdf):
    made = pdf().text(NOTED)
    made.line("^1^ It was a Monday, as", y=60, size=8).next_page().text(THREE).line("everybody knew.", y=60, size=8)
    assert words(reading(made, notes="end")) == [f"{ONE} {TWO}", THREE, "It was a Monday, as everybody knew."]


def test_small_type_that_no_mark_refers_to_is_read(pdf):
    made = pdf().text(ONE).line("1 A caption of a picture", y=60, size=8)
    assert words(reading(made)) == [ONE, "1 A caption of a picture"]


def test_small_type_above_notes_is_no_part_of_them(pdf):
    made = noted(pdf()).text(f"{THREE}^2^")
    made.line("The picture shows a ferry.", y=80, size=8).line("2 It was a Tuesday.", y=60, size=8)
    assert words(reading(made))[-3:] == [TWO, THREE, "The picture shows a ferry."]


def test_raised_numbers_that_are_no_marks_stay(pdf):
    assert "some 10 3 of them" in words(reading(pdf().text(f"{ONE} There were some 10^3^ of them.")))[0].replace(
        "103", "10 3"
    )


def test_large_first_letters_belong_to_their_word(pdf):
    made = pdf()
    first, *rest = wrapped(ONE[1:], RIGHT - LEFT - 30)
    made.line("I", LEFT, made.y - 14, size=30)
    made.line(first, LEFT + 14).line(rest[0], LEFT + 14)
    for line in rest[1:]:
        made.line(line)
    assert words(reading(made.text(TWO))) == [ONE, TWO]


def test_verse_and_changes_of_scene(pdf):
    made = pdf().text(ONE)
    made.y -= 8
    verses = ("The moon was up, the night was old,", "The wind was from the sea,", "And no one knew what it foretold")
    for line in verses:
        made.line(line, LEFT + 40)
    made.y -= 8
    made.text(TWO).line("* * *", 200).text(THREE)
    document = reading(made)
    assert [kind for kind, _ in told(document)] == ["paragraph", "verse", "paragraph", "break", "paragraph"]
    assert words(document)[1] == "\n".join(verses)


def test_text_on_its_side_is_not_read(pdf):
    made = pdf().text(ONE).text(TWO)
    made.canvas.rotate(90)
    made.canvas.drawString(100, -20, "Draft of Monday")
    assert words(reading(made)) == [ONE, TWO]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_pages_are_read_as_they_are_seen(pdf, turn):
    made = pdf()
    made.canvas.setPageRotation(turn)
    made.canvas.translate(*{90: (HEIGHT, 0), 180: (420, HEIGHT), 270: (0, 420)}[turn])
    made.canvas.rotate({90: 90, 180: 180, 270: -90}[turn])
    assert words(reading(made.text(ONE).text(TWO))) == [ONE, TWO]


@pytest.mark.parametrize(
    ("title", "author", "expected"),
    [
        ("The Fair", "A. Writer", ("The Fair", "A. Writer")),
        ("Microsoft Word - The Fair", "A. Writer", ("The Fair", "A. Writer")),
        ("Microsoft Word - fair.doc", "user", ("Book", None)),
        ("untitled", "anonymous", ("Book", None)),
        ("C:\\texts\\fair.docx", "Administrator", ("Book", None)),
    ],
)
def test_title_and_author(pdf, title, author, expected):
    document = reading(pdf(title=title, author=author).text(ONE))
    assert (document.title, document.author) == expected


def test_pictures_alone_are_refused(pdf):
    made = pdf()
    made.canvas.rect(50, 50, 100, 100, fill=1)
    assert "no text layer" in refused(made.save())


def test_protected_documents_are_refused(tmp_path):
    made = Pdf(tmp_path / "a.pdf")
    made.canvas._doc.encrypt = StandardEncryption("secret", canPrint=0)
    assert refused(made.text(ONE).save()) == "it is protected by a password"
    made = Pdf(tmp_path / "b.pdf")
    made.canvas._doc.encrypt = StandardEncryption("", ownerPassword="x", canCopy=0)
    assert words(read(made.text(ONE).save())) == [ONE]


def test_limits(pdf):
    path = pdf().text(ONE).next_page().text(TWO).save()
    assert "2 pages" in refused(path, pages=1)
    assert "characters" in refused(path, text_chars=200)


def test_a_pdf_is_told_by_its_content(pdf, tmp_path):
    path = pdf().text(ONE).save().rename(tmp_path / "book.txt")
    assert words(read(path)) == [ONE]
    for data in (b"%PDF-1.7", b"%PDF-1.7\n" + bytes(range(256))):
        path.write_bytes(data)
        assert "broken" in refused(path)


def test_damaged_files_are_refused_or_read(pdf, tmp_path):
    whole = pdf().heading("One").text(ONE).bookmark("One").bookmark("Two").save().read_bytes()
    path = tmp_path / "damaged.pdf"
    for at in range(0, len(whole), 131):
        for data in (whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :], whole[: at + 1]):
            path.write_bytes(data)
            with suppress(UnreadableDocument):
                read(path)


READ = """
import sys
from pathlib import Path
from tts_pipeline.documents import read
try:
    print("".join(block.text for block in read(Path(sys.argv[1])).chapters[0].blocks))
except Exception as error:
    print(type(error).__name__, error)
"""
MEASURE = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-c", *sys.argv[1:]], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""
"""From a small process: what a process takes counts from what the one took that started it."""


@pytest.mark.parametrize("kind", ["a page", "spaces", "words", "lines", "states", "forms"])
def test_a_small_file_that_asks_for_much_memory_is_refused_before_it_has_it(tmp_path, kind):
    path = written(tmp_path / "bomb.pdf", kind)
    assert path.stat().st_size < 500_000
    command = [sys.executable, "-c", MEASURE, READ, str(path)]
    said, taken = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    refusal = f"UnreadableDocument {path}: its page 1 is broken, or takes more than 256 MB of memory"
    assert said == ("Long ago." if kind == "a page" else refusal)
    assert int(taken) < 300


def test_pages_with_much_on_them_are_read_one_after_the_other(tmp_path):
    path = tmp_path / "scanned.pdf"
    path.write_bytes(pictures(20))
    assert path.stat().st_size > 80 << 20
    said = words(read(path, ReadingOptions(limits=Limits(pdf_memory=48 << 20))))
    assert said == [f"Page {letter} it is." for letter in "abcdefghijklmnopqrst"]


def test_a_page_that_takes_too_much_work_is_refused(tmp_path):
    path = written(tmp_path / "bomb.pdf", "forms")
    assert refused(path, pdf_memory=4 << 30, pdf_seconds=1).endswith("or takes more than 1 seconds")


WORDS = st.sampled_from(["alpha", "Beta", "gamma,", "delta.", "12", "it’s", "—", "x" * 30])
SHAPES = st.sampled_from(["text", "heading", "line", "page", "aside"])


@settings(max_examples=25)
@given(st.lists(st.tuples(SHAPES, st.lists(WORDS, min_size=1, max_size=40)), min_size=1, max_size=8))
def test_nothing_is_lost_and_every_character_knows_its_place(tmp_path_factory, parts):
    import pypdfium2

    made = Pdf(tmp_path_factory.getbasetemp() / "any.pdf")
    for number, (shape, some) in enumerate(parts):
        text = " ".join([f"{'abcdefgh'[number]}word", *some])  # what repeats may be a running head
        if shape == "page" or made.y < 150:
            made.next_page()
        if shape in {"text", "page"}:
            made.text(text)
        else:
            line = wrapped(text, 200)[0]
            made.heading(line) if shape == "heading" else made.line(line, LEFT + 60 * (shape == "aside"))
    document = read(made.save())
    with pypdfium2.PdfDocument(made.path) as opened:
        texts = [page.get_textpage().get_text_range() for page in opened]
    assert letters("".join(words(document))) == letters("".join(texts))
    for block in (block for chapter in document.chapters for block in chapter.blocks):
        text = "".join(texts[int(block.place.element.split()[1]) - 1 :])
        for index, character in enumerate(block.text):
            if not character.isspace():
                assert text[block.place_at(index).offset] == character


def letters(text: str) -> str:
    return "".join(sorted(filter(str.isalnum, text)))


assert TOP < HEIGHT
