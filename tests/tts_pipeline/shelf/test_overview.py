"""Where each book stands is seen at a glance, however many there are."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, event, insert

from tests.acceptance.reader import book, sentence
from tests.tts_pipeline.bench import M4B, Bench
from tts_pipeline.overview import overviews
from tts_pipeline.shelf import Book
from tts_pipeline.shelf.schema import batches, books, publications
from tts_pipeline.shelf.standing import State, state_of


def seen(bench: Bench, made: Book) -> tuple[State, int]:
    (one,) = overviews(bench.shelf, [bench.shelf.book(made.id)])
    assert state_of(bench.shelf, one.standing) is one.state
    return one.state, one.problem_count


@contextmanager
def asked() -> Iterator[list[str]]:
    """Give what the shelf's database is asked meanwhile."""
    statements: list[str] = []

    def note(connection, cursor, statement, *rest):
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    yield statements
    event.remove(Engine, "before_cursor_execute", note)


def test_a_book_goes_from_queued_to_published(bench):
    made = bench.ingest(bench.write(book(2, 6))).book
    assert seen(bench, made) == (State.QUEUED, 0)
    bench.complete(bench.claim("render"))
    assert seen(bench, made) == (State.RENDERING, 0)
    while task := bench.claim("render"):
        bench.complete(task)
    assert seen(bench, made) == (State.ENCODING, 0)
    bench.work()
    assert seen(bench, made) == (State.PUBLISHED, 0)


def test_of_a_book_that_failed_the_sentences_are_counted(bench, moody):
    moody.fails |= {sentence(1, 4), sentence(2, 2)}
    made = bench.ingest(bench.write(book(2, 6)), bench.settings(engine="moody")).book
    bench.work()
    assert seen(bench, made) == (State.FAILED, 2)


def test_a_sentence_that_failed_without_a_word_counts_too(bench):
    made = bench.ingest(bench.write(book(2, 6))).book
    task = bench.claim("render")
    bench.queue.mark_as_discarded(task, error="the store burned")
    assert seen(bench, made)[1] == len([item for item in task.items if item.text])


def test_many_books_are_told_apart(bench, moody):
    moody.fails.add(sentence(1, 4))
    failed = bench.run(bench.write(book(2, 6)), bench.settings(engine="moody"))
    whole = bench.run(bench.write(book(2, 6, "sail"), "sail.txt"))
    queued = bench.ingest(bench.write(book(2, 6, "swim"), "swim.txt")).book
    found = overviews(bench.shelf, [queued, failed, whole])
    assert [(one.book.id, one.state, one.problem_count) for one in found] == [
        (queued.id, State.QUEUED, 0),
        (failed.id, State.FAILED, 1),
        (whole.id, State.PUBLISHED, 0),
    ]


@pytest.mark.parametrize("is_published", [True, False])
def test_a_thousand_books_are_a_handful_of_questions(bench, is_published):
    made = bench.ingest(bench.write(book(1, 3))).book
    facts = {name: getattr(made, name) for name in ("manifest", "language", "chapter_count", "sentence_count")}
    facts |= {"expected_ms": 1, "created_at": 1, "updated_at": 1, "wording": "", "priority": 5, "is_paused": False}
    ids = [f"BOOK{number:04}" for number in range(1000)]
    rows = [
        {"id": each, "content": each, "settings": "", "revision": 1, "title": each, "path": each, "folder": each}
        for each in ids
    ]
    rendered = {"revision": 1, "sentence_count": 4, "rendered_count": 4, "sample_count": 1}
    with bench.queue.transaction() as connection:
        connection.execute(insert(books), [row | facts for row in rows])
        connection.execute(
            insert(batches),
            [
                {"book_id": each, "number": number, "chapter": 0, "renditions": "[]", "failures": "[]"} | rendered
                for each in ids
                for number in range(20)
            ],
        )
        wanted = {"format": "m4b", "place": 0, "wanted": M4B.model_dump_json()}
        wanted["published_revision"] = 1 if is_published else None
        connection.execute(insert(publications), [{"book_id": each} | wanted for each in ids])
    with asked() as statements:
        found = overviews(bench.shelf, bench.shelf.books())
    assert 0 < len(statements) < 10
    assert len(found) == 1001
    assert {one.state for one in found[1:]} <= {State.PUBLISHED, State.STOPPED}
