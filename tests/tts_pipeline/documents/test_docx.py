"""Word documents, as Word and its like write them."""

import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.tts_pipeline.documents.docxs import (
    OFFICE,
    RELATIONSHIPS,
    WORD,
    Docx,
    core,
    item,
    note_ref,
    notes,
    paragraph,
    part,
    run,
    table,
)
from tests.tts_pipeline.documents.told import titles, told, words
from tts_pipeline.book import Block, Document
from tts_pipeline.documents import Limits, Notes, ReadingOptions, read
from tts_pipeline.errors import UnreadableDocument

BODY = paragraph("It was a long day, and nobody knew yet how it would end.")


@pytest.fixture
def reading(tmp_path):
    def reading(book: Docx | str, name: str = "book.docx", **options: object) -> Document:
        book = Docx(book) if isinstance(book, str) else book
        return read(book.write(tmp_path / name), ReadingOptions(**options))

    return reading


def blocks(document: Document) -> list[Block]:
    return [block for chapter in document.chapters for block in chapter.blocks]


def test_kinds(reading):
    body = [
        paragraph("One", style="Heading1"),
        paragraph("A ", run("para", "<w:b/><w:i/>"), "graph &amp; more."),
        paragraph("Quoted.", style="Quote"),
        item("Item"),
        item("Inner", 1),
        table(("Name", "Age"), ("A. B", "1")),
        paragraph("x = 1", style="Code"),
        paragraph("y = 2", style="Code"),
        paragraph("* * *"),
        paragraph("Up,", style="Verse"),
        paragraph("Down,", style="Verse"),
        paragraph("Last<w:br/>line.".replace("<w:br/>", "</w:t><w:br/><w:t>")),
        paragraph(""),
    ]
    assert told(reading("".join(body))) == [
        ("heading", "One"),
        ("paragraph", "A paragraph & more."),
        ("quote", "Quoted."),
        ("list", "Item"),
        ("list", "Inner"),
        ("table", "Name\nAge"),
        ("table", "A. B\n1"),
        ("code", "x = 1\ny = 2"),
        ("break", "* * *"),
        ("verse", "Up,\nDown,"),
        ("paragraph", "Last line."),
    ]


def test_headings_are_chapters(reading):
    chapter = "{}" + BODY
    body = paragraph("The Fair", style="Title") + paragraph("by A. Writer", style="Subtitle")
    for part_title in ("Part One", "Part Two"):
        body += paragraph(part_title, style="Heading1")
        body += "".join(paragraph(f"Chapter {n}", style="Heading2") + BODY for n in (1, 2))
    document = reading(body)
    assert document.title == "The Fair"
    assert titles(document) == ["Part One — Chapter 1", "Chapter 2", "Part Two — Chapter 1", "Chapter 2"]
    assert titles(reading(chapter.format(paragraph("Only", style="Heading1")))) == ["Only"]


def test_properties(reading):
    document = reading(Docx(BODY, core=core("The Fair", "A. Writer", "en-gb")))
    assert (document.title, document.author, document.language) == ("The Fair", "A. Writer", "en-GB")
    assert document.cover is None
    unsaid = reading(
        Docx(paragraph("Ida? Tom!"), core=core("Microsoft Word - Document1", "user")), "Jane Doe - The Fair.docx"
    )
    assert (unsaid.title, unsaid.author, unsaid.language) == ("The Fair", "Jane Doe", "it-IT")
    german = paragraph("Der Mann und die Frau sind nicht auf dem Markt, und das Kind ist mit ihnen. " * 4)
    assert reading(german).language == "de"


EN = "It was late, and nobody knew yet how the day would end."
FR = "Il était tard, et personne ne savait encore comment la journée finirait."
UNTOLD = "Ida? Tom! Merrowby, Merrowby!"


def language(tag: str) -> str:
    return f'<w:lang w:val="{tag}" w:eastAsia="ja-JP"/>'


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_the_mark_of_a_note_that_is_not_there_is_left_out(reading, kind):
    body = paragraph("He left.", note_ref(9, kind), " She stayed.")
    assert words(reading(body)) == ["He left. She stayed."]
    assert words(reading(Docx(body, **{f"{kind}s": notes("It was Monday.", kind=kind)}))) == ["He left. She stayed."]


