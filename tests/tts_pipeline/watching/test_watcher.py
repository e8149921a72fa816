"""What has changed in a folder, and what is to be done about it?"""

import os
import shutil
import sys
from pathlib import Path

import pytest

from queue_core import TaskState
from tts_pipeline import documents, drafting
from tts_pipeline.shelf.watched import watched_below

STORY = "{} is here.\n\nTwo is here. Three is here."


def story(name: str) -> str:
    return STORY.format(name)


def test_what_is_there_at_the_start_counts_without_delay(watch):
    watch.write("walk.txt", story("One"), age=60)
    watch.look()
    assert watch.titles == ["Walk"]


def test_a_file_is_taken_once_it_has_not_changed_for_the_delay(watch):
    watch.look()
    path = watch.write("walk.txt", story("One"))
    watch.look()
    watch.look(later=1.0)
    path.write_text(story("One") + " Four is here.", encoding="utf-8")
    watch.look(later=1.5)
    watch.look(later=1.9)
    assert watch.books == []
    watch.look(later=0.2)
    assert [book.sentence_count for book in watch.books] == [4]


def test_an_old_time_of_a_file_that_appears_later_says_nothing(watch):
    """Who copies with its times, writes a file that looks old from its first byte on."""
    watch.look()
    watch.write("walk.txt", story("One"), age=3600)
    watch.look()
    assert watch.books == []


@pytest.mark.parametrize(
    "name",
    [
        *(".hidden.txt", ".folder/a.txt", "walk.txt.part", "walk.crdownload", "walk.txt~", "~$walk.docx", "~walk.txt"),
        *("#walk.txt#", "walk.jpg", "walk", "walk.txt.error.txt", "tts-pipeline.toml"),
    ],
)
def test_what_is_no_text_is_left_alone(watch, name):
    watch.write(name, "" if name.endswith("toml") else story("One"), age=60)
    watch.settle()
    assert (watch.books, watch.said) == ([], [])


def test_a_number_sign_begins_the_name_of_a_text_like_any_other(watch):
    watch.write("#1 Walk.txt", story("One"), age=60)
    watch.settle()
    assert watch.titles == ["#1 Walk"]


def test_the_same_content_under_two_names_is_one_book(watch):
    for name in ("a.txt", "sub/b.txt"):
        watch.write(name, "The Title\n\n" + story("One"), age=60)
    watch.settle()
    assert len(watch.books) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name is text")
def test_names_that_are_no_text_are_read_refused_and_remembered_like_others(watch):
    watch.write(os.fsdecode(b"walk \xe9.txt"), story("One"), age=60)
    watch.write(os.fsdecode(b"none \xe9.epub"), "no epub at all", age=60)
    watch.write(os.fsdecode(b"days \xe9/tts-pipeline.toml"), "series = true\n", age=60)
    watch.write(os.fsdecode(b"days \xe9/1.txt"), story("A day"), age=60)
    watch.settle()
    said = list(watch.said)
    watch.settle()
    assert (watch.said, len(said)) == (said, 3)
    assert watch.titles == [r"Walk \xe9", r"days \xe9"]
    assert len(watch.watcher.known()) == 3
    remark = watch.root / os.fsdecode(b"none \xe9.epub.error.txt")
    assert r"none \xe9.epub" in remark.read_text(encoding="utf-8")


def test_one_of_two_that_is_edited_becomes_a_book_of_its_own(watch):
    first, second = (watch.write(name, story("One"), age=60) for name in ("a.txt", "b.txt"))
    watch.settle()
    before = watch.books[0]
    second.write_text(story("Another"), encoding="utf-8")
    watch.settle()
    assert len(watch.books) == 2
    assert watch.bench.shelf.book(before.id) == before
    first.write_text(story("A third"), encoding="utf-8")
    watch.settle()
    assert [book.revision for book in watch.books] == [2, 1]


def test_of_two_with_the_same_content_the_one_that_was_not_edited_keeps_the_book(watch):
    first, second = (watch.write(name, story("One"), age=60) for name in ("a.txt", "b.txt"))
    watch.settle()
    first.write_text(story("Another"), encoding="utf-8")
    watch.settle()
    shelf = watch.bench.shelf
    assert {book.path: shelf.paths(book.id) for book in watch.books} == {
        str(second): [str(second)],
        str(first): [str(first)],
    }


def test_files_that_were_exchanged_or_renamed_name_their_books(watch):
    first, second = (watch.write(f"{name}.txt", story(name), age=60) for name in "ab")
    watch.settle()
    away = first.rename(watch.root / "away")
    second.rename(first)
    away.rename(second)
    watch.settle()
    assert {book.title: Path(book.path).name for book in watch.books} == {"A": "b.txt", "B": "a.txt"}
    second.rename(watch.root / "c.txt")
    watch.settle()
    assert {book.title: Path(book.path).name for book in watch.books} == {"A": "c.txt", "B": "a.txt"}


