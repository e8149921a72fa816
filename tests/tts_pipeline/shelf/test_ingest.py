"""A file becomes a book once, and a changed file a new revision of it."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import select

from queue_core import QueueFull, TaskState
from tests.acceptance.reader import book, sentence
from tests.tts_pipeline.bench import M4B, MP3, Bench
from tts_pipeline.book_settings import Speech
from tts_pipeline.casting import cast
from tts_pipeline.errors import AmbiguousBook, BookNotFound, ShelfTooNew, UnreadableDocument, UnusableVoice
from tts_pipeline.manifest import read_items, read_manifest
from tts_pipeline.settings import Settings
from tts_pipeline.shelf import Shelf
from tts_pipeline.shelf.finding import find_book
from tts_pipeline.shelf.schema import batches, shelf_version
from tts_pipeline.shelf.standing import State, standings, state_of


def test_a_book_is_its_chapters_its_batches_and_its_tasks(bench):
    done = bench.ingest(bench.write(book(2, 9)))
    assert (done.book.chapter_count, done.book.sentence_count) == (2, 22)
    renders, encodes = bench.tasks(done.book, "render"), bench.tasks(done.book, "encode")
    (publish,) = bench.tasks(done.book, "publish")
    assert sum(len(task.items) for task in renders) == 22
    assert max(len(task.items) for task in renders) <= 4
    assert set(publish.depends_on) == {task.id for task in encodes}
    assert {each for task in encodes for each in task.depends_on} == {task.id for task in renders}
    assert done.task_count == len(renders) + 2 + 1
    assert [batch.task_id for batch in bench.shelf.batches(done.book)] == [task.id for task in renders]


def test_a_chapter_is_encoded_before_the_next_one_is_rendered(bench):
    made = bench.ingest(bench.write(book(2, 9))).book
    chapters = [(task.name, task.tags.get("chapter")) for task in bench.queue.list(group_id=made.group_id)]
    first = chapters.index(("encode", "0"))
    assert {name for name, _ in chapters[:first]} == {"render"}
    assert chapters[first + 1][0] == "render"
    assert chapters[-1][0] == "publish"


def test_the_same_file_again_enqueues_nothing(bench):
    path = bench.write(book())
    first = bench.ingest(path)
    again = bench.ingest(path)
    assert (again.book, again.task_count, again.is_new) == (first.book, 0, False)


def test_the_same_content_under_another_name_is_the_same_book(bench):
    first = bench.ingest(bench.write(book(), "one.txt"))
    second = bench.ingest(bench.write(book(), "two.txt"))
    assert (second.book.id, second.task_count) == (first.book.id, 0)
    assert len(bench.shelf.paths(first.book.id)) == 2


def test_one_of_two_files_of_a_book_that_is_edited_becomes_a_book_of_its_own(bench):
    first = bench.ingest(bench.write(book(), "one.txt"))
    bench.ingest(bench.write(book(), "two.txt"))
    edited = bench.ingest(bench.write(book(3, 13), "two.txt"))
    assert edited.book.id != first.book.id
    assert bench.shelf.book(first.book.id) == first.book


def test_a_changed_file_is_a_new_revision_and_nobody_works_on_the_old_one(bench):
    path = bench.write(book())
    first = bench.ingest(path).book
    second = bench.ingest(bench.write(book(3, 13))).book
    assert (second.id, second.revision, second.folder) == (first.id, 2, first.folder)
    assert set().union(*bench.states(first).values()) == {TaskState.CANCELLED}
    assert set().union(*bench.states(second).values()) == {TaskState.PENDING}


def test_what_did_not_change_is_taken_over(bench):
    path = bench.write(book(3, 12))
    bench.run(path)
    changed = bench.ingest(bench.write(book(3, 12).replace(sentence(2, 5), "Nobody counted.")))
    tasks = bench.tasks(changed.book, "render")
    assert len(tasks) == 1
    assert changed.kept_count == changed.book.sentence_count - 1


def test_a_file_is_the_same_from_wherever_it_is_given(bench, monkeypatch):
    path = bench.write(book())
    (bench.folder / "sub").mkdir()
    monkeypatch.chdir(bench.folder / "sub")
    settings = bench.settings().model_copy(update={"outputs": Settings(outputs="../outputs").book_settings().outputs})
    first = bench.ingest(Path("../walk.txt"), settings).book
    bench.write(book(3, 13))
    second = bench.ingest(path).book
    assert (second.id, second.revision, second.path) == (first.id, 2, str(path))
    assert find_book(bench.shelf, "../walk.txt").id == first.id


def test_other_settings_make_another_book(bench):
    path = bench.write(book())
    first, second = bench.ingest(path).book, bench.ingest(path, bench.settings(rate=1.5)).book
    assert first.id != second.id
    assert second.folder == f"{first.folder} (2)"
    assert bench.ingest(path).book == first


def test_another_format_is_made_of_what_is_rendered(bench):
    path = bench.write(book())
    made = bench.run(path)
    again = bench.ingest(path, None, M4B, MP3)
    assert again.task_count == made.chapter_count + 1
    bench.work()
    assert [each.file for each in bench.shelf.publications(made.id)] == ["The Walk.m4b", "The Walk.mp3"]


def test_all_formats_follow_to_a_new_revision(bench):
    path = bench.write(book())
    bench.run(path, None, M4B, MP3)
    second = bench.run(bench.write(book(3, 13)))
    assert [each.published_revision for each in bench.shelf.publications(second.id)] == [2, 2]


def test_a_full_queue_leaves_nothing_behind(tmp_path, make_queue):
    bench = Bench.at(tmp_path, make_queue(max_pending=5))
    with pytest.raises(QueueFull):
        bench.ingest(bench.write(book()))
    assert bench.shelf.books() == []
    assert bench.queue.list() == []


def test_a_file_that_cannot_be_read_leaves_nothing_behind(bench):
    for path in (bench.folder / "absent.txt", bench.write("", "empty.txt"), bench.folder):
        with pytest.raises(UnreadableDocument, match=path.name):
            bench.ingest(path)
    assert bench.shelf.books() == []


def test_a_voice_that_is_not_there_is_told_before_anything_is_queued(bench):
    path = bench.write(book())
    for speech in ({"engine": "nobody"}, {"voice": "nobody"}, {"engine": "espeak", "voice": "nobody"}):
        with pytest.raises(UnusableVoice, match="nobody"):
            bench.ingest(path, bench.settings(**speech))
    assert bench.shelf.books() == []


def test_a_folder_of_somebody_else_is_not_taken(bench):
    foreign = bench.folder / "outputs" / "Nobody Inparticular" / "The Walk"
    foreign.mkdir(parents=True)
    (foreign / "The Walk.m4b").write_text("bought elsewhere")
    assert bench.ingest(bench.write(book())).book.folder.endswith("The Walk (2)")


def test_what_was_made_of_the_same_file_is_replaced_by_a_shelf_that_does_not_know_it(bench, make_queue):
    path = bench.write(book())
    made = bench.run(path)
    shutil.rmtree(bench.folder / "store")
    fresh = Bench.at(bench.folder, make_queue(at="memory://"))
    assert fresh.run(path).folder == made.folder


def test_tasks_that_the_queue_forgot_are_made_anew(bench):
    path = bench.write(book())
    made = bench.ingest(path).book
    bench.queue.purge()
    (standing,) = standings(bench.shelf, [made])
    assert state_of(bench.shelf, standing) is State.STOPPED
    assert bench.ingest(path).task_count == len(bench.shelf.batches(made)) + made.chapter_count + 1
    bench.work()
    (standing,) = standings(bench.shelf, [made])
    assert state_of(bench.shelf, standing) is State.PUBLISHED


def test_a_book_is_at_rest_once_all_that_is_left_of_it_waits(bench, moody):
    moody.fails.add(sentence(1, 4))
    made = bench.ingest(bench.write(book()), bench.settings(engine="moody")).book
    assert not bench.queue.is_at_rest(made.group_id)
    bench.work()
    assert bench.queue.is_at_rest(made.group_id)
    bench.queue.resume(group_id=made.group_id)
    assert not bench.queue.is_at_rest(made.group_id)


def test_a_book_is_found_by_its_id_its_title_or_its_file(bench):
    path = bench.write(book())
    walk = bench.ingest(path).book
    sail = bench.ingest(bench.write(book(name="sail"), "sail.txt")).book
    for name in (walk.id, walk.id.lower(), "the walk", "WALK", str(path), walk.folder):
        assert find_book(bench.shelf, name) == walk
    assert find_book(bench.shelf, "sail") == sail
    with pytest.raises(BookNotFound, match="swim"):
        find_book(bench.shelf, "swim")
    for nothing in ("", " "):
        with pytest.raises(BookNotFound):
            find_book(bench.shelf, nothing)
    with pytest.raises(AmbiguousBook, match=r"The Walk.*The Sail"):
        find_book(bench.shelf, "the")


def test_a_shelf_of_a_newer_version_is_refused(bench):
    with bench.queue.transaction() as connection:
        connection.execute(shelf_version.update().values(version=99))
    with pytest.raises(ShelfTooNew, match="99"):
        Shelf.open(bench.queue)


def test_somebody_who_ingests_a_new_file_in_the_same_instant_gets_what_they_asked_for(bench, monkeypatch):
    from tts_pipeline import ingest

    path, draft, theirs = bench.write(book()), ingest.draft, []

    def slow(*arguments):
        if not theirs:
            theirs.append(None)
            theirs[0] = bench.ingest(path)
        return draft(*arguments)

    monkeypatch.setattr(ingest, "draft", slow)
    ours = bench.ingest(path, None, MP3)
    assert ours.book == theirs[0].book
    assert ours.task_count == ours.book.chapter_count + 1
    bench.work()
    assert [each.file for each in bench.shelf.publications(ours.book.id)] == ["The Walk.m4b", "The Walk.mp3"]


def test_a_file_that_is_renamed_and_then_edited_stays_the_same_book(bench):
    first = bench.ingest(bench.write(book(), "one.txt")).book
    moved = (bench.folder / "one.txt").rename(bench.folder / "two.txt")
    assert bench.ingest(moved).book.id == first.id
    assert bench.ingest(bench.write(book(3, 13), "two.txt")).book.id == first.id


def test_folders_that_differ_in_case_alone_are_two(bench):
    first = bench.ingest(bench.write(book(1, 3).replace("THE WALK", "The Walk"), "one.txt")).book
    second = bench.ingest(bench.write(book(1, 4).replace("THE WALK", "The walk"), "two.txt")).book
    assert first.folder.casefold() != second.folder.casefold()


def test_old_revisions_leave_no_rows(bench):
    path = bench.write(book())
    bench.ingest(path)
    second = bench.ingest(bench.write(book(3, 13))).book
    with bench.shelf.reading() as connection:
        revisions = {row[0] for row in connection.execute(select(batches.c.revision))}
    assert (path.exists(), revisions) == (True, {second.revision})


def test_who_helps_out_makes_no_other_book(bench):
    path = bench.write(book())
    first = bench.ingest(path).book
    assert bench.ingest(path, bench.settings(fallback_engine="espeak")).book == first
    with pytest.raises(UnusableVoice, match="nobody"):
        bench.ingest(bench.write(book(1, 3), "b.txt"), bench.settings(fallback_engine="nobody"))


def test_a_passage_goes_to_a_voice_that_can_have_what_was_asked_for():
    roles = cast({"en", "de"}, "de", Speech(engine="auto", pitch=1.2))
    assert {tag: (role.engine, role.language) for tag, role in roles.items()} == {
        "de": ("pyttsx3", "de"),
        "en": ("pyttsx3", "en"),
    }


def as_one(bench, *names: str):
    settings = bench.settings().model_copy(update={"as_one": True, "title": "Both"})
    return bench.ingest([bench.folder / name for name in names], settings)


@pytest.fixture
def parts(bench):
    for number in (1, 2, 3):
        bench.write(f"In part {number} the walk went on.\n\nIt was part {number}.\n", f"part-{number}.txt")
    return bench


def test_several_files_are_the_chapters_of_one_book(parts):
    done = as_one(parts, "part-1.txt", "part-2.txt")
    assert (done.book.title, done.book.chapter_count) == ("Both", 2)
    manifest = read_manifest(parts.store, done.book.manifest)
    assert [Path(file).name for file in manifest.source.files] == ["part-1.txt", "part-2.txt"]
    items = [item for chapter in manifest.chapters for item in read_items(parts.store, chapter)]
    assert [item.place.file for item in items if item.text] == ["part-1.txt"] * 2 + ["part-2.txt"] * 2
    assert as_one(parts, "part-1.txt", "part-2.txt").task_count == 0


def test_another_file_at_the_end_is_a_new_revision_that_renders_only_it(parts):
    first = as_one(parts, "part-1.txt", "part-2.txt")
    parts.work()
    second = as_one(parts, "part-1.txt", "part-2.txt", "part-3.txt")
    assert (second.book.id, second.book.revision, second.kept_count) == (first.book.id, 2, 4)


def test_a_file_by_itself_and_as_one_of_several_are_two_books(parts):
    alone = parts.ingest([parts.folder / "part-1.txt"])
    assert as_one(parts, "part-1.txt").book.id != alone.book.id
    assert as_one(parts, "part-1.txt", "part-2.txt").book.id != alone.book.id


def test_one_file_that_cannot_be_read_keeps_the_whole_book_out(parts):
    with pytest.raises(UnreadableDocument, match=r"part-9\.txt"):
        as_one(parts, "part-1.txt", "part-9.txt")
    assert parts.shelf.books() == []
    assert list(parts.store.list()) == []
