"""Nothing that was put in is looked at again, and nothing else is touched."""

from hypothesis import given
from hypothesis import strategies as st

from tests.tts_pipeline.lexicon.making import lexicon, pattern, word, words
from tts_pipeline.lexicon import Lexicon

WORD = st.text("abcß", min_size=1, max_size=3)
SAID = st.dictionaries(WORD, WORD, max_size=6)
TEXT = st.lists(st.text("abcßABC", min_size=1, max_size=3), max_size=12)
OPTIONS = st.fixed_dictionaries({"whole": st.booleans(), "case": st.sampled_from([None, "exact", "ignore"])})
ENTRIES = st.lists(st.builds(lambda key, say, options: word(key, say, **options), WORD, WORD, OPTIONS), max_size=6)


@given(SAID, TEXT)
def test_each_word_is_said_once_as_its_entry_says(said, text):
    by_case = {key.casefold(): say for key, say in said.items()}
    spoken = lexicon(*(word(key, say) for key, say in said.items() if by_case[key.casefold()] == say))
    expected = " ".join(by_case.get(each.casefold(), each) for each in text)
    assert spoken.spoken(" ".join(text), "en") == expected


@given(ENTRIES, st.randoms(use_true_random=False), TEXT)
def test_the_order_of_words_says_nothing(entries, random, text):
    first = {entry.written: entry for entry in entries}
    shuffled = list(first.values())
    random.shuffle(shuffled)
    line = " ".join(text)
    by_fold = {entry.written.casefold() for entry in first.values()}
    if len(by_fold) == len(first):
        assert lexicon(*shuffled).spoken(line, "en") == lexicon(*first.values()).spoken(line, "en")


@given(st.text(max_size=80), st.sampled_from(["en", "tr", "ja", "fr"]))
def test_a_text_without_an_entry_stays_as_it_is(text, language):
    spoken = lexicon(word("zyzzyva"), word("qqq", whole=False), pattern("zyz+yva"))
    if not any(each in text.casefold() for each in ("zyz", "qqq")):
        assert spoken.spoken(text, language) == text
    assert Lexicon().spoken(text, language) == text


@given(ENTRIES, TEXT)
def test_saying_each_word_as_it_is_written_changes_nothing(entries, text):
    line = " ".join(text)
    as_written = [word(entry.written, entry.written, whole=entry.whole, case="exact") for entry in entries]
    assert lexicon(*as_written).spoken(line, "en") == line


@given(ENTRIES, st.text("abcABCß'’- .,\u0301", max_size=30))
def test_what_is_around_stays(entries, text):
    capital = [word(entry.written, "Z", whole=entry.whole, case=entry.case) for entry in entries]
    spoken = lexicon(*capital).spoken(f"<{text}>", "en")
    assert spoken[0] == "<"
    assert spoken[-1] == ">"
    assert set(spoken) - {"Z"} <= set(f"<{text}>") | set("áÁ\u0106\u0107")


def test_a_text_without_an_entry_keeps_even_its_separate_accents():
    assert lexicon(word("cafe")).spoken("cafe\u0301", "en") == "cafe\u0301"


def test_words_can_be_exchanged():
    assert words(he="she", she="he").spoken("He and she, she and he.", "en") == "she and he, he and she."


def test_at_one_place_the_longest_word_wins():
    spoken = lexicon(word("New", "1"), word("New York", "2"), word("York City", "3"), word("New York City Hall", "4"))
    assert spoken.spoken("New York City", "en") == "2 City"
    assert spoken.spoken("New York City Hall, New Yorkers", "en") == "4, 1 Yorkers"
    assert lexicon(word("ab", "1"), word("abc", "2")).spoken("abc ab", "en") == "2 1"


def test_patterns_come_before_words_and_in_their_order():
    spoken = lexicon(word("kHz", "KHZ"), pattern(r"(\d+) kHz", r"\1 kilohertz"), pattern(r"\d+", "NUMBER"))
    assert spoken.spoken("44 kHz, kHz, 7", "en") == "44 kilohertz, KHZ, NUMBER"


def test_a_shorter_word_is_said_where_a_pattern_took_the_rest_of_the_longer():
    assert lexicon(word("New York", "1"), word("New", "2"), pattern("York", "P")).spoken("New York", "en") == "2 P"
