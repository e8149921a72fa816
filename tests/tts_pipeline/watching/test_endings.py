"""Which books of a watched folder came to an end, and who is told of it?"""

import json

import pytest

from queue_core import TaskState
from tests.acceptance.reader import wait_until
from tts_pipeline.watching.announcing import Announcer
from tts_pipeline.watching.endings import ANNOUNCE, Event, Hooks, ended

STORY = "{} is here.\n\nTwo is here."
BOTH, NONE = Hooks(frozenset(Event)), Hooks()


def told(watch, hooks=NONE):
    ids = [each.book_id for each in watch.watcher.known().values()]
    return [(one.book.title, event) for one, event in ended(watch.bench.shelf, ids, hooks)]


@pytest.fixture
def failing(watch, moody):
    moody.refuses.add("Two is here.")
    watch.restart(engine="moody", attempts=1)
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    return watch


def test_a_book_on_its_way_has_not_ended(watch):
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    assert told(watch) == []


def test_each_ending_is_told_once(watch):
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    assert told(watch, BOTH) == [("A", Event.PUBLISH)]
    assert told(watch, BOTH) == []
    watch.restart()
    assert told(watch, BOTH) == []
    assert len(watch.bench.queue.list(name=ANNOUNCE)) == 1


def test_of_two_who_look_at_the_same_time_one_tells(watch, monkeypatch):
    """Both have read the book's row before either wrote."""
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    books = watch.bench.shelf.books()
    monkeypatch.setattr(watch.bench.shelf, "books", lambda: books)
    assert [len(told(watch, BOTH)), len(told(watch, BOTH))] == [1, 0]
    assert len(watch.bench.queue.list(name=ANNOUNCE)) == 1


def test_a_new_revision_is_told_of_again(watch):
    path = watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    assert told(watch) == [("A", Event.PUBLISH)]
    path.write_text(STORY.format("Another"), encoding="utf-8")
    watch.settle()
    assert told(watch) == []
    watch.bench.work()
    assert told(watch) == [("A", Event.PUBLISH)]


def test_a_failure_is_told_and_the_mended_book_too(failing, moody):
    assert told(failing) == [("A", Event.FAILURE)]
    assert told(failing) == []
    moody.refuses.clear()
    failing.bench.queue.resume(group_id=failing.books[0].group_id)
    failing.bench.work()
    assert told(failing) == [("A", Event.PUBLISH)]


def test_who_called_a_book_off_is_not_told_that_it_failed(watch):
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.queue.cancel(group_id=watch.books[0].group_id)
    assert told(watch) == []


def test_without_a_hook_there_is_no_task(watch):
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    told(watch, Hooks(frozenset({Event.FAILURE})))
    assert watch.bench.queue.list(name=ANNOUNCE) == []


def test_a_hook_reads_the_facts_of_the_book(failing):
    told(failing, BOTH)
    heard = failing.bench.folder / "heard.json"
    Announcer(failing.bench.shelf, {Event.FAILURE: f"cat > '{heard}'"}).finish()
    facts = json.loads(heard.read_text(encoding="utf-8"))
    assert (facts["event"], facts["title"], facts["sentences"]["failed"]) == ("failure", "A", 1)
    assert [(each["sentence"], each["text"]) for each in facts["failed"]] == [(2, "Two is here.")]


def test_a_hook_is_not_run_for_the_books_of_another_folder_on_the_same_shelf(failing):
    shelf, heard = failing.bench.shelf, failing.bench.folder / "heard.json"
    mine = Announcer(shelf, {Event.FAILURE: f"cat > '{heard}'"}, "/mine")
    told(failing, mine.hooks)
    for event, folder in ((Event.FAILURE, "/other"), (Event.PUBLISH, "/mine")):
        Announcer(shelf, {event: f"echo wrong > '{heard}'"}, folder).finish()
    assert not heard.exists()
    mine.finish()
    assert json.loads(heard.read_text(encoding="utf-8"))["event"] == "failure"


def test_who_stops_is_told_that_a_hook_is_waited_for(failing, tmp_path):
    command = f"touch '{tmp_path}/began'; until test -e '{tmp_path}/told'; do sleep 0.05; done; touch '{tmp_path}/done'"
    announcer = Announcer(failing.bench.shelf, {Event.FAILURE: command})
    told(failing, announcer.hooks)
    with announcer.at_work((tmp_path / "told").write_text):
        wait_until((tmp_path / "began").exists, "the hook")
    assert (tmp_path / "done").exists()
    assert "hook" in (tmp_path / "told").read_text()


def test_a_hook_for_a_book_that_is_gone_is_not_run(failing):
    told(failing, BOTH)
    from sqlalchemy import delete

    from tts_pipeline.shelf.schema import books

    with failing.bench.shelf.changing() as connection:
        connection.execute(delete(books))
    Announcer(failing.bench.shelf, {Event.FAILURE: "exit 1"}).finish()
    (task,) = failing.bench.queue.list(name=ANNOUNCE)
    assert task.state is TaskState.CANCELLED