def test_a_paragraph_that_is_marked_in_another_language_is_in_it(reading):
    rows = (
        paragraph(run(UNTOLD, language("fr-FR")), run(" Bac!", language("fr-FR"))),
        paragraph(run(FR, language("fr-FR"))),
        paragraph(run(EN, language("fr-FR"))),  # pasted, and never corrected
        paragraph(run(UNTOLD, language("fr-FR")), run(UNTOLD, language("en-GB"))),
        paragraph(run(UNTOLD, language("en-GB"))),
        paragraph(UNTOLD, style="Quote"),
    )
    document = reading(paragraph(run(EN * 6, language("en-US"))) + "".join(rows))
    assert document.language == "en"
    assert [block.language for block in document.chapters[0].blocks[1:]] == ["fr-FR", "fr-FR", None, None, None, None]


def test_a_language_that_all_is_marked_with_is_the_document_s_where_its_words_tell_none(reading):
    document = reading(paragraph(run(UNTOLD, language("fr-FR"))) * 3 + paragraph(UNTOLD))
    assert (document.language, {block.language for block in document.chapters[0].blocks}) == ("fr-FR", {None})
    assert reading(paragraph(UNTOLD)).language == "it-IT"
    settings = part("settings", '<w:themeFontLang w:val="pt-BR"/>').encode()
    files = {"word/styles.xml": part("styles", "").encode(), "word/settings.xml": settings}
    assert reading(Docx(paragraph(UNTOLD), files=files)).language == "pt-BR"


def test_a_link_that_leads_nowhere_is_read(reading):
    link = '<w:hyperlink r:id="rId99"><w:r><w:t>Here</w:t></w:r></w:hyperlink>'
    picture = '<w:r><w:pict><v:imagedata xmlns:v="urn:schemas-microsoft-com:vml" r:id="rId98"/></w:pict></w:r>'
    body = paragraph(link, picture, " it is.")
    assert words(reading(body)) == ["Here it is."]
    files = {"word/_rels/document.xml.rels": RELATIONSHIPS.format('<Relationship Id="rId99"/>').encode()}
    assert words(reading(Docx(body, files=files))) == ["Here it is."]


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_footnotes_go_where_they_are_wanted(reading, kind):
    body = paragraph("He left.", note_ref(2, kind), " She stayed.") + paragraph("Next.")
    book = Docx(body, **{f"{kind}s": notes("It was Monday.", kind=kind)})
    said = {wanted: words(reading(book, notes=wanted)) for wanted in Notes}
    assert said[Notes.SKIP] == ["He left. She stayed.", "Next."]
    assert said[Notes.INLINE] == ["He left. She stayed.", "It was Monday.", "Next."]
    assert said[Notes.END] == ["He left. She stayed.", "Next.", "It was Monday."]


PICTURE = f"""<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">
<wp:docPr id="1" name="p" descr="A cat"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
<a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill>
<a:blip r:link="rId9" xmlns:r="{OFFICE}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>
</w:drawing></w:r>"""


def test_what_nobody_hears_is_not_read(reading):
    body = [
        paragraph("Contents 1", style="TOC1"),
        paragraph("A", run("hidden", "<w:vanish/>"), run("B", '<w:vanish w:val="0"/>')),
        paragraph(PICTURE),
        paragraph(
            "C<w:x/>".replace("<w:x/>", "</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>")
        ),
        paragraph('<w:r><w:br w:type="page"/></w:r>', "D"),
    ]
    link = '<Relationship Id="rId9" Type="{OFFICE}/image" TargetMode="External" Target="http://127.0.0.1:1/a.png"/>'
    files = {
        "word/_rels/document.xml.rels": RELATIONSHIPS.format(link).encode(),
        "mammoth/style-map": b"p => !",
        "word/comments.xml": part("comments", '<w:comment w:id="1"><w:p/></w:comment>').encode(),
    }
    assert words(reading(Docx("".join(body), files=files))) == ["AB", "C", "D"]