def test_a_file_that_is_the_same_as_another_one_for_a_while_goes_on_with_its_own_book(watch):
    watch.write("a.txt", story("One"), age=60)
    path = watch.write("b.txt", story("Two"), age=60)
    for name in ("Two", "One", "Three", "One", "Four"):
        path.write_text(story(name), encoding="utf-8")
        watch.settle()
    assert [(book.title, book.revision) for book in watch.books] == [("A", 1), ("B", 3)]


def test_a_changed_file_is_a_new_revision_that_renders_what_changed(watch, moody):
    watch.restart(engine="moody")
    path = watch.write("walk.txt", "\n\n".join(f"Sentence {number} is here." for number in range(12)), age=60)
    watch.settle()
    watch.bench.work()
    moody.asked.clear()
    path.write_text(path.read_text(encoding="utf-8").replace("Sentence 11 is", "The last one is"), encoding="utf-8")
    watch.settle()
    watch.bench.work()
    assert moody.asked == ["The last one is here."]
    assert [book.revision for book in watch.books] == [2]


def test_a_restart_takes_nothing_in_again(watch):
    watch.write("walk.txt", story("One"), age=60)
    watch.settle()
    said, book = list(watch.said), watch.books
    watch.restart()
    watch.settle()
    assert (watch.said, watch.books) == (said, book)


def test_settings_that_make_no_other_book_take_nothing_in_again(watch):
    watch.write("a.txt", story("One"), age=60)
    watch.settle()
    watch.restart(workers=3, settle=1, on_publish="true", attempts=5, size=1)
    said = list(watch.said)
    watch.settle()
    assert watch.said == said


def test_a_file_that_was_renamed_is_the_same_book(watch):
    path = watch.write("a.txt", "The Title\n\n" + story("One"), age=60)
    watch.settle()
    renamed = path.rename(path.with_name("b.txt"))
    watch.settle()
    renamed.write_text("The Title\n\n" + story("Another"), encoding="utf-8")
    watch.settle()
    assert [book.revision for book in watch.books] == [2]


def test_a_removed_file_keeps_its_book(watch):
    path = watch.write("a.txt", story("One"), age=60)
    watch.settle()
    path.unlink()
    watch.settle()
    assert watch.titles == ["A"]
    assert watched_below(watch.bench.shelf, watch.root) == {}


def test_a_folder_that_is_away_is_not_an_empty_one(watch):
    """A disk that was unplugged comes back with all that is known of it."""
    watch.write("a.txt", story("One"), age=60)
    watch.settle()
    away = watch.root.rename(watch.root.with_name("away"))
    watch.settle()
    away.rename(watch.root)
    said = list(watch.said)
    watch.settle()
    assert watch.said == said
    assert len(watched_below(watch.bench.shelf, watch.root)) == 1


def test_an_unreadable_file_is_reported_once_with_its_reason_beside_it(watch):
    path = watch.write("a.epub", "no epub at all", age=60)
    watch.write("b.txt", story("One"), age=60)
    watch.settle()
    watch.settle()
    remark = path.with_name("a.epub.error.txt")
    assert sum("a.epub" in line for line in watch.said) == 1
    assert "a.epub" in remark.read_text(encoding="utf-8")
    assert watch.titles == ["B"]


def test_a_file_whose_voice_is_not_there_is_named(watch):
    watch.restart(voice="nobody")
    path = watch.write("a.txt", story("One"), age=60)
    watch.settle()
    (line,) = watch.said
    assert line.startswith(f"{path}: voice ")


def test_a_file_at_which_the_program_fails_keeps_no_other_waiting(watch, monkeypatch):
    def read(path, options):
        if path.name == "a.txt":
            raise ValueError("nobody foresaw this")
        return documents.read(path, options)

    monkeypatch.setattr(drafting, "read", read)
    watch.write("a.txt", story("One"), age=60)
    watch.write("b.txt", story("Another"), age=60)
    watch.settle()
    assert watch.titles == ["B"]
    assert "ValueError: nobody foresaw this" in watch.said[0]


def test_an_unreadable_file_is_tried_again_when_it_changes(watch):
    path = watch.write("a.txt", "", age=60)
    watch.settle()
    remark = path.with_name("a.txt.error.txt")
    assert remark.exists()
    path.write_text(story("One"), encoding="utf-8")
    watch.settle()
    assert watch.titles == ["A"]
    assert not remark.exists()


