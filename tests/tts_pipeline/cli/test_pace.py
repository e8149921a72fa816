"""What is shown of books at work: all first, then each, and those that do not fit are counted."""

from dataclasses import replace

import pytest

from tts_pipeline.cli.pace import Pace, lines, rows
from tts_pipeline.shelf import Book, Publication
from tts_pipeline.shelf.standing import Standing


def a_book(number: int) -> Book:
    return Book(
        id=f"B{number}", content="", settings="", revision=1, manifest="", title=f"Book {number}", author=None,
        language="en", path="", folder="", chapter_count=2, sentence_count=100, expected_ms=400_000, created_at=0,
        updated_at=0, wording="", priority=5,
    )  # fmt: skip


def standing(number: int, rendered: int = 0, encoded: int = 0, *, missing: int | None = None) -> Standing:
    """Return how far a book is; with a number of missing sentences it is published."""
    made = Publication("m4b", 0, "{}", published_revision=1, seconds=390, missing_count=missing, file="x.m4b")
    wanted = Publication("m4b", 0, "{}")
    return Standing(a_book(number), rendered, encoded, 2, (wanted if missing is None else made,))


class Watch:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def test_one_book_has_one_row_with_all_that_is_known():
    (row,) = rows([standing(1, 40)], "95 × real time, 0:12 left", 20)
    assert (row.title, row.note) == ("Book 1", "40 of 100 sentences, 95 × real time, 0:12 left")
    assert row.share == pytest.approx(0.28)


def test_of_several_all_come_first_and_then_each_that_is_at_work():
    shown = rows([standing(1), standing(2, 40), standing(3, 100, 1)], "95 × real time", 20)
    assert [row.line for row in shown] == [
        "in all: 140 of 300 sentences, 95 × real time",
        "Book 2: 40 of 100 sentences",
        "Book 3: 1 of 2 chapters encoded",
        "Book 1: 0 of 100 sentences",
    ]


@pytest.mark.parametrize("most", range(1, 30))
def test_there_are_no_more_rows_than_fit_and_no_book_is_forgotten(most):
    books = [standing(1, 100, 2, missing=0), *(standing(number, number % 3) for number in range(2, 22))]
    shown = rows(books, "", most)
    assert len(shown) <= max(most, 2)
    assert shown[0].title == "in all"
    told = int(shown[-1].note.split()[1]) if shown[-1].share is None else 0
    assert len(shown) - 1 - bool(told) + told == len(books)


def test_those_that_do_not_fit_are_counted_by_what_they_do():
    books = [standing(1, 100, 2, missing=0), *(standing(number, 10) for number in (2, 3, 4)), standing(5), standing(6)]
    assert rows(books, "", 4)[-1].note == "and 4 books: 1 published, 1 at work, 2 waiting"


def test_pace_and_time_left_are_told_once_they_are_known():
    watch = Watch()
    pace, books = Pace(watch), [standing(1), standing(2)]
    assert pace.note(books) == ""
    watch.at = 10
    assert pace.note(books) == ""
    books = [replace(one, rendered_count=50) for one in books]  # 400 s of speech in 10 s, 35 % of the work
    assert pace.note(books) == "40 × real time, 0:19 left"
    assert pace.note([standing(1, 100, 2, missing=0), standing(2, 100, 2, missing=0)]) == ""


def test_what_was_whole_before_is_not_at_work():
    pace = Pace()
    assert pace.at_work([standing(1, 100, 2, missing=0), standing(2)]) == [standing(2)]
    done = standing(2, 100, 2, missing=0)
    assert pace.at_work([standing(1, 100, 2, missing=0), done]) == [done]


def test_a_log_has_a_line_for_all_and_for_those_that_moved():
    said: dict[str, str] = {}
    books = [standing(1, 10), standing(2), standing(3, 100, 2, missing=3)]
    assert list(lines(books, "9 × real time", said)) == [
        "in all: 110 of 300 sentences, 9 × real time",
        "Book 3: published, 6:30, 3 sentences missing",
        "Book 1: 10 of 100 sentences",
    ]
    assert list(lines(books, "", said)) == ["in all: 110 of 300 sentences"]
    many = [standing(number, 10) for number in range(100)]
    assert len(list(lines(many, "", {}))) == 6


def test_a_log_has_fewer_lines_the_longer_it_gets():
    watch = Watch()
    pace = Pace(watch)
    waits = []
    for watch.at in (0, 60, 300, 36_000):
        waits.append(pace.until_line())
    assert waits == [10, 10, 30, 60]