def test_a_word_document_is_told_by_its_content(reading):
    assert words(reading(paragraph("Text."), "a.txt")) == ["Text."]
    assert words(reading(paragraph("Text."), "a.epub")) == ["Text."]


def refused(path, **limits: float) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        read(path, ReadingOptions(limits=Limits(**limits)))
    assert "\n" not in caught.value.reason
    return caught.value.reason


def test_old_and_protected_documents_are_refused(tmp_path):
    path = tmp_path / "a.docx"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    assert ".docx first" in refused(path)
    path.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(60) + "EncryptedPackage".encode("utf-16-le") + bytes(60))
    assert "password" in refused(path)
    path.rename(tmp_path / "a.doc")
    assert "an old Office document" in refused(tmp_path / "a.doc")


ENTITY = '<!DOCTYPE w [<!ENTITY a "ha"><!ENTITY x SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"word/document.xml": b"<broken"}, "word/document.xml: its XML is broken"),
        ({"word/styles.xml": b""}, "word/styles.xml: its XML is broken"),
        ({"word/document.xml": f"{ENTITY}<a>&a;</a>".encode()}, "entities"),
        ({"docProps/core.xml": f"{ENTITY}<a>&x;</a>".encode()}, "entities"),
        ({"word/document.xml": b"<other/>"}, "broken"),
        ({"word/document.xml": part("document", "").encode()}, "broken"),
        ({"word/document.xml": part("document", "<w:body/>").encode()}, "no text"),
        ({"../evil": b"x"}, "outside"),
        ({"bomb": bytes(1 << 24)}, "times its size"),
        ({"word/document.xml": b'<a xmlns="x">' + b"<b>" * 300 + b"</b>" * 300 + b"</a>"}, "broken"),
    ],
)
def test_broken_and_hostile_documents_are_refused(tmp_path, files, reason):
    assert reason in refused(Docx(BODY, files=files).write(tmp_path / "a.docx"))


def test_deep_tables_are_refused(tmp_path):
    body = BODY
    for _ in range(70):
        body = f"<w:tbl><w:tr><w:tc>{body}</w:tc></w:tr></w:tbl>"
    assert "nested" in refused(Docx(body).write(tmp_path / "a.docx"))


def test_other_archives_are_refused(tmp_path):
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<a/>")
    assert "a spreadsheet" in refused(path)
    assert "no Word document" in refused(Docx(BODY).write(path, without=("word/document.xml",)))
    assert "characters" in refused(Docx(BODY).write(path), text_chars=500)
    assert "elements" in refused(Docx(BODY * 5).write(path), elements=20)


def test_damaged_bytes_are_refused_or_read(tmp_path):
    whole = Docx(BODY).write(tmp_path / "whole.docx").read_bytes()
    path = tmp_path / "damaged.docx"
    for at in range(0, len(whole), 5):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with suppress(UnreadableDocument):
            read(path)


TEXTS = st.text(st.sampled_from("abc é中,.-'!? "), min_size=1, max_size=30).filter(lambda each: each.strip(" ,.-'!?"))
AROUND = st.sampled_from([*("Heading1", "Heading2", "Quote", "", "", "Verse"), "item", "table", "empty"])


@given(st.lists(st.tuples(AROUND, TEXTS), min_size=1, max_size=8))
def test_nothing_is_lost_and_every_character_knows_its_place(tmp_path_factory, parts):
    made = {"item": item, "table": lambda text: table((text, "x")), "empty": lambda text: paragraph() + paragraph(text)}
    body = "".join(made[kind](text) if kind in made else paragraph(text, style=kind) for kind, text in parts)
    path = Docx(body).write(tmp_path_factory.getbasetemp() / "any.docx")
    document = read(path)
    inner = etree.fromstring(part("document", body).encode())
    texts = ["".join(each.itertext()) for each in inner.iter(f"{{{WORD}}}p")]
    assert letters("".join(words(document))) == letters("".join(texts))
    for block in blocks(document):
        number = int(block.place.element.removeprefix("paragraph "))
        text = "".join(texts[number - 1 :])  # verse and rows go on in the paragraphs that follow
        for index, character in enumerate(block.text):
            if not character.isspace():
                assert text[block.place_at(index).offset] == character


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
