"""EPUB 2 and 3, as they are found in the wild."""

import posixpath
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from tests.tts_pipeline.documents.epubs import Epub, nav, ncx, page, point
from tts_pipeline.book import Document, Kind
from tts_pipeline.documents import Notes, ReadingOptions, read

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 8


@pytest.fixture
def reading(tmp_path):
    def reading(book: Epub, **options: object) -> Document:
        return read(book.write(tmp_path / "book.epub"), ReadingOptions(**options))

    return reading


@pytest.fixture
def body(reading):
    """Read one page."""

    def body(markup: str, **options: object) -> list[tuple[str, str]]:
        return told(reading(Epub({"c.xhtml": page(markup)}), **options))

    return body


def titles(document: Document) -> list[str]:
    return [chapter.title for chapter in document.chapters]


def told(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for chapter in document.chapters for block in chapter.blocks]


def words(document: Document) -> list[str]:
    return [text for _, text in told(document)]


TWO = {"b.xhtml": page("<p>First.</p>"), "a.xhtml": page("<p>Second.</p>")}


def test_files_are_read_in_the_order_of_the_spine(reading):
    assert words(reading(Epub(TWO))) == ["First.", "Second."]
    assert words(reading(Epub(TWO, itemrefs='<itemref idref="p1"/><itemref idref="p0"/>'))) == ["Second.", "First."]


def test_what_is_not_linear_is_not_read(reading):
    assert words(reading(Epub(TWO, itemrefs='<itemref idref="p0" linear="no"/><itemref idref="p1"/>'))) == ["Second."]


def test_metadata(reading):
    document = reading(Epub(TWO))
    assert (document.title, document.author, document.language) == ("A Book", "An Author", "en")


def test_metadata_with_refinements(reading):
    metadata = """<dc:title id="t1">Sub</dc:title><dc:title id="t2">Main</dc:title>
    <meta refines="#t2" property="title-type">main</meta><dc:creator id="c1">A. Lator</dc:creator>
    <meta refines="#c1" property="role">trl</meta><dc:creator>B. Writer</dc:creator>
    <dc:creator opf:role="aut">C. Other</dc:creator>
    <dc:creator opf:role="ill">D. Rawer</dc:creator><dc:language>pt_br</dc:language>"""
    document = reading(Epub(TWO, metadata=metadata))
    assert (document.title, document.author, document.language) == ("Main", "B. Writer, C. Other", "pt-BR")


def test_without_metadata_the_files_tell(reading, tmp_path):
    pages = {"a.xhtml": page("<p>Bonjour.</p>", lang="fr")}
    document = reading(Epub(pages, metadata=""))
    assert (document.title, document.author, document.language) == ("Book", None, "fr")


CHAPTERS = {"c1.xhtml": page("<h2>I</h2><p>One.</p>"), "c2.xhtml": page("<h2>II</h2><p>Two.</p>")}


@pytest.mark.parametrize(
    "book",
    [
        Epub(CHAPTERS, nav=nav('<li><a href="c1.xhtml">Alpha</a></li><li><a href="c2.xhtml">Beta</a></li>')),
        Epub(CHAPTERS, ncx=ncx(point("Alpha", "c1.xhtml") + point("Beta", "c2.xhtml"))),
    ],
    ids=["nav", "ncx"],
)
def test_titles_come_from_the_table_of_contents(reading, book):
    assert titles(reading(book)) == ["Alpha", "Beta"]


def test_without_a_table_of_contents_headings_are_the_titles(reading):
    assert titles(reading(Epub(CHAPTERS))) == ["I", "II"]
    assert titles(reading(Epub(CHAPTERS, ncx="broken"))) == ["I", "II"]
    one = {"c.xhtml": page("<h1>Book</h1><h2>One</h2><p>Text.</p><h2>Two</h2><h3>Inner</h3><p>Text.</p>")}
    assert titles(reading(Epub(one))) == ["Book — One", "Two"]


def test_without_any_titles_there_are_parts(reading):
    long = {f"c{number}.xhtml": page("<p>" + "Some words. " * 500 + "</p>") for number in range(9)}
    assert titles(reading(Epub(long))) == ["Part 1", "Part 2"]


