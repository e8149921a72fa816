"""Every word is spoken once, in order, and knows its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tts_pipeline.text.documents import DOCUMENTS, document
from tts_pipeline.book import Block, Chapter, Document, Item, Kind
from tts_pipeline.text import PauseOptions, SplittingOptions, batches, items

OPTIONS = st.builds(
    SplittingOptions, longest=st.sampled_from([20, 60, 300]), verse=st.sampled_from(["line", "couplet"])
)


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def blocks_of(document: Document) -> list[Block]:
    return [block for chapter in document.chapters for block in chapter.blocks]


@given(DOCUMENTS, OPTIONS)
def test_every_letter_is_in_the_items_once_and_in_order(document, options):
    said = "".join(item.source for item in items(document, options))
    assert letters(said) == letters("".join(block.text for block in blocks_of(document)))


@given(DOCUMENTS, OPTIONS)
def test_an_item_begins_where_its_place_says(document, options):
    found = iter(items(document, options))
    for block in blocks_of(document):
        rest = letters(block.text)
        while rest:
            item = next(each for each in found if letters(each.source))
            start = item.place.offset - block.place.offset
            assert block.text[start : start + len(item.source)] == item.source
            assert rest.startswith(letters(item.source))
            rest = rest[len(letters(item.source)) :]


@given(DOCUMENTS, OPTIONS)
def test_no_item_is_longer_than_the_longest(document, options):
    assert all(len(item.text) <= options.longest for item in items(document, options))


@given(DOCUMENTS, OPTIONS)
def test_items_are_numbered_and_in_one_line(document, options):
    made = items(document, options)
    assert [item.number for item in made] == list(range(len(made)))
    assert [item.chapter for item in made] == sorted(item.chapter for item in made)
    assert not any("\n" in item.text or item.text != item.text.strip() for item in made)


@given(DOCUMENTS, OPTIONS)
def test_what_is_spoken_has_words(document, options):
    for item in items(document, options):
        assert bool(item.text) == bool(letters(item.text))
        assert item.text or not letters(item.source)


@given(DOCUMENTS, OPTIONS, st.integers(1, 10))
def test_batches_are_the_items(document, options, size):
    made = items(document, options)
    parts = batches(made, size)
    assert [item for part in parts for item in part] == made
    for part in parts:
        assert 1 <= len(part) <= size
        assert len({item.chapter for item in part}) == 1
        is_cut_in_a_block = not part[-1].ends_block
        assert not is_cut_in_a_block or len(part) == size


def texts(made: list[Item]) -> list[str]:
    return [item.text for item in made]


def test_pauses_go_by_what_was_spoken():
    pauses = PauseOptions(clause=1, sentence=2, line=3, paragraph=10, heading=20, scene=100, chapter=1000)
    made = items(
        document(
            (Kind.HEADING, "Chapter 1"),
            "One. Two.",
            (Kind.VERSE, "A line\nand another"),
            (Kind.BREAK, ""),
            (Kind.TABLE, "Name\nAge"),
            "Long, " * 5 + "end.",
            "* * *",
            "Last.",
        ),
        SplittingOptions(pauses=pauses, longest=20),
    )
    assert [(item.text, item.pause_ms, item.ends_block) for item in made] == [
        ("Chapter 1", 20, True),
        ("One.", 2, False),
        ("Two.", 10, True),
        ("A line", 3, False),
        ("and another", 110, True),
        ("Name, Age", 3, True),
        ("Long, Long, Long,", 1, False),
        ("Long, Long, end.", 20, True),
        ("Last.", 1000, True),
    ]


def test_what_has_nothing_to_say_at_first_is_a_pause_of_its_own():
    (pause, word) = items(document("* * *", "Word."))
    assert (pause.text, pause.source, pause.pause_ms) == ("", "* * *", PauseOptions().paragraph)
    assert word.text == "Word."


def test_the_last_pause_of_each_chapter_is_its_own():
    one = document("One.").chapters[0]
    made = items(Document(title="", chapters=(one, one)))
    assert [(item.chapter, item.pause_ms) for item in made] == [(0, 2500), (1, 2500)]


def test_the_language_of_a_block_counts_before_that_of_the_document():
    block = document("Un.").chapters[0].blocks[0]
    chapter = Chapter(title="", blocks=(block, block.model_copy(update={"language": "fr"})))
    assert [item.language for item in items(Document(title="", language="de", chapters=(chapter,)))] == ["de", "fr"]
    assert items(Document(title="", chapters=(chapter,)), SplittingOptions(language="it"))[0].language == "it"


def test_batches_end_with_blocks():
    made = items(document(*["One. Two. Three."] * 4))
    assert [len(part) for part in batches(made, 7)] == [6, 6]
    assert [len(part) for part in batches(made, 2)] == [2, 1] * 4
    assert batches([]) == []
    with pytest.raises(ValueError, match="at least one"):
        batches(made, 0)
