"""A removed book is gone, and nothing else is; whoever still works on it does no harm."""

from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from queue_core import Cancel, TaskState
from tests.acceptance.reader import book, sentence
from tests.tts_pipeline.bench import M4B, MP3, Bench
from tests.tts_pipeline.moody import MoodyEngine
from tts_pipeline.book_settings import Publishing
from tts_pipeline.errors import BookNotFound
from tts_pipeline.removal import remove
from tts_pipeline.shelf import Book, Shelf
from tts_pipeline.shelf.edits import replace_edits
from tts_pipeline.shelf.schema import metadata, shelf_version, watched
from tts_pipeline.shelf.steering import set_pause
from tts_pipeline.wording import Edit


def rows(bench: Bench, made: Book) -> dict[str, int]:
    """Count the rows that belong to a book."""
    with bench.shelf.reading() as connection:
        found = {}
        for table in metadata.tables.values():
            column = table.c.get("book_id", table.c.get("id"))
            if table is not shelf_version and column is not None:
                of_book = select(func.count()).select_from(table).where(column == made.id)
                found[table.name] = connection.scalar(of_book) or 0
        return found


def files(bench: Bench) -> set[str]:
    outputs = bench.folder / "outputs"
    return {str(path.relative_to(outputs)) for path in outputs.rglob("*")} if outputs.exists() else set()


def test_nothing_of_it_is_left_on_the_shelf_and_others_are_untouched(bench):
    made = bench.run(bench.write(book(2, 3)))
    other = bench.run(bench.write(book(2, 3, "sail"), "sail.txt"))
    for each in (made, other):
        with bench.shelf.changing() as connection:
            replace_edits(connection, each.id, [Edit(text="a", before="", after="", nth=0, say="b")])
            connection.execute(insert(watched).values(path=each.path, state="seen", book_id=each.id))
    before = rows(bench, other)
    assert all(before.values())
    assert all(rows(bench, made).values())
    remove(bench.shelf, made, with_files=False)
    assert not any(rows(bench, made).values())
    assert rows(bench, other) == before


def test_a_watched_folder_does_not_take_its_file_in_again_by_itself(bench):
    made = bench.run(bench.write(book(1, 3)))
    with bench.shelf.changing() as connection:
        connection.execute(insert(watched).values(path=made.path, state="seen", book_id=made.id))
    remove(bench.shelf, made, with_files=False)
    with bench.shelf.reading() as connection:
        assert connection.execute(select(watched.c.state, watched.c.book_id)).all() == [("seen", None)]


def test_published_files_stay_unless_they_are_to_go(bench):
    made = bench.run(bench.write(book(1, 3)), None, M4B, Publishing(format="mp3-chapters"))
    before = files(bench)
    removed = remove(bench.shelf, made, with_files=False)
    assert files(bench) == before
    assert {file.name for file in removed.kept} >= {"The Walk.m4b", "report.json", "playlist.m3u8"}
    assert removed.files == ()


def test_with_its_files_only_they_go_and_the_folders_that_are_empty_then(bench):
    made = bench.run(bench.write(book(1, 3)), None, M4B, MP3, Publishing(format="mp3-chapters"))
    removed = remove(bench.shelf, made, with_files=True)
    assert len(removed.files) > 8
    assert files(bench) == set()
    assert Path(made.path).exists()


@pytest.mark.parametrize("foreign", ["notes.txt", "The Walk.m4b.bak", "The Walk (mp3)/bonus.mp3", "cover.png"])
def test_what_is_somebody_elses_stays(bench, foreign):
    made = bench.run(bench.write(book(1, 3)), None, M4B, Publishing(format="mp3-chapters"))
    theirs = Path(made.folder, foreign)
    theirs.write_text("mine", encoding="utf-8")
    remove(bench.shelf, made, with_files=True)
    assert {path for path in Path(made.folder).rglob("*") if path.is_file()} == {theirs}


