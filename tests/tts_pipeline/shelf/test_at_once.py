"""Several commands may put books on one shelf at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from queue_core import Queue
from tests.acceptance.reader import book
from tests.tts_pipeline.bench import M4B, MP3, Bench

SOON = 60.0


@pytest.fixture
def benches(tmp_path, shared_url):
    """Two commands, each with connections of its own."""
    with Queue.open(shared_url) as first, Queue.open(shared_url) as second:
        yield [Bench.at(tmp_path, queue) for queue in (first, second)]


def at_once(*acts):
    """Do several things in the same instant; return what came of each."""
    barrier = Barrier(len(acts))

    def act(one):
        barrier.wait(SOON)
        return one()

    with ThreadPoolExecutor(len(acts)) as pool:
        return [each.result(SOON) for each in [pool.submit(act, one) for one in acts]]


@pytest.mark.parametrize("number", range(3))
def test_one_new_file_is_one_book_in_both_formats(benches, number):
    one, two = benches
    path = one.write(book(2, 6 + number))
    first, second = at_once(lambda: one.ingest(path, None, M4B), lambda: two.ingest(path, None, MP3))
    assert first.book.id == second.book.id
    assert {each.format for each in one.shelf.publications(first.book.id)} == {"m4b", "mp3"}
    assert len(one.tasks(first.book, "publish")) == 2


@pytest.mark.parametrize("number", range(3))
def test_a_known_file_in_another_format_is_ordered_once(benches, number):
    one, _ = benches
    path = one.write(book(2, 6 + number))
    made = one.ingest(path).book
    counts = at_once(*(lambda each=each: each.ingest(path, None, MP3).task_count for each in benches))
    assert sorted(counts) == [0, made.chapter_count + 1]


@pytest.mark.parametrize("number", range(3))
def test_two_books_of_one_title_get_two_folders(benches, number):
    one, two = benches
    paths = [one.write(book(2, 6 + number), "a.txt"), two.write(book(2, 7 + number), "b.txt")]
    first, second = at_once(lambda: one.ingest(paths[0]), lambda: two.ingest(paths[1]))
    assert {first.book.folder, second.book.folder} == {
        str(one.folder / "outputs/Nobody Inparticular/The Walk"),
        str(one.folder / "outputs/Nobody Inparticular/The Walk (2)"),
    }


@pytest.mark.parametrize("number", range(3))
def test_one_edited_file_is_one_new_revision(benches, number):
    one, _ = benches
    path = one.write(book(2, 6))
    one.ingest(path)
    one.write(book(2, 7 + number))
    done = at_once(*(lambda each=each: each.ingest(path).book.revision for each in benches))
    assert done == [2, 2]


def test_a_shelf_is_made_once(tmp_path, shared_url):
    with Queue.open(shared_url) as first, Queue.open(shared_url) as second:
        shelves = at_once(lambda: Bench.at(tmp_path, first), lambda: Bench.at(tmp_path, second))
        assert [bench.shelf.books() for bench in shelves] == [[], []]
