"""Markdown, as people write books in it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tts_pipeline.documents.told import titles, told, words
from tts_pipeline.book import Block, Document
from tts_pipeline.documents import Limits, Notes, ReadingOptions, read
from tts_pipeline.errors import UnreadableDocument

BODY = "It was a long day, and nobody knew yet how it would end."


@pytest.fixture
def reading(tmp_path):
    def reading(text: str, name: str = "book.md", **options: object) -> Document:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return read(path, ReadingOptions(**options))

    return reading


def blocks(document: Document) -> list[Block]:
    return [block for chapter in document.chapters for block in chapter.blocks]


def test_kinds(reading):
    text = """Setext
===

A *para*graph
in __two__ lines.

> Quoted
text.

- one
- two
  1. inner

| Name | Age |
|------|-----|
| A. B | 1   |

```python
x = 1
    y = 2
```

    indented code

***

Up,\\
Down,\\
And on
"""
    assert told(reading(text)) == [
        ("heading", "Setext"),
        ("paragraph", "A paragraph in two lines."),
        ("quote", "Quoted text."),
        ("list", "one"),
        ("list", "two"),
        ("list", "inner"),
        ("table", "Name\nAge"),
        ("table", "A. B\n1"),
        ("code", "x = 1\ny = 2"),
        ("code", "indented code"),
        ("break", ""),
        ("verse", "Up,\nDown,\nAnd on"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a [link](http://example.org/a_b 'title') and <http://example.org>", "a link and http://example.org"),
        ("[link][ref] and [ref]\n\n[ref]: http://example.org", "link and ref"),
        ("`code  here` and ``a ` b``", "code here and a ` b"),
        ("A ![picture](a.png) here", "A here"),
        ("![A picture](http://127.0.0.1:1/a.png)", "A picture"),
        ("[![Button](a.png)](http://127.0.0.1:1/)\n\nText", "Text"),
        (r"\*stars\* &amp; &eacute;&#8212;\x", r"*stars* & é—\x"),
        ("~~gone~~ snake_case_word 2 * 3 * 4", "gone snake_case_word 2 * 3 * 4"),
        ("one<br>two <b>bold</b> <script>x()</script>end <!-- comment -->", "one two bold end"),
        ("<ruby>漢<rt>かん</rt></ruby>", "漢"),
        ("## Heading ## {#id .class}", "Heading"),
        ("***bold* and** not", "bold and not"),
        ("Line one  \nline two", "Line one line two"),
    ],
)
def test_marks_are_not_read(reading, text, said):
    assert words(reading(text)) == [said]


def test_html_goes_through_the_walk_over_elements(reading):
    text = '<div class="x">\n\nOne.\n\n</div>\n\n<h2>Two &amp; more</h2>\n<!-- three -->\n\n<script>\nfour\n</script>\n'
    assert told(reading(text)) == [("paragraph", "One."), ("heading", "Two & more")]
    table = "<table><tr><td>A</td><td>B</td></tr></table>\n"
    assert told(reading(table)) == [("table", "A\nB")]


FRONT = {
    "yaml": "---\ntitle: 'The Fair'\nauthor: A. Writer\nlanguage: en-gb\ntags: [a, b]\n---\n",
    "dots": '---\ntitle: "The Fair"\nauthor: "A. Writer"\nlang: en_GB\n...\n',
    "list": "---\ntitle: The Fair\nauthor:\n  - A. Writer\nlang: en-GB\n---\n",
    "items": "---\ntitle: The Fair\nauthors:\n- name: A. Writer\n  url: x\nlang: en-GB\n---\n",
    "toml": '+++\ntitle = "The Fair"\nauthor = "A. Writer"\nlanguage = "en-GB"\n+++\n',
    "windows": "---\r\ntitle: The Fair\r\nauthor: [A. Writer]\r\nlang: en-GB\r\n---\r\n",
}


@pytest.mark.parametrize("front", FRONT.values(), ids=FRONT)
def test_front_matter(reading, front):
    document = reading(f"{front}\n# One\n\n{BODY}\n\n# Two\n\n{BODY}\n")
    assert (document.title, document.author, document.language) == ("The Fair", "A. Writer", "en-GB")
    assert titles(document) == ["One", "Two"]


def test_the_lines_of_pandoc_are_front_matter(reading):
    document = reading(f"% The Fair\n% A. Writer\n\n{BODY}")
    assert (document.title, document.author, words(document)) == ("The Fair", "A. Writer", [BODY])


def test_a_line_at_the_beginning_is_no_front_matter(reading):
    assert words(reading(f"---\n\n{BODY}\n\n---\n\n{BODY}")) == [BODY, "", BODY]


def test_titles_without_front_matter(reading):
    assert reading(f"# The Fair\n\n## One\n\n{BODY}").title == "The Fair"
    assert reading(f"# One\n\n{BODY}\n\n# Two\n\n{BODY}", "a_book.md").title == "A book"
    assert reading(BODY, "Jane Doe - The Fair.md").author == "Jane Doe"


def test_a_book_title_over_chapters_is_no_part_of_their_titles(reading):
    document = reading(f"# The Fair\n\n## One\n\n{BODY}\n\n## Two\n\n{BODY}")
    assert titles(document) == ["One", "Two"]
    assert words(document)[0] == "The Fair"


@pytest.mark.parametrize("title", ["## Contents\n\n", "**Table of Contents**\n\n", ""])
def test_tables_of_contents_are_not_read(reading, title):
    table = "- [One](#one)\n- [Two](#two)\n  - [Inner](#inner)\n"
    document = reading(f"# The Fair\n\n{title}{table}\n## One\n\n{BODY}\n\n[TOC]\n\n## Two\n\n{BODY}")
    assert words(document) == ["The Fair", "One", BODY, "Two", BODY]


@pytest.mark.parametrize(
    "before", ["", "# The Fair\n\n", "## Contents\n\n", f"# The Fair\n\n{BODY}\n\n## Contents\n\n"]
)
def test_two_links_are_a_table_where_it_begins_or_is_announced(reading, before):
    document = reading(f"{before}- [One](#one)\n- [Two](#two)\n\n## One\n\n{BODY}\n\n## Two\n\n{BODY}")
    assert words(document)[-4:] == ["One", BODY, "Two", BODY]
    assert len(words(document)) == 4 + before.count("Fair") + before.count(BODY)
    unsure = reading(f"{BODY}\n\n- [One](#one)\n- [Two](#two)\n\n## One\n\n{BODY}\n\n## Two\n\n{BODY}")
    assert words(unsure)[:3] == [BODY, "One", "Two"]


def test_lists_of_links_that_are_no_contents_are_read(reading):
    text = "- [One](http://example.org/1)\n- [Two](http://example.org/2)\n- [Three](http://example.org/3)\n"
    assert words(reading(text)) == ["One", "Two", "Three"]
    later = f"# A\n\n## B\n\n{BODY}\n\n- [One](#one)\n- [Two](#two)\n- [Three](#three)\n"
    assert words(reading(later)) == ["A", "B", BODY, "One", "Two", "Three"]


NOTES = {
    "label": "He left.[^a] She stayed.\n\nNext.\n\n[^a]: It was Monday.\n",
    "before": "[^1]: It was Monday.\n\nHe left.[^1] She stayed.\n\nNext.\n",
    "inline": "He left.^[It was *Monday*.] She stayed.\n\nNext.\n",
}


@pytest.mark.parametrize("text", NOTES.values(), ids=NOTES)
def test_footnotes_go_where_they_are_wanted(reading, text):
    said = {notes: words(reading(text, notes=notes)) for notes in Notes}
    assert said[Notes.SKIP] == ["He left. She stayed.", "Next."]
    assert said[Notes.INLINE] == ["He left. She stayed.", "It was Monday.", "Next."]
    assert said[Notes.END] == ["He left. She stayed.", "Next.", "It was Monday."]


def test_a_note_may_have_paragraphs_and_a_row_may_have_notes(reading):
    text = "A.[^1]\n\n[^1]: One.\n\n    Two.\n\nB.\n\n| x[^2] | y |\n|---|---|\n\n[^2]: Three.\n"
    assert told(reading(text, notes="inline")) == [
        ("paragraph", "A."),
        ("note", "One."),
        ("note", "Two."),
        ("paragraph", "B."),
        ("table", "x\ny"),
        ("note", "Three."),
    ]


def test_a_note_that_nothing_refers_to_is_not_lost(reading):
    assert words(reading("A.\n\n[^1]: One.\n", notes="end")) == ["A.", "One."]


PLACED = """# A *heading* here #
Some \\*escaped\\* &amp; `co de` [lin`k`](u "some") ![alt](u) Some *em*^[Inner *note*.]. **a**b **c
  on and** <b>so</b> on[^1] 2 * 3 **