def test_its_clips_stay_and_the_same_file_is_a_new_book_without_any_rendering(bench, moody):
    path = bench.write(book(2, 3))
    made = bench.run(path, bench.settings(engine="moody"))
    clips = set(bench.store.list("clips"))
    remove(bench.shelf, made, with_files=True)
    assert set(bench.store.list("clips")) == clips
    MoodyEngine.asked.clear()
    again = bench.run(path, bench.settings(engine="moody"))
    assert (again.id != made.id, again.folder, again.revision) == (True, made.folder, 1)
    assert MoodyEngine.asked == []
    assert Path(again.folder, "The Walk.m4b").exists()


def test_files_that_stayed_are_replaced_when_the_same_file_comes_back(bench):
    path = bench.write(book(1, 3))
    made = bench.run(path)
    remove(bench.shelf, made, with_files=False)
    assert bench.run(path).folder == made.folder


@pytest.mark.parametrize("name", ["render", "encode", "publish"])
@pytest.mark.parametrize("with_files", [True, False])
def test_a_worker_that_has_a_task_of_it_finds_it_cancelled(bench, name, with_files):
    made = bench.ingest(bench.write(book(1, 3))).book
    for before in ("render", "encode", "publish"):
        if before == name:
            break
        while task := bench.claim(before):
            bench.complete(task)
    held = bench.claim(name)
    removed = remove(bench.shelf, made, with_files=with_files)
    assert removed.task_count >= 1
    with pytest.raises(Cancel, match="the book was removed"):
        bench.handle(held)
    bench.queue.release([held])
    assert bench.queue.get(held).state is TaskState.CANCELLED
    bench.work()
    assert not any(rows(bench, made).values())
    assert files(bench) == set()


def meanwhile(monkeypatch, place: type, method: str, act) -> list[None]:
    """Do something once, right after a method was called for the first time."""
    calls, real = [], getattr(place, method)

    def doing(self, *given, **named):
        answer = real(self, *given, **named)
        if not calls:
            calls.append(None)
            act()
        return answer

    monkeypatch.setattr(place, method, doing)
    return calls


@pytest.mark.parametrize("method", ["batch", "batches", "publications", "encoded", "record_batch"])
def test_a_book_that_is_removed_in_the_middle_of_a_task_comes_back_in_no_table_and_no_folder(
    bench, monkeypatch, method
):
    made = bench.ingest(bench.write(book(2, 3))).book
    calls = meanwhile(monkeypatch, Shelf, method, lambda: remove(bench.shelf, made, with_files=True))
    bench.work()
    assert calls
    assert not any(rows(bench, made).values())
    assert files(bench) == set()
    states = {task.state for task in bench.queue.list(group_id=made.group_id, limit=1000)}
    assert states <= {TaskState.COMPLETED, TaskState.CANCELLED}


def test_tasks_that_nobody_called_off_end_by_themselves(bench):
    """The queue fell silent between the two halves of a removal."""
    made = bench.ingest(bench.write(book(1, 3))).book
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench.queue, "cancel", lambda **_: [])
        remove(bench.shelf, made, with_files=False)
    bench.work()
    states = {task.state for task in bench.queue.list(group_id=made.group_id, limit=1000)}
    assert states == {TaskState.CANCELLED}


def test_a_pause_goes_with_the_book(bench):
    path = bench.write(book(1, 3))
    made = bench.ingest(path).book
    set_pause(bench.shelf, made, is_paused=True)
    remove(bench.shelf, made, with_files=False)
    assert bench.run(path).is_paused is False
    assert Path(made.folder, "The Walk.m4b").exists()


def test_the_second_removal_finds_no_book(bench):
    made = bench.ingest(bench.write(book(1, 3))).book
    remove(bench.shelf, made, with_files=False)
    with pytest.raises(BookNotFound, match=made.id):
        remove(bench.shelf, made, with_files=False)


def test_failures_go_too(bench, moody):
    moody.fails.add(sentence(1, 2))
    path = bench.write(book(1, 3))
    made = bench.run(path, bench.settings(engine="moody"))
    remove(bench.shelf, made, with_files=False)
    moody.fails.clear()
    again = bench.run(path, bench.settings(engine="moody"))
    assert bench.shelf.failures(again) == []
