"""Sentences end where a reader would take a breath."""

import time

import pytest

from tests.tts_pipeline.text.documents import document
from tts_pipeline.book import Kind
from tts_pipeline.text import SplittingOptions, items


def spoken(*blocks: tuple[Kind, str] | str, language: str = "en", **options: object) -> list[str]:
    return [item.text for item in items(document(*blocks, language=language), SplittingOptions(**options))]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            ["Mr. Pell paid 3.14 dollars, e.g. to St. Aldhelm.", '"Who are you?" he said.', "He left at 5 p.m. sharp."],
        ),
        ("en", ["It was J. R. Smith.", "“What!” she cried.", "No. 5 came second… then nothing.", "The end."]),
        ("it", ["Si veda Doe, vol. ii. p. 3.", "Cfr. cap. iv. pag. 12.", "Il resto è perduto."]),
        ("en", ["See vol. ii. p. 3, and ch. iv. of the first.", "He came in.", "3 men followed."]),
        ("en", ["I met Capt. Ahab and Prof. Hale in Mass. last year.", "It rained."]),
        ("fr", ["M. Dupont dit : « Bonjour ! »", "Il partit avec Mme. Curie."]),
        ("de", ["Am 3. Mai kam Dr. Müller, z.B. mit dem 1. Zug.", "Er ging."]),
        ("es", ["El Sr. López llegó.", "¿Quién era?", "Nadie lo sabía."]),
        ("it", ["Il Sig. Rossi arrivò.", "Non parlò."]),
        ("pt", ["O Sr. Silva chegou.", "Não falou."]),
        ("ja", ["吾輩は猫である。", "名前はまだ無い。"]),
        ("xx", ["One here.", "Two here."]),
    ],
)
def test_sentences(language, sentences):
    between = "" if language == "ja" else " "
    assert spoken(between.join(sentences), language=language) == sentences


def test_a_long_sentence_is_divided_at_its_clauses():
    clauses = [
        "He came in the morning, when it was still dark;",
        "he left in the evening —",
        "and nobody had seen him, or so they said.",
    ]
    assert spoken(" ".join(clauses), longest=60) == clauses


def test_a_speech_is_divided_at_the_ends_of_its_sentences():
    assert spoken("“I came here to speak. I saw that nobody listened. I went away again.”", longest=60) == [
        "“I came here to speak.",
        "I saw that nobody listened. I went away again.”",
    ]


def test_words_are_not_divided_unless_they_are_too_long():
    text = "word " * 200
    assert set(" ".join(spoken(text.strip())).split()) == {"word"}
    assert [len(part) for part in spoken("x" * 700)] == [300, 300, 100]
    assert all(part[0] == "x" for part in spoken("x\u0323" * 300, longest=25))


def test_numbers_are_not_divided():
    for part in spoken("It costs 1,000,000.50 in 1914–18 at 12:30, or more, " * 20, longest=40):
        left = part.replace("1,000,000.50", "").replace("1914–18", "").replace("12:30", "")
        assert not any(character.isdigit() for character in left)


def test_verse_is_spoken_by_lines_or_couplets():
    verse = (Kind.VERSE, "The moon was up\nThe night was old,\nAnd no one knew\nWhat had been told.\nThe end")
    assert spoken(verse) == verse[1].split("\n")
    assert spoken(verse, verse="couplet") == [
        "The moon was up, The night was old,",
        "And no one knew, What had been told.",
        "The end",
    ]


def test_headings_and_rows_are_spoken_whole_and_code_by_lines():
    assert spoken((Kind.HEADING, "Dr. No. A Visit. Again")) == ["Dr. No. A Visit. Again"]
    assert spoken((Kind.TABLE, "Bob\nLondon.\n3")) == ["Bob, London. 3"]
    assert spoken((Kind.CODE, "if x:\n\n    y()")) == ["if x:", "y()"]


@pytest.mark.parametrize("text", ["ab ", "“ab ", "x\u0301", "ab", "\u0301", "- "])
def test_time_grows_with_the_text_and_not_faster(text):
    def seconds(length: int) -> float:
        """Return what it costs of the processor's time, whatever else the machine does."""
        started = time.process_time()
        spoken(text * length)
        return time.process_time() - started

    assert min(seconds(80_000) for _ in range(3)) < 30 * max(seconds(8_000), 0.02)