def test_a_file_is_divided_at_its_anchors(reading):
    text = '<h2 id="a">One</h2><p>A.</p><div><a id="b"/><h2>Two</h2></div><p>B.</p><p id="c">C <b>c</b>.</p>'
    entries = (
        '<li><a href="c.xhtml#a">One</a></li><li><a href="c.xhtml#b">Two</a></li><li><a href="c.xhtml#c">Three</a></li>'
    )
    document = reading(Epub({"c.xhtml": page(text)}, nav=nav(entries)))
    assert [(each.title, [block.text for block in each.blocks]) for each in document.chapters] == [
        ("One", ["One", "A."]),
        ("Two", ["Two", "B."]),
        ("Three", ["C c."]),
    ]


def test_nested_entries_are_flattened(reading):
    pages = {"p.xhtml": page("<h1>Part</h1>")} | CHAPTERS | {"q.xhtml": page("<h1>End</h1><p>E.</p>")}
    inner = '<ol><li><a href="c1.xhtml">Alpha</a></li><li><a href="c2.xhtml">Beta</a></li></ol>'
    for parent in ('<a href="p.xhtml">Part</a>', "<span>Part</span>"):
        document = reading(Epub(pages, nav=nav(f'<li>{parent}{inner}</li><li><a href="q.xhtml">End</a></li>')))
        assert titles(document) == ["Part — Alpha", "Beta", "End"]


def test_files_that_the_table_of_contents_passes_over_are_read(reading):
    pages = CHAPTERS | {"c3.xhtml": page("<p>Still two.</p>"), "c4.xhtml": page("<h2>III</h2><p>Three.</p>")}
    entries = '<li><a href="c1.xhtml">Alpha</a></li><li><a href="c2.xhtml">Beta</a></li>'
    document = reading(Epub(pages, nav=nav(entries)))
    assert titles(document) == ["Alpha", "Beta", "III"]
    assert words(document)[3:5] == ["Two.", "Still two."] or words(document)[4] == "Still two."


def test_navigation_copyright_and_title_pages_are_not_read(reading):
    pages = {
        "cover.xhtml": page("<p>Cover</p>"),
        "t.xhtml": page('<section epub:type="titlepage"><h1>A Book</h1></section>'),
        "r.xhtml": page('<section epub:type="copyright-page"><p>All rights</p></section>'),
        "g.xhtml": page("<p>By the guide</p>"),
        "contents.xhtml": page("".join(f'<p><a href="c{n}.xhtml">Chapter {n}</a></p>' for n in range(1, 5))),
    } | CHAPTERS
    guide = '<reference type="copyright-page" href="g.xhtml"/>'
    entries = nav('<li><a href="c1.xhtml">Alpha</a></li><li><a href="c2.xhtml">Beta</a></li>')
    refs = '<itemref idref="nav"/>' + "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    assert words(reading(Epub(pages, nav=entries, guide=guide, itemrefs=refs))) == ["I", "One.", "II", "Two."]


TITLES = [
    ("title.xhtml", "<h1>A Book</h1><p>by An Author</p><p>London, 1912</p>"),
    ("x01.xhtml", "<h1>A BOOK</h1><p>by</p><p>An Author</p>"),
    ("x01.xhtml", "<h2>A Book</h2>"),
]


@pytest.mark.parametrize("table", [True, False])
@pytest.mark.parametrize(("name", "text"), TITLES)
def test_a_page_that_repeats_title_and_author_is_read_only_where_the_contents_list_it(reading, name, text, table):
    entries = '<li><a href="c1.xhtml">Alpha</a></li><li><a href="c2.xhtml">Beta</a></li>'
    book = Epub({name: page(text)} | CHAPTERS, nav=nav(entries) if table else None)
    assert words(reading(book)) == ["I", "One.", "II", "Two."]
    book.nav = nav(f'<li><a href="{name}">Title</a></li>{entries}')
    assert titles(reading(book)) == ["Title", "Alpha", "Beta"]


