"""Headings count in words and in figures, in each of the six languages."""

import pytest

from tests.tts_pipeline.documents.told import titles
from tts_pipeline.book import Document
from tts_pipeline.documents import read

BODY = "It was a long day, and nobody knew yet how it would end.\n"
HEADINGS = """
1. Kapitel|12. Kapitel: Die Fahrt|Kapitel 1.|Kapitel 1. Die Fahrt|XII. Kapitel|1. Akt, 2. Szene|Der 2. Teil
Chapitre Ier|CHAPITRE IER|Chapitre 1er|1er chapitre|IIe Partie|2ème partie|Chapitre Ier. Le bac|Chapter 1st
Capítulo 1º|Capítulo I.º|1.º Capítulo|Capitolo 1°|Kapitel neunundneunzig|Einundzwanzigstes Kapitel|Dreißigstes Kapitel
Chapitre soixante et onze|Chapitre quatre-vingt-dix-neuf|Chapitre vingt et unième|Quatre-vingt-dixième chapitre
Capítulo noventa y nueve|Capítulo veintiuno|Capítulo vigésimo segundo|Capítulo vinte e um|Capítulo noventa e nove
Capitolo trentatré|Capitolo novantanove|Capitolo ventunesimo|Capitolo trentesimo terzo
"""
ONES = {
    "one": "first", "two": "second", "three": "third", "four": "fourth", "five": "fifth",
    "six": "sixth", "seven": "seventh", "eight": "eighth", "nine": "ninth",
}  # fmt: skip
TEENS = {
    "ten": "tenth", "eleven": "eleventh", "twelve": "twelfth",
    **{f"{stem}teen": f"{stem}teenth" for stem in ("thir", "four", "fif", "six", "seven", "eigh", "nine")},
}  # fmt: skip
TENS = {
    f"{stem}ty": f"{stem}tieth" for stem in ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine")
}  # fmt: skip
ALL = ONES | TEENS | TENS | {f"{ten}-{one}": f"{ten}-{first}" for ten in TENS for one, first in ONES.items()}


@pytest.fixture
def reading(tmp_path):
    def reading(headings: list[str]) -> Document:
        path = tmp_path / "book.txt"
        path.write_text("\n".join(f"{heading}\n\n{BODY}" for heading in headings), encoding="utf-8")
        return read(path)

    return reading


@pytest.mark.parametrize("heading", [each for line in HEADINGS.split("\n") for each in line.split("|") if each])
def test_a_heading_counts_as_its_language_does(reading, heading):
    assert titles(reading([heading])) == [heading.rstrip(".")]


@pytest.mark.parametrize(
    ("words", "said"),
    [(list(ALL), "CHAPTER {}"), (list(ALL.values()), "CHAPTER THE {}"), (list(ALL.values()), "THE {} DAY")],
)
def test_words_count_chapters_up_to_ninety_nine(reading, words, said):
    headings = [said.format(word.upper()) for word in words]
    assert len(headings) == 99
    assert titles(reading(headings)) == headings
