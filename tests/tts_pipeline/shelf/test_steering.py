"""A book can be called off, held and moved ahead; its later revisions follow."""

import pytest

from queue_core import TaskState
from tests.acceptance.reader import book
from tests.tts_pipeline.bench import M4B, MP3, Bench
from tts_pipeline.errors import BookNotFound
from tts_pipeline.orders import Terms
from tts_pipeline.shelf import Book
from tts_pipeline.shelf.standing import State, standings, state_of
from tts_pipeline.shelf.steering import cancel, prioritize, set_pause

HIGH, NORMAL, LOW = 0, 5, 10


def state(bench: Bench, made: Book) -> State:
    (one,) = standings(bench.shelf, [bench.shelf.book(made.id)])
    return state_of(bench.shelf, one)


def priorities(bench: Bench, made: Book) -> set[int]:
    return {task.priority for task in bench.queue.list(group_id=made.group_id, limit=1000)}


def test_a_cancelled_book_stays_and_nobody_works_on_it(bench):
    made = bench.ingest(bench.write(book(2, 6))).book
    bench.complete(bench.claim("render"))
    cancelled = cancel(bench.shelf, made)
    assert len(cancelled) == len(bench.queue.list(group_id=made.group_id, limit=1000)) - 1
    bench.work()
    assert state(bench, made) is State.CANCELLED
    assert cancel(bench.shelf, made) == []


def test_the_same_file_brings_a_cancelled_book_back_and_renders_only_what_is_left(bench):
    path = bench.write(book(2, 6))
    made = bench.ingest(path).book
    bench.complete(bench.claim("render"))
    cancel(bench.shelf, made)
    again = bench.ingest(path)
    assert again.book.id == made.id
    open_renders = [task for task in bench.tasks(made, "render") if task.state is TaskState.PENDING]
    assert len(open_renders) == len(bench.shelf.batches(made)) - 1
    bench.work()
    assert state(bench, made) is State.PUBLISHED


def test_a_book_comes_back_while_a_worker_still_has_a_task_that_was_called_off(bench):
    path = bench.write(book(2, 6))
    made = bench.ingest(path).book
    late = bench.claim("render")
    cancel(bench.shelf, made)
    bench.ingest(path)
    bench.queue.mark_as_cancelled(late)
    bench.queue.release([late])
    assert bench.queue.get(late).state is TaskState.CANCELLED
    bench.work()
    assert state(bench, made) is State.PUBLISHED


def test_a_publication_that_was_called_off_while_it_ran_is_ordered_anew(bench):
    path = bench.write(book(1, 3))
    made = bench.ingest(path).book
    for name in ("render", "encode"):
        while task := bench.claim(name):
            bench.complete(task)
    late = bench.claim("publish")
    cancel(bench.shelf, made)
    assert bench.ingest(path).task_count == 2
    bench.queue.release([late])
    bench.work()
    assert state(bench, made) is State.PUBLISHED


def test_a_failed_book_that_is_called_off_is_cancelled(bench, moody):
    from tests.acceptance.reader import sentence

    moody.fails.add(sentence(1, 4))
    made = bench.run(bench.write(book(2, 6)), bench.settings(engine="moody"))
    assert state(bench, made) is State.FAILED
    cancel(bench.shelf, made)
    assert state(bench, made) is State.CANCELLED


def test_calling_off_a_published_book_changes_nothing(bench):
    made = bench.run(bench.write(book(1, 3)))
    assert cancel(bench.shelf, made) == []
    assert state(bench, made) is State.PUBLISHED


def test_nothing_of_a_paused_book_is_handed_out(bench):
    made = bench.ingest(bench.write(book(2, 6))).book
    other = bench.ingest(bench.write(book(1, 3, "sail"), "sail.txt")).book
    set_pause(bench.shelf, made, is_paused=True)
    bench.work()
    assert (state(bench, made), state(bench, other)) == (State.PAUSED, State.PUBLISHED)
    set_pause(bench.shelf, made, is_paused=False)
    bench.work()
    assert state(bench, made) is State.PUBLISHED


def test_later_revisions_of_a_paused_book_are_paused_too(bench):
    path = bench.write(book(2, 6))
    made = bench.ingest(path).book
    set_pause(bench.shelf, made, is_paused=True)
    second = bench.ingest(bench.write(book(2, 7))).book
    assert second.revision == 2
    assert bench.claim("render") is None
    assert state(bench, made) is State.PAUSED
    set_pause(bench.shelf, made, is_paused=False)
    bench.work()
    assert state(bench, made) is State.PUBLISHED
    assert path.exists()


def test_a_book_that_is_let_go_while_its_new_revision_is_placed_is_not_held(bench, monkeypatch):
    bench.ingest(bench.write(book(2, 6)))
    (made,) = bench.shelf.books()
    set_pause(bench.shelf, made, is_paused=True)
    pause, acts = bench.queue.pause, []

    def meanwhile(**which):
        if not acts:
            acts.append(None)
            set_pause(bench.shelf, made, is_paused=False)
        pause(**which)

    monkeypatch.setattr(bench.queue, "pause", meanwhile)
    bench.ingest(bench.write(book(2, 7)))
    bench.work()
    assert acts
    assert state(bench, made) is State.PUBLISHED


def test_what_waits_of_a_book_gets_its_new_priority(bench):
    made = bench.ingest(bench.write(book(2, 6))).book
    assert priorities(bench, made) == {NORMAL}
    changed = prioritize(bench.shelf, made, HIGH)
    assert len(changed) == len(bench.queue.list(group_id=made.group_id, limit=1000))
    assert priorities(bench, made) == {HIGH}


@pytest.mark.parametrize("level", [HIGH, LOW])
def test_later_revisions_and_formats_keep_the_priority(bench, level):
    path = bench.write(book(2, 6))
    made = bench.ingest(path).book
    prioritize(bench.shelf, made, level)
    second = bench.ingest(bench.write(book(2, 7))).book
    assert (second.priority, priorities(bench, second)) == (level, {level})
    bench.work()
    bench.ingest(path, None, M4B, MP3)
    assert {task.priority for task in bench.tasks(second, "publish")} == {level}


def test_somebody_who_waits_for_a_book_is_served_first_all_the_same(bench):
    bench.ingest(bench.write(book(2, 6)))
    (made,) = bench.shelf.books()
    prioritize(bench.shelf, made, LOW)
    bench.terms = Terms(priority="high")
    second = bench.ingest(bench.write(book(2, 7))).book
    assert priorities(bench, second) == {HIGH}


def test_a_book_that_is_gone_cannot_be_steered(bench):
    made = bench.ingest(bench.write(book(1, 3))).book
    gone = type(made)(**{name: getattr(made, name) for name in made.__slots__} | {"id": "GONE"})
    for act in (
        lambda: prioritize(bench.shelf, gone, HIGH),
        lambda: set_pause(bench.shelf, gone, is_paused=True),
        lambda: cancel(bench.shelf, gone),
    ):
        with pytest.raises(BookNotFound, match="GONE"):
            act()