def test_a_page_with_more_than_title_and_author_is_read(reading):
    book = Epub({"x01.xhtml": page("<h1>A Book</h1><p>An Author wrote it.</p>")} | CHAPTERS)
    assert words(reading(book))[:2] == ["A Book", "An Author wrote it."]
    assert words(reading(Epub({"x01.xhtml": page("<h1>A Book</h1>")}))) == ["A Book"]


def test_page_numbers_are_not_read(body):
    assert body(
        '<p>One <span epub:type="pagebreak">12</span>two <span role="doc-pagebreak">13</span>three '
        '<span class="pagenum">[14]</span>four.</p><nav epub:type="page-list"><ol><li>1</li></ol></nav>'
    ) == [("paragraph", "One two three four.")]


@pytest.mark.parametrize(
    "book",
    [
        Epub(TWO, manifest='<item id="i" href="i.png" media-type="image/png" properties="cover-image"/>'),
        Epub(
            TWO,
            manifest='<item id="i" href="i.png" media-type="image/png"/>',
            metadata='<meta name="cover" content="i"/>',
        ),
        Epub(
            TWO,
            guide='<reference type="cover" href="cv.xhtml"/>',
            files={"OEBPS/cv.xhtml": page('<img src="i.png"/>').encode()},
        ),
        Epub(TWO, manifest='<item id="my-cover" href="i.png" media-type="image/png"/>'),
    ],
    ids=["property", "meta", "guide", "name"],
)
def test_covers_are_found(reading, book):
    book.files["OEBPS/i.png"] = PNG
    cover = reading(book).cover
    assert cover is not None
    assert (cover.media_type, cover.data) == ("image/png", PNG)
    book.files["OEBPS/i.png"] = b"broken"
    assert reading(book).cover is None


def test_kinds(body):
    assert body("""<h2>Title<br/>Second line</h2><p>A <i>para</i>graph
    in two lines.</p><blockquote><p>Quoted.</p></blockquote><ul><li>One</li><li><p>Two</p></li></ul>
    <pre>if x:\n    y()</pre><table><tr><th>Name</th><td>Age</td></tr></table><hr/><p>* * *</p><p>Last.</p>""") == [
        ("heading", "Title"),
        ("heading", "Second line"),
        ("paragraph", "A paragraph in two lines."),
        ("quote", "Quoted."),
        ("list", "One"),
        ("list", "Two"),
        ("code", "if x:\ny()"),
        ("table", "Name\nAge"),
        ("break", ""),
        ("paragraph", "Last."),
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "<p>The moon was up,<br/>The night was old,<br/>And no one knew</p>",
        '<div class="poem"><p>The moon was up,</p><p>The night was old,</p><p>And no one knew</p></div>',
        """<div class="poem"><div class="stanza"><span>The moon was up,<br/></span><span>The night was old,<br/></span>
        <span>And no one knew</span></div></div>""",
        """<blockquote epub:type="z3998:verse"><p>The moon was up,<br/>The night was old,<br/>And no one
        knew</p></blockquote>""",
    ],
)
def test_verse_keeps_its_lines(body, markup):
    assert body(markup) == [("verse", "The moon was up,\nThe night was old,\nAnd no one knew")]


def test_a_line_end_in_prose_is_a_space(body):
    assert body("<p>One line<br/>and another.</p>") == [("paragraph", "One line and another.")]


def test_a_table_that_is_there_for_its_looks_is_prose(body):
    assert body("<table><tr><td><p>One.</p><p>Two.</p></td></tr></table>") == [
        ("paragraph", "One."),
        ("paragraph", "Two."),
    ]


def test_text_between_blocks_is_read(body):
    assert words_of(body("loose <b>text</b><div>outer<p>inner</p>tail</div>end")) == [
        "loose text",
        "outer",
        "inner",
        "tail",
        "end",
    ]


def words_of(blocks: list[tuple[str, str]]) -> list[str]:
    return [text for _, text in blocks]


