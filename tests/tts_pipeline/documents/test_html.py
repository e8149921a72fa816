"""Pages of HTML as they are saved from the web, and as programs write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tts_pipeline.documents.told import titles, told, words
from tts_pipeline.book import Document
from tts_pipeline.documents import Limits, Notes, ReadingOptions, read
from tts_pipeline.documents.markup.parse import parsed_text

LONG = "It was a long day, and nobody knew yet how it would end, since the clock had stopped. " * 5


@pytest.fixture
def reading(tmp_path):
    def reading(markup: str | bytes, name: str = "page.html", **options: object) -> Document:
        path = tmp_path / name
        path.write_bytes(markup if isinstance(markup, bytes) else markup.encode())
        return read(path, ReadingOptions(**options))

    return reading


def page(body: str, head: str = "", attributes: str = "") -> str:
    return f"<!DOCTYPE html><html{attributes}><head>{head}</head><body>{body}</body></html>"


def test_the_walk_is_that_of_epub(reading):
    body = """<h2>One<br>Two</h2><p>A <i>para</i>graph &amp; more.<blockquote>Quoted.</blockquote><ul><li>Item</ul>
    <pre>x = 1</pre><table><tr><th>Name<td>Age</table><hr><p>Up,<br>Down,<br>And on</p>"""
    assert told(reading(page(body))) == [
        ("heading", "One"),
        ("heading", "Two"),
        ("paragraph", "A paragraph & more."),
        ("quote", "Quoted."),
        ("list", "Item"),
        ("code", "x = 1"),
        ("table", "Name\nAge"),
        ("break", ""),
        ("verse", "Up,\nDown,\nAnd on"),
    ]


FURNITURE = {
    "nav": "<nav><a href='/'>Home</a></nav>",
    "header": "<header><p>The Site</p></header>",
    "footer": "<footer>© The Site</footer>",
    "aside": "<aside>By the way</aside>",
    "role": "<div role='navigation'>Up</div><div role='banner'>Top</div><div role='contentinfo'>©</div>",
    "cookies": "<div class='cookie-banner'>We value your crumbs.</div><div id='gdpr_notice'>Agree</div>",
    "share": "<ul class='share-buttons'><li>Post it</li></ul>",
    "related": "<section class='related-posts'><h3>Related</h3><p>Another page.</p></section>",
    "links": "<ul><li><a href='a'>One page</a></li><li><a href='b'>Two</a></li><li><a href='c'>Three</a></li></ul>",
    "more": "<h3>See also</h3><ul><li><a href='a'>A a</a><li><a href='b'>B b</a><li><a href='c'>C c</a></ul>",
    "contents": "<h2>Contents</h2><ol><li><a href='#a'>A</a><li><a href='#b'>B</a><li><a href='#c'>C</a></ol>",
    "form": "<form><label>Your name</label><input></form><button>Send</button>",
    "hidden": "<p hidden>a</p><p style='display: none'>b</p>"
    "<p aria-hidden='true'>c</p><p style='visibility:hidden'>d</p>",
    "script": "<script>var a = '<p>no</p>';</script><noscript>Turn it on</noscript><template><p>x</p></template>",
    "tools": "<p class='breadcrumbs'>Home &gt; Here</p><div class='newsletter'>Subscribe!</div>",
}


AROUND = ("{0}{1}", "{1}{0}", "{0}<main>{1}</main>", "<div>{1}</div>{0}", "<main>{1}{0}</main>")
AMBIGUOUS = {("more", "{0}{1}"), ("header", "<main>{1}{0}</main>"), ("footer", "<main>{1}{0}</main>")}
"""What may belong to the text: a heading over it, the head and the foot of the article."""


@pytest.mark.parametrize(
    ("name", "around"), [(name, each) for name in FURNITURE for each in AROUND if (name, each) not in AMBIGUOUS]
)
def test_what_is_around_the_text_is_not_read(reading, name, around):
    body = around.format(FURNITURE[name], f"<div><p>{LONG}</p><p>{LONG}</p></div>")
    assert words(reading(page(body))) == [LONG.strip()] * 2


@pytest.mark.parametrize(
    "around",
    [
        "<article>{}</article>",
        "<main>{}</main>",
        "<div role='main'>{}</div>",
        "<div id='content'>{}</div>",
        "<div class='post-content'>{}</div>",
        "<main><p>Loose.</p><article>{}</article></main>",
        "<div itemprop='articleBody'>{}</div>",
    ],
)
def test_the_article_is_read_and_nothing_else(reading, around):
    body = f"<p>Welcome.</p>{around.format(f'<h1>T</h1><p>{LONG}</p>')}<p>Elsewhere.</p>"
    assert words(reading(page(body))) == ["T", LONG.strip()]


def test_several_articles_are_all_read(reading):
    body = "".join(f"<article><h2>{n}</h2><p>{LONG}</p></article>" for n in ("One", "Two", "Three"))
    assert titles(reading(page(body))) == ["One", "Two", "Three"]


def test_the_head_and_foot_of_an_article_are_its_own(reading):
    body = f"<article><header><h1>T</h1></header><p>{LONG}</p><footer>Written by hand.</footer></article>"
    assert words(reading(page(body))) == ["T", LONG.strip(), "Written by hand."]


def test_what_holds_most_of_the_text_is_read_whatever_its_name(reading):
    assert words(reading(page(f"<div class='sidebar-wrapper menu'><p>{LONG}</p></div>"))) == [LONG.strip()]
    wrapped = f"<p>Before.</p><div class='has-sidebar'><p>{LONG}</p></div>"
    assert words(reading(page(wrapped))) == ["Before.", LONG.strip()]
    assert words(reading(page(f"<form id=aspnet><div><p>{LONG * 4}</p></div></form>"))) == [(LONG * 4).strip()]
    links = "<ul><li><a href='a'>One</a></li><li><a href='b'>Two</a></li><li><a href='c'>Three</a></li></ul>"
    assert words(reading(page(links))) == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>The Fair</title>", "", "The Fair"),
        ("<title>The Fair | A Site</title>", "<h1>The Fair</h1>", "The Fair"),
        ("<title>x</title><meta property='og:title' content='The Fair'>", "", "The Fair"),
        ("", "<h1>The <i>Fair</i></h1>", "The Fair"),
        ("", "", "Some page"),
    ],
)
def test_titles(reading, head, body, title):
    assert reading(page(f"{body}<p>Text.</p>", head), "some_page.html").title == title


def test_author_and_language(reading):
    head = """<meta name="author" content="A. Writer"><meta name="author" content="B. Writer">
    <meta property="article:author" content="https://example.org/a">"""
    document = reading(page("<p>Text.</p><p lang='fr'>Texte.</p>", head, " lang='en_gb'"))
    assert (document.author, document.language) == ("A. Writer, B. Writer", "en-GB")
    assert [block.language for block in document.chapters[0].blocks] == [None, "fr"]
    assert reading(page("<p>Text.</p>", "<meta http-equiv='Content-Language' content='de'>")).language == "de"
    assert reading(page("<p>Der Mann und die Frau sind nicht auf dem Markt, sie ist mit ihm.</p>" * 4)).language == "de"


CAFE = "<p>Un café où l’été était très chaud, et la forêt bien loin.</p>"


@pytest.mark.parametrize(
    ("declared", "charset"),
    [
        ("<meta charset='iso-8859-1'>", "cp1252"),
        ("<meta http-equiv='Content-Type' content='text/html; charset=windows-1252'>", "cp1252"),
        ("", "cp1252"),
        ("", "utf-8"),
        ("", "utf-8-sig"),
        ("", "utf-16"),
        ("<meta charset='iso-8859-1'>", "utf-8"),
        ("<meta charset='mac-roman'>", "mac-roman"),
        ("<meta charset='no-such-charset'>", "utf-8"),
    ],
)
def test_any_character_set_is_read(reading, declared, charset):
    assert words(reading(page(CAFE * 3, declared).encode(charset))) == [CAFE[3:-4]] * 3


def test_seven_bits_that_say_so_are_believed(reading):
    text = "<p>吾輩は猫である。</p>"
    markup = page(text, "<meta charset='iso-2022-jp'>").encode("iso-2022-jp")
    assert words(reading(markup)) == [text[3:-4]]


def test_a_declaration_of_xml_is_obeyed(reading):
    markup = f'<?xml version="1.0" encoding="iso-8859-2"?>{page("<p>Příliš žluťoučký</p>")}'
    assert words(reading(markup.encode("iso-8859-2"), "a.xhtml")) == ["Příliš žluťoučký"]


def test_html_is_told_by_what_it_begins_with(reading):
    for markup in (page("<p>Text.</p>"), "<!-- saved -->\n<HTML><p>Text.", "\ufeff<html><p>Text."):
        assert words(reading(markup, "page.txt")) == ["Text."]
    assert words(reading("Text with <html> in it.", "page.txt")) == ["Text with <html> in it."]


def test_pieces_of_markup_are_read_too(reading):
    assert words(reading("One<p>Two<div>Three")) == ["One", "Two", "Three"]


def test_nothing_is_fetched_or_expanded(reading):
    bomb = '<!DOCTYPE html [<!ENTITY a "haha"><!ENTITY x SYSTEM "file:///etc/hostname">]><html><p>&a;&x;</p></html>'
    with pytest.raises(Exception, match="entities"):
        reading(bomb)
    assert words(reading(page("<p>A<img src='http://127.0.0.1:1/x.png' alt='picture'>B</p>"))) == ["AB"]


def test_footnotes_go_where_they_are_wanted(reading):
    body = f"""<article><p>He left<sup><a id="r1" href="#n1">1</a></sup>. {LONG}</p><p>Next.</p></article>
    <footer><ol><li id="n1">It was Monday. <a href="#r1">↩</a></li></ol></footer>"""
    said = {notes: words(reading(page(body), notes=notes)) for notes in Notes}
    first = f"He left. {LONG.strip()}"
    assert said[Notes.SKIP] == [first, "Next."]
    assert said[Notes.INLINE] == [first, "It was Monday.", "Next."]
    assert said[Notes.END] == [first, "Next.", "It was Monday."]


@pytest.mark.parametrize(
    ("mark", "back"),
    [
        ("[1]", '<span class="mw-cite-backlink"><b><a href="#cite_ref-1">^</a></b></span>'),
        ("[note 1]", '<span class="mw-cite-backlink"><a href="#cite_ref-1">↑</a></span>'),
        ("[1]", '<span>^ <a href="#cite_ref-1"><sup><i>a</i></sup></a> <a href="#cite_ref-2"><sup>b</sup></a></span>'),
    ],
)
def test_a_note_may_lead_back_to_what_is_around_its_mark(reading, mark, back):
    ref = f'<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">{mark}</a></sup>'
    listed = f'<ol class="references"><li id="cite_note-1">{back} <span>It was Monday.</span></li></ol>'
    body = f"<p>He left.{ref} {LONG}</p><p>Next.</p>{listed}"
    assert words(reading(page(body))) == [f"He left. {LONG.strip()}", "Next."]
    assert words(reading(page(body), notes="end"))[-1] == "It was Monday."


@pytest.mark.parametrize("around", ["<p>{}</p>", "<div>{}</div>", "{}", "<p>Before.</p>{}", "<td>{}</td>", "<i>{}</i>"])
@pytest.mark.parametrize("between", ["<br><br>", "<br/>\n  <br />", "<br>&nbsp;<br>", "<br><br><br>"])
def test_empty_lines_divide_paragraphs(reading, around, between):
    document = reading(page(around.format(between.join([LONG, "Who?", f"<b>{LONG}</b>", "He."]))))
    assert words(document)[-4:] == [LONG.strip(), "Who?", LONG.strip(), "He."]
    assert {kind for kind, _ in told(document)} == {"paragraph"}


def test_short_paragraphs_between_empty_lines_are_no_verse_and_stanzas_are(reading):
    talk = "<p>Who goes there?<br><br>It is I.<br><br>Then come in.<br><br>* * *<br><br>He came in.</p>"
    assert [kind for kind, _ in told(reading(page(talk)))] == ["paragraph"] * 3 + ["break", "paragraph"]
    poem = "<p>The moon was up,<br>The wind was low,<br><br>And no one knew<br>Where it would go.</p>"
    assert [kind for kind, _ in told(reading(page(poem)))] == ["verse", "verse"]


def test_a_note_follows_the_paragraph_that_carries_it_between_empty_lines(reading):
    ref = "<sup><a id=r{0} href='#n{0}'>{0}</a></sup>"
    body = f"<p>One{ref.format(1)}.<br><br>Two.<br><br>Three{ref.format(2)}.</p><p id=n1>1 A.</p><p id=n2>2 B.</p>"
    assert words(reading(page(body), notes="inline")) == ["One.", "A.", "Two.", "Three.", "B."]


def test_a_page_title_over_chapters_is_no_part_of_their_titles(reading):
    body = f"<h1>The Fair</h1><p>by A. Writer</p><h2>One</h2><p>{LONG}</p><h2>Two</h2><p>{LONG}</p>"
    document = reading(page(body, "<title>The Fair</title>"))
    assert titles(document) == ["One", "Two"]
    assert words(document)[:3] == ["The Fair", "by A. Writer", "One"]


def test_deep_nesting_is_refused(reading):
    for depth in (300, 20_000):
        with pytest.raises(Exception, match=r"nested|broken"):
            reading(page("<div>" * depth + "text"))


def test_too_much_is_refused(reading):
    with pytest.raises(Exception, match="characters"):
        reading(page("<p>word" * 100), limits=Limits(text_chars=400))
    with pytest.raises(Exception, match="elements"):
        reading(page("<p>word" * 100), limits=Limits(elements=100))


INNER = st.sampled_from(
    ["word", "two words", "&amp;", "é", "<b>bold</b>", "<br>", "<i>it</i>alic", "\n", "&#8212;", "1"]
)
TEXTS = st.lists(INNER, min_size=1, max_size=6).map(" ".join)
NAMES = st.sampled_from(["p", "div", "h1", "h2", "blockquote", "li", "section", "td", "pre", "span"])
TREES = st.recursive(TEXTS, lambda inner: st.tuples(NAMES, inner, TEXTS).map("<{0[0]}>{0[1]}</{0[0]}>{0[2]}".format))


@given(st.lists(TREES, min_size=1, max_size=5).map("".join))
def test_nothing_is_lost_and_every_character_knows_its_place(tmp_path_factory, body):
    markup = page(f"{body}<p>End.</p>")
    path = tmp_path_factory.getbasetemp() / "any.html"
    path.write_text(markup, encoding="utf-8")
    document = read(path)
    root = parsed_text(markup)
    assert compact("".join(words(document))) == compact("".join(root.find("body").itertext()))
    for block in (block for chapter in document.chapters for block in chapter.blocks):
        steps = block.place.element.partition("/")[2]
        text = "".join((root.find(steps) if steps else root).itertext())
        for index, character in enumerate(block.text):
            if not character.isspace():
                assert text[block.place_at(index).offset] == character


def compact(text: str) -> str:
    return "".join(filter(str.isalnum, text))
