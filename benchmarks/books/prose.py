"""What is a long book to measure with, in which no sentence is there twice?"""

import random
from collections.abc import Iterator
from pathlib import Path

WORDS_PER_HOUR = 9_000
"""Roughly, at the pace of the voices that we measure."""
_CHAPTER_SENTENCES = 190
_PLACES = "harbour tower garden kitchen bridge market station library orchard cellar stairway lighthouse".split()
_PEOPLE = "keeper baker stranger clockmaker widow captain pupil doctor gardener fiddler ferryman printer".split()
_THINGS = "lamp letter clock kettle ladder coat map lantern chair mirror drum bottle ribbon candle".split()
_DID = "carried forgot painted counted mended hid sold watched borrowed dropped described buried".split()
_HOW = ("slowly", "at once", "without a word", "for the third time", "before breakfast", "as if nothing had happened")
_WHEN = ("In the morning", "After the rain", "That winter", "Before the bell rang", "Years later", "Towards evening")
_SHAPES = (
    "{when} the {person} {did} the {thing} in the {place}, and number {number} was written on it.",
    "Nobody in the {place} had seen the {person} who {did} the {thing} of house {number}.",
    '"Was it you," asked the {person}, "who {did} the {thing} by the {place} {number} days ago?"',
    "The {person} {did} it {how}; then the {thing} stood in the {place}, and {number} people came to look.",
    "It took {number} steps from the {place} to the {thing} that the {person} {did}.",
)


def sentences(count: int, seed: int = 1) -> Iterator[str]:
    """Give sentences of about a dozen words; a number in each keeps them apart."""
    chance = random.Random(seed)
    for number in range(count):
        yield chance.choice(_SHAPES).format(
            when=chance.choice(_WHEN),
            person=chance.choice(_PEOPLE),
            did=chance.choice(_DID),
            thing=chance.choice(_THINGS),
            place=chance.choice(_PLACES),
            how=chance.choice(_HOW),
            number=1_000 * seed + number,
        )


def text(words: int, seed: int = 1) -> str:
    """Return a book of so many words, in chapters of about twenty minutes."""
    lines, left, number = [f"THE LONG BOOK {seed}", "", "by A. Generator"], words, 0
    told = sentences(words, seed)
    while left > 0:
        number += 1
        lines += ["", f"CHAPTER {number}", ""]
        for _ in range(_CHAPTER_SENTENCES // 5):
            paragraph = " ".join(next(told) for _ in range(5))
            lines += [paragraph, ""]
            left -= len(paragraph.split())
    return "\n".join(lines) + "\n"


def write(path: Path, words: int, seed: int = 1) -> Path:
    """Write a book into a file."""
    path.write_text(text(words, seed), encoding="utf-8")
    return path