def test_what_nobody_hears_is_not_read(body):
    assert words_of(
        body(
            "<style>x</style><script>y()</script><p>A<ruby>漢<rt>かん</rt></ruby><svg><text>z</text></svg>B.</p>"
            '<p hidden="">C</p>'
        )
    ) == ["A漢B."]


def test_languages_are_told_where_they_differ(reading):
    text = page(
        '<p>One.</p><p xml:lang="fr">Deux.</p><div lang="de"><p>Drei.</p></div><p lang="en">Four.</p>', lang="en"
    )
    (chapter,) = reading(Epub({"c.xhtml": text})).chapters
    assert [block.language for block in chapter.blocks] == [None, "fr", "de", None]


NOTES = {
    "epub3": (
        '<p>He left<a epub:type="noteref" href="#n1">1</a>. She stayed.</p><p>Next.</p>'
        '<aside epub:type="footnote" id="n1"><p>It was Monday.</p></aside>'
    ),
    "roles": (
        '<p>He left<a role="doc-noteref" href="#n1">*</a>. She stayed.</p><p>Next.</p>'
        '<section role="doc-endnotes"><h2>Notes</h2><ol><li id="n1" role="doc-endnote"><p>It was Monday. '
        '<a role="doc-backlink" href="#r">↩</a></p></li></ol></section>'
    ),
    "epub2": (
        '<p>He left<sup><a id="r1" href="#n1">1</a></sup>. She stayed.</p><p>Next.</p>'
        '<p class="fn"><a id="n1" href="#r1">1</a>. It was Monday.</p>'
    ),
    "raised back": (
        '<p>He left<sup><a id="r1" href="#n1">1</a></sup>. She stayed.</p><p>Next.</p>'
        '<p><sup><a id="n1" href="#r1">1</a></sup> It was Monday.</p>'
    ),
    "brackets": (
        '<p>He left<a href="c.xhtml#n1">[1]</a>. She stayed.</p><p>Next.</p>'
        '<div><p id="n1"><a href="#r1">[1]</a> It was Monday.</p></div>'
    ),
}


@pytest.mark.parametrize("markup", NOTES.values(), ids=NOTES)
def test_footnotes_go_where_they_are_wanted(body, markup):
    told_by = {notes: words_of(body(markup, notes=notes)) for notes in Notes}
    assert told_by[Notes.SKIP] == ["He left. She stayed.", "Next."]
    assert told_by[Notes.INLINE] == ["He left. She stayed.", "It was Monday.", "Next."]
    assert told_by[Notes.END] == ["He left. She stayed.", "Next.", "It was Monday."]


def test_notes_in_a_file_of_their_own_belong_to_their_chapters(reading):
    pages = {
        "c1.xhtml": page('<h2>I</h2><p>One<a epub:type="noteref" href="n.xhtml#a">1</a>.</p>'),
        "c2.xhtml": page('<h2>II</h2><p>Two<a epub:type="noteref" href="n.xhtml#b">2</a>.</p>'),
        "n.xhtml": page(
            '<section epub:type="endnotes"><h2>Notes</h2><p id="a">1. Alpha.</p><p id="b">2. Beta.</p></section>'
        ),
    }
    assert words(reading(Epub(pages), notes="end")) == ["I", "One.", "Alpha.", "II", "Two.", "Beta."]
    assert words(reading(Epub(pages))) == ["I", "One.", "II", "Two."]


NOTED = {
    "c1.xhtml": page('<h2>I</h2><p>One<a epub:type="noteref" href="n.xhtml#a">1</a>.</p>'),
    "p.xhtml": page("<h2>Part Two</h2>"),
    "c2.xhtml": page('<h2>II</h2><p>Two<a epub:type="noteref" href="n.xhtml#b">2</a>.</p>'),
    "n.xhtml": page('<h2>Notes</h2><h3>I</h3><p id="a">1. Alpha.</p><h3>II</h3><p id="b">2. Beta.</p>'),
}