> Quo*ted* some
lazy line
> - some item
>   goes on

Setext *some*
heading
---

| a | some\\|*bar* | x |
|---|:--|--|
| a | ` some ` | b ` c |

\tcode
\t  more

~~~
fenced
~~~

<div>
some <b>html</b> <i title="html">some</i> x<code>y</code>z<br>so&amp;so<script>so</script> me
</div>

[^1]: The no*te*
    goes on.
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("front", ["", "---\ntitle: some\n---\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_character_knows_its_place(reading, end, front, mark):
    text = f"{front}{PLACED}".replace("\n", end)
    document = reading(mark + text, notes="inline")
    assert blocks(document)[1].text == "Some *escaped* & co de link Some em. ab c on and so on 2 * 3 **"
    for block in blocks(document):
        for index, character in enumerate(block.text):
            if not character.isspace() and character != "&":
                assert text[block.place_at(index).offset] == character, (block.text, index)


def test_deep_nesting_is_refused(tmp_path):
    path = tmp_path / "deep.md"
    for text in ("> " * 5000 + "text", "- " * 5000 + "text", "\n".join("  " * n + "- x" for n in range(600))):
        path.write_text(text)
        with pytest.raises(UnreadableDocument, match="nested"):
            read(path)


def test_no_text_takes_long(reading):
    """Each of these took time that grew with its square somewhere."""
    size = 5_000
    for part in ("[", "*a **b ", "`" * 3 + " ", "<!--", "![", "[^", "&", "a\n", "|", "> a\n\n", "^[", "_a ", "\\"):
        with suppress(UnreadableDocument):
            reading(part * (size // len(part)) + " word")


def test_too_much_text(tmp_path):
    path = tmp_path / "a.md"
    path.write_text("word " * 100)
    with pytest.raises(UnreadableDocument, match="500 characters"):
        read(path, ReadingOptions(limits=Limits(text_chars=400)))
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    with pytest.raises(UnreadableDocument, match="a picture"):
        read(path)


PIECES = st.sampled_from(
    [*"*_`[]()>#-+!|<&~^\\ \n", "\n\n", "  \n", "word", "two words", "é", "1. ", "- ", "> ", "[^1]", "[^1]: ", "&amp;"]
)
TEXTS = st.lists(PIECES, max_size=30).map("".join)


@given(TEXTS, st.lists(st.sampled_from(["alpha", "*beta*", "**gamma**", "`delta`", "[eps](u)"]), max_size=8))
def test_no_marks_make_it_fail_and_places_are_inside(tmp_path_factory, marks, plain):
    text = f"{marks}\n\n{' '.join(plain)} omega\n"
    path = tmp_path_factory.getbasetemp() / "any.md"
    path.write_text(text, encoding="utf-8", newline="")
    for block in blocks(read(path, ReadingOptions(notes="inline"))):
        for index, character in enumerate(block.text):
            offset = block.place_at(index).offset
            assert 0 <= offset <= len(text)
            if character.isalpha() and "&amp;" not in text:
                assert text[offset] == character


LETTERS = (
    st.text(st.sampled_from("abc é中,.-'!? "), min_size=1, max_size=40)
    .map(str.strip)
    .filter(lambda each: any(map(str.isalnum, each)) and each[0].isalnum())
)
AROUND = st.sampled_from(
    ["{}", "*{}*", "> {}", "- {}", "## {}", "{}\n===", "    {}", "```\n{}\n```", "<p>{}</p>", "1. {}"]
)


@given(st.lists(st.tuples(AROUND, LETTERS), min_size=1, max_size=8))
def test_no_letter_is_lost(tmp_path_factory, parts):
    path = tmp_path_factory.getbasetemp() / "all.md"
    path.write_text("\n\n".join(around.format(text) for around, text in parts), encoding="utf-8")
    said = "".join(block.text for block in blocks(read(path)))
    assert letters(said) == letters("".join(text for _, text in parts))


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
