"""In which words are the sentences of a book given to its voice?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tts_pipeline.book import Item, Kind, Place
from tts_pipeline.errors import NoSuchPart
from tts_pipeline.lexicon import read_lexicon
from tts_pipeline.manifest import read_all_items, read_manifest
from tts_pipeline.rewording import Rewording
from tts_pipeline.shelf.edits import edits_of
from tts_pipeline.shelf.history import revisions_of
from tts_pipeline.wording import Edit, Wording, places

STORY = "One is here.\n\nTwo is here. Three is here.\n\nOne is here.\n\nFour is here."


def items(*texts: str) -> list[Item]:
    place = Place(file="a.txt", offset=0)
    facts = {"chapter": 0, "kind": Kind.PARAGRAPH, "place": place, "language": "en", "pause_ms": 0, "ends_block": True}
    return [Item(number=at, text=text, source=text, **facts) for at, text in enumerate(texts)]


def said(bench, book) -> list[str]:
    return [item.said for item in read_all_items(bench.store, read_manifest(bench.store, book.manifest))]


def rewording(bench) -> Rewording:
    return Rewording(bench.ingesting())


def test_an_edit_changes_its_sentence_alone():
    edit = Edit.of(items("a", "b", "a"), 2).model_copy(update={"say": "c"})
    assert [item.said for item in Wording(edits=(edit,)).applied(items("a", "b", "a"))] == ["a", "b", "c"]


def test_an_edit_follows_its_sentence_by_what_stands_around_it():
    edit = Edit.of(items("x", "a", "y", "a", "z"), 3)
    assert places([edit], items("a", "x", "a", "q", "y", "a", "z")) == {5: edit}


def test_of_sentences_in_the_same_surroundings_the_edit_stays_with_the_one_of_its_rank():
    same = items("a", "a", "a", "a")
    edits = [Edit.of(same, number) for number in (1, 2)]
    assert places(edits, same) == {1: edits[0], 2: edits[1]}


def test_an_edit_whose_sentence_is_gone_takes_no_other_ones_place():
    book = items("x", "a", "y", "v", "a", "w")
    edits = [Edit.of(book, number) for number in (1, 4)]
    assert places(edits, items("v", "a", "w")) == {1: edits[1]}


def test_an_edit_whose_sentence_is_gone_has_no_place_and_changes_nothing():
    edit = Edit.of(items("a", "b"), 0).model_copy(update={"say": "c"})
    assert places([edit], items("b")) == {}
    assert Wording(edits=(edit,)).applied(items("b")) == items("b")


@given(st.lists(st.sampled_from("ab"), min_size=1, max_size=12), st.data())
def test_edits_of_a_book_are_found_where_they_were_made(texts, data):
    """Whatever repeats itself: in the book that they were made for, all edits have their own places."""
    book = items(*texts)
    numbers = data.draw(st.lists(st.sampled_from(range(len(texts))), unique=True))
    edits = [Edit.of(book, number) for number in numbers]
    found = places(edits, book)
    assert len(found) == len(edits)
    assert all(book[number].text == edit.text for number, edit in found.items())


def test_an_edit_renders_one_sentence_and_keeps_the_text_of_the_book(bench, moody):
    book = bench.run(bench.write(STORY), bench.settings(engine="moody"))
    moody.asked.clear()
    made = rewording(bench).edit(book, 1, "Number two.")
    bench.work()
    assert moody.asked == ["Number two."]
    assert made.book.revision == 2
    assert said(bench, made.book)[1] == "Number two."
    assert [item.text for item in read_all_items(bench.store, read_manifest(bench.store, made.book.manifest))][1] != ""


def test_an_edit_lasts_when_the_file_changes(bench):
    path = bench.write(STORY)
    book = bench.run(path)
    rewording(bench).edit(book, 3, "The other one.")
    bench.write(f"Zero is here.\n\n{STORY}")
    again = bench.ingest(path).book
    assert again.revision == 3
    assert said(bench, again).index("The other one.") == 4


def test_as_written_takes_an_edit_back(bench):
    book = bench.run(bench.write(STORY))
    edited = rewording(bench).edit(book, 1, "Number two.").book
    back = rewording(bench).edit(edited, 1, None).book
    assert said(bench, back) == said(bench, book)
    with bench.shelf.reading() as connection:
        assert edits_of(connection, book.id) == ()


def test_redo_renders_a_sentence_anew_though_its_words_are_stored(bench, moody):
    book = bench.run(bench.write(STORY), bench.settings(engine="moody"))
    moody.asked.clear()
    first = rewording(bench).redo(book, [1]).book
    bench.work()
    second = rewording(bench).redo(first, [1]).book
    bench.work()
    assert moody.asked == ["Two is here."] * 2
    assert [one.reason for one in revisions_of(bench.shelf, second)] == [
        "first read",
        "pronunciations or edits changed",
        "pronunciations or edits changed",
    ]


def test_what_holds_already_makes_no_revision(bench):
    book = bench.run(bench.write(STORY))
    edited = rewording(bench).edit(book, 1, "Number two.").book
    assert not rewording(bench).edit(edited, 1, "Number two.").is_new
    assert bench.shelf.book(book.id).revision == 2


def test_an_edit_that_was_cut_off_before_its_revision_comes_with_the_next_run(bench):
    """The decision is kept first: whatever ends the command between the two loses nothing."""
    path = bench.write(STORY)
    book = bench.run(path)
    ingest = bench.ingesting()
    edited = Rewording(ingest)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rewording, "reword", lambda self, book: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            edited.edit(book, 1, "Number two.")
    assert said(bench, bench.ingest(path).book)[1] == "Number two."


@pytest.mark.parametrize("number", [-1, 5, 1_000])
def test_a_sentence_that_is_not_there_is_refused_and_nothing_is_kept(bench, number):
    book = bench.run(bench.write(STORY))
    with pytest.raises(NoSuchPart, match="they go from 1 to 5"):
        rewording(bench).edit(book, number, "What?")
    assert bench.shelf.book(book.id) == book


def test_a_sentence_of_which_nothing_is_said_is_a_pause_and_nothing_is_missing(bench, moody):
    """What a lexicon takes away whole is neither rendered nor waited for."""
    lexicon = bench.folder / "lexicon.toml"
    lexicon.write_text('[words]\n"Two is here" = ""\n', encoding="utf-8")
    bench.lexicon = read_lexicon(lexicon)
    book = bench.run(bench.write(STORY), bench.settings(engine="moody"))
    assert "Two is here." not in moody.asked
    assert bench.shelf.publications(book.id)[0].missing_count == 0
    assert bench.shelf.book(book.id).sentence_count == 4


def test_what_a_revision_took_is_kept_when_the_next_begins(bench):
    book = bench.run(bench.write(STORY))
    (before,) = revisions_of(bench.shelf, book)
    again = rewording(bench).redo(book, [1]).book
    first, second = revisions_of(bench.shelf, again)
    assert first.spent_ms == before.spent_ms > 0
    assert second.spent_ms == 0
    bench.work()
    assert revisions_of(bench.shelf, again)[1].spent_ms > 0