def test_headings_of_notes_go_with_them(reading):
    entries = "".join(f'<li><a href="{name}">{name}</a></li>' for name in NOTED)
    for table in (None, nav(entries)):
        book = Epub(NOTED, nav=table)
        assert words(reading(book)) == ["I", "One.", "Part Two", "II", "Two."]
        assert words(reading(book, notes="end")) == ["I", "One.", "Alpha.", "Part Two", "II", "Two.", "Beta."]
    unreferred = NOTED | {"n.xhtml": page('<h2>Notes</h2><aside epub:type="endnote"><p>Gamma.</p></aside>')}
    assert words(reading(Epub(unreferred), notes="inline"))[-2:] == ["Notes", "Gamma."]
    own = page('<h2>I<a epub:type="noteref" href="#a">1</a></h2><aside epub:type="footnote" id="a"><p>A.</p></aside>')
    assert words(reading(Epub({"c.xhtml": own} | CHAPTERS)))[0] == "I"


def test_what_a_raised_number_leads_to_is_not_lost_unless_it_looks_like_a_note(body):
    for markup in (
        '<p id="a">See<sup><a href="#a">1</a></sup>.</p>',
        '<p>See<sup><a href="#b">1</a></sup>.</p><p id="b">Some text.</p>',
        '<p id="c">1 Text.</p><p>See<sup><a href="#c">1</a></sup>.</p>',
    ):
        assert len(body(markup)) == markup.count("<p")


def test_raised_numbers_that_are_no_notes_stay(body):
    assert words_of(body("<p>10<sup>3</sup> is a thousand.</p>")) == ["103 is a thousand."]
    assert words_of(body('<p>See <a href="#x">page 3</a>.</p><p id="x">X.</p>')) == ["See page 3.", "X."]


@pytest.mark.parametrize(
    "markup",
    [
        "<html><body><p>One &amp; two<p>Three &eacute;<br>four</body>",
        """<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>
        <body><p>One & two</p><p>Three é<br/>four</p></div></body></html>""",
    ],
)
def test_broken_markup_is_read_as_a_browser_would(reading, markup):
    assert words(reading(Epub({"c.xhtml": markup}))) == ["One & two", "Three é four"]


def test_entities_of_html_need_no_declaration(body):
    assert words_of(body("<p>a&nbsp;b&mdash;c&hellip; &lt;d&gt; &unknown; e</p>")) == ["a b—c… <d> &unknown; e"]


def test_sloppy_names_are_found(reading):
    book = Epub({"C%20one.xhtml": page("<p>Text.</p>")})
    book.files["OEBPS/c one.xhtml"] = book.pages["C%20one.xhtml"].encode()
    assert words(reading(book)) == ["Text."]


def test_every_character_knows_its_place(reading, tmp_path):
    markup = """<h1>I<br/>The  Fair</h1><div>loose <p id="x">A <em>b</em>
      c<a epub:type="noteref" href="#n">1</a> d &amp; e</p> tail</div><div class="poem"><p>Line a</p><p>Line b</p></div>
      <table><tr><td>X</td><td>Y z</td></tr></table><aside epub:type="footnote" id="n"><p>1. Note here.</p></aside>"""
    document = reading(Epub({"c.xhtml": page(markup)}), notes="inline")
    assert {block.kind for block in document.chapters[0].blocks} >= {Kind.HEADING, Kind.VERSE, Kind.TABLE, Kind.NOTE}
    with zipfile.ZipFile(tmp_path / "book.epub") as archive:
        for block in (block for chapter in document.chapters for block in chapter.blocks):
            root = etree.fromstring(archive.read(block.place.file))
            text = "".join(found(root, block.place.element).itertext())
            for index, character in enumerate(block.text):
                if not character.isspace():
                    assert text[block.place_at(index).offset] == character


def found(root: etree._Element, element: str | None) -> etree._Element:
    by_id = root.xpath("//*[@id=$id]", id=element)
    if by_id:
        return by_id[0]
    steps = posixpath.relpath(element or "", "html").split("/")
    path = "/".join(f"{{http://www.w3.org/1999/xhtml}}{step}" for step in steps)
    return root.find(path)


def test_nothing_is_left_beside_the_book(reading, tmp_path):
    reading(Epub(TWO))
    assert [path.name for path in Path(tmp_path).iterdir()] == ["book.epub"]
