"""Documents of any shape, for tests that state what is true of all of them."""

from hypothesis import strategies as st

from tts_pipeline.book import Block, Chapter, Document, Kind, Place

TEXT = """the I Mr. Dr. St. e.g. 3.14 1,000 don’t wait--what ﬁnd cafe\u0301 naïve so\u00adft “Well,” said. Yes! why? (or
not) ... — * _so_ 中文。 日本、 ؟ ½ XIV. 😀 \u200b ; and: a_b M. 1. „Ja!“ «Non» n\u0301\u0301\u0301"""
WORDS = st.sampled_from([*TEXT.split(), ". . .", "\u00a0", "\t", "\u2028", "x" * 50])
SEPARATORS = st.sampled_from([" ", " ", " ", "", "  ", ", ", "; "])
LINES = st.lists(st.tuples(WORDS, SEPARATORS), max_size=60).map(lambda pairs: "".join(a + b for a, b in pairs))
KINDS = st.sampled_from(list(Kind))
LANGUAGES = st.sampled_from([None, "en", "de", "fr-FR", "ja", "xx"])


@st.composite
def blocks(draw: st.DrawFn) -> Block:
    kind = draw(KINDS)
    keeps_lines = kind in {Kind.VERSE, Kind.CODE, Kind.TABLE}
    text = "\n".join(draw(st.lists(LINES, min_size=1, max_size=4))) if keeps_lines else draw(LINES)
    place = Place(file="a", offset=draw(st.integers(0, 1000)))
    return Block(kind=kind, text=text, place=place, language=draw(LANGUAGES))


CHAPTERS = st.lists(blocks(), max_size=6).map(lambda each: Chapter(title="", blocks=tuple(each)))
DOCUMENTS = st.lists(CHAPTERS, max_size=4).map(lambda each: Document(title="", chapters=tuple(each)))


def document(*blocks: tuple[Kind, str] | str, language: str = "en") -> Document:
    """Return a document of one chapter, each block a hundred characters on."""
    pairs = [block if isinstance(block, tuple) else (Kind.PARAGRAPH, block) for block in blocks]
    made = tuple(
        Block(kind=kind, text=text, place=Place(file="a", offset=100 * number))
        for number, (kind, text) in enumerate(pairs)
    )
    return Document(title="", language=language, chapters=(Chapter(title="", blocks=made),))