def test_the_remark_about_a_file_goes_with_it(watch):
    path = watch.write("a.txt", "", age=60)
    watch.settle()
    path.unlink()
    watch.settle()
    assert list(watch.root.iterdir()) == []


def test_a_touched_file_tries_again_what_failed(watch, moody):
    watch.restart(engine="moody", attempts=1)
    moody.refuses.add("Two is here.")
    path = watch.write("a.txt", story("One"), age=60)
    watch.settle()
    watch.bench.work()
    (book,) = watch.books
    assert watch.bench.queue.counts(book.group_id)[TaskState.DISCARDED]
    moody.refuses.clear()
    os.utime(path)
    watch.settle()
    watch.bench.work()
    assert watch.bench.shelf.publications(book.id)[0].published_revision == 1


def test_a_book_that_somebody_took_off_the_shelf_does_not_come_back_by_itself(watch):
    path = watch.write("a.txt", story("One"), age=60)
    watch.settle()
    known = watched_below(watch.bench.shelf, watch.root)[str(path)]
    from tts_pipeline.shelf.watched import remember

    remember(watch.bench.shelf, known._replace(book_id=None))
    watch.restart()
    said = list(watch.said)
    watch.settle()
    assert watch.said == said


def test_two_watchers_do_each_book_once(watch, bench):
    from tests.tts_pipeline.watching.conftest import Watch

    other = Watch(bench, watch.root)
    watch.write("a.txt", story("One"), age=60)
    watch.settle()
    other.settle()
    assert [book.revision for book in watch.books] == [1]
    assert len(bench.tasks(watch.books[0], "publish")) == 1


def test_a_new_pronunciation_renders_the_sentences_that_it_touches(watch, moody):
    watch.restart(engine="moody")
    watch.write("a.txt", story("Leicester"), age=60)
    watch.settle()
    watch.bench.work()
    moody.asked.clear()
    (watch.bench.folder / "lexicon.toml").write_text('[words]\nLeicester = "Lester"\n', encoding="utf-8")
    watch.settle()
    watch.bench.work()
    assert moody.asked == ["Lester is here."]


def test_pronunciations_that_cant_be_read_leave_all_books_as_they_are(watch):
    lexicon = watch.bench.folder / "lexicon.toml"
    lexicon.write_text("[words\n", encoding="utf-8")
    watch.write("a.txt", story("One"), age=60)
    watch.write("b.txt", story("Another"), age=60)
    watch.settle()
    watch.settle()
    assert watch.books == []
    assert len(watch.said) == 1
    assert lexicon.with_name("lexicon.toml.error.txt").exists()
    lexicon.unlink()
    watch.settle()
    watch.settle()
    assert watch.titles == ["A", "B"]
    assert not lexicon.with_name("lexicon.toml.error.txt").exists()


@pytest.mark.parametrize(
    ("name", "is_looked_at"),
    [
        *(("walk.txt", True), ("tts-pipeline.toml", True), ("sub", True), ("gone", True)),
        *(("queue.db-wal", False), ("store/clips/ab", False), (".part-12.txt", False)),
    ],
)
def test_what_workers_write_into_a_watched_folder_makes_nobody_look(watch, name, is_looked_at):
    """Who watches the folder that he is in has the database and the store in it."""
    watch.watcher.ignored = frozenset({watch.root / "store"})
    (watch.root / "sub").mkdir()
    for there in ("walk.txt", "tts-pipeline.toml", "queue.db-wal", "store/clips/ab", ".part-12.txt"):
        watch.write(there, "")
    assert watch.watcher.concerns(watch.root / name) == is_looked_at


def test_links_to_folders_are_not_followed(watch):
    watch.write("sub/a.txt", story("One"), age=60)
    (watch.root / "sub" / "again").symlink_to(watch.root, target_is_directory=True)
    watch.settle()
    assert len(watched_below(watch.bench.shelf, watch.root)) == 1


def test_what_the_system_refuses_to_look_at_is_passed_over(watch):
    """A link to a name that no disk takes is refused by the system, as a folder is that nobody may enter."""
    for name in ("a.txt", "sub/b.txt", "sub/c"):
        watch.write(f"{name}.good.txt", story(name), age=60)
        (watch.root / name).symlink_to("x" * 300)
    watch.settle()
    assert len(watch.books) == 3


def test_a_folder_that_goes_while_it_is_looked_at_disturbs_nothing(watch):
    watch.write("sub/a.txt", story("One"), age=60)
    watch.write("b.txt", story("Another"), age=60)
    watch.look()
    shutil.rmtree(watch.root / "sub")
    watch.settle()
    assert watch.said[-1].startswith("b.txt") or len(watch.books) == 2
