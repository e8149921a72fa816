"""What does the tts-pipeline.toml in a watched folder say of the books in it?"""

from pathlib import Path

import pytest

from tts_pipeline.manifest import read_manifest

STORY = "{} is here.\n\nTwo is here."


def speech(watch, book):
    return read_manifest(watch.bench.store, book.manifest).settings.speech


def by_title(watch):
    return {book.title: book for book in watch.books}


def test_a_folder_gives_its_books_and_those_below_a_voice(watch):
    watch.write("tts-pipeline.toml", "rate = 1.1\n", age=60)
    watch.write("fast/tts-pipeline.toml", 'rate = 1.5\npriority = "high"\nformat = "mp3"\n', age=60)
    watch.write("fast/more/tts-pipeline.toml", "pause-paragraph = 10\n", age=60)
    for name in ("a.txt", "fast/b.txt", "fast/more/c.txt"):
        watch.write(name, STORY.format(name), age=60)
    watch.settle()
    found = by_title(watch)
    assert [speech(watch, found[title]).rate for title in "ABC"] == [1.1, 1.5, 1.5]
    assert [found[title].priority for title in "ABC"] == [5, 0, 0]
    assert [each.format for each in watch.bench.shelf.publications(found["C"].id)] == ["mp3"]


def test_settings_that_change_make_a_new_revision_of_the_same_book(watch, moody):
    """Two audiobooks of one file, the old one stale, are what nobody wants."""
    watch.restart(engine="moody")
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    moody.asked.clear()
    watch.write("tts-pipeline.toml", "rate = 1.5\n")
    watch.settle()
    watch.bench.work()
    (book,) = watch.books
    assert (book.revision, speech(watch, book).rate) == (2, 1.5)
    assert [text for text in moody.asked if "here" in text] == ["One is here.", "Two is here."]


def test_books_that_wait_move_ahead_when_their_folder_does(watch):
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.write("tts-pipeline.toml", 'priority = "high"\n')
    watch.settle()
    (book,) = watch.books
    assert (book.revision, book.priority) == (1, 0)
    assert {task.effective_priority for task in watch.bench.queue.list(group_id=book.group_id)} == {0}


def test_books_go_on_where_they_are_published_now(watch):
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    before, folder = watch.books[0].folder, watch.bench.folder
    watch.restart(outputs=folder / "others", format="m4b,mp3-chapters")
    watch.settle()
    watch.bench.work()
    (book,) = watch.books
    assert (Path(book.folder) / "A.m4b").exists()
    assert (Path(book.folder).parent.parent, Path(before).exists()) == (folder / "others", True)
    watch.restart(outputs=folder / "outputs")
    watch.settle()
    watch.bench.work()
    assert [(book.folder, book.revision) for book in watch.books] == [(before, 3)]


@pytest.mark.parametrize("said", ["rate = 1.5", "pitch = 1.5", "volume = 0.5", "sample-rate = 16000"])
def test_settings_of_the_voice_that_change_render_all_anew(watch, moody, said):
    watch.restart(engine="moody")
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    watch.bench.work()
    moody.asked.clear()
    watch.write("tts-pipeline.toml", said)
    watch.settle()
    watch.bench.work()
    assert {"One is here.", "Two is here."} <= set(moody.asked)
    assert watch.said[-1] == "a.txt: A, revision 2, 2 of 2 sentences new"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("rate = 9", "rate: must be at most 2, not 9"),
        ("speed = 1", "speed in"),
        ('database = "sqlite:///other.db"', "is nothing that a folder can set"),
        ('on-publish = "rm -r /"', "is nothing that a folder can set"),
        ('engine = "command:evil"', "a folder can't name programs to run"),
        ('series = "yes"', "must be true or false"),
        ('priority = "now"', "must be one of high, normal"),
        ("title = 3", "must be text"),
        ("rate = ", "is no TOML"),
    ],
)
def test_a_folder_with_wrong_settings_waits_until_they_are_right(watch, said, reason):
    file = watch.write("sub/tts-pipeline.toml", said, age=60)
    watch.write("sub/a.txt", STORY.format("One"), age=60)
    watch.write("b.txt", STORY.format("Another"), age=60)
    watch.settle()
    watch.settle()
    assert list(by_title(watch)) == ["B"]
    assert sum(reason in line for line in watch.said) == 1
    assert reason in file.with_name("tts-pipeline.toml.error.txt").read_text(encoding="utf-8")
    file.write_text("rate = 1.5\n", encoding="utf-8")
    watch.settle()
    assert sorted(by_title(watch)) == ["A", "B"]
    assert not file.with_name("tts-pipeline.toml.error.txt").exists()


def test_the_remark_about_wrong_settings_goes_when_they_are_put_right_while_nobody_watches(watch):
    file = watch.write("sub/tts-pipeline.toml", "rate = 9", age=60)
    words = watch.write("words/words.toml", "[words\n", age=60)
    watch.write("words/tts-pipeline.toml", 'lexicon = "words.toml"\n', age=60)
    watch.write("words/a.txt", STORY.format("One"), age=60)
    usual = watch.bench.folder / "lexicon.toml"
    usual.write_text("[words\n", encoding="utf-8")
    watch.write("a.txt", STORY.format("One"), age=60)
    watch.settle()
    assert len(list(watch.bench.folder.rglob("*.toml.error.txt"))) == 3
    for each in (file, words, usual):
        each.unlink()
    watch.restart()
    watch.settle()
    assert list(watch.bench.folder.rglob("*.error.txt")) == []


@pytest.mark.parametrize("is_series", [True, False])
def test_what_was_wrong_with_a_series_or_its_files_is_over_when_it_begins_or_ends(watch, is_series):
    settings = watch.write("sub/tts-pipeline.toml", f"series = {str(is_series).lower()}\n", age=60)
    broken = watch.write("sub/1.txt", "", age=60)
    watch.write("sub/2.txt", STORY.format("Two"), age=60)
    watch.settle()
    assert len(list(watch.root.glob("sub/*.error.txt"))) == 1
    settings.write_text(f"series = {str(not is_series).lower()}\n", encoding="utf-8")
    broken.write_text(STORY.format("One"), encoding="utf-8")
    watch.settle()
    assert list(watch.root.glob("sub/*.error.txt")) == []
    assert not any(each.problem for each in watch.watcher.known().values())


def test_a_series_is_one_book_of_its_files_in_natural_order(watch):
    watch.write("walks/tts-pipeline.toml", 'series = true\ntitle = "Walks"\nauthor = "A. Writer"\n', age=60)
    for number in (10, 9, 1):
        watch.write(f"walks/chapter {number}.txt", STORY.format(f"Chapter {number}"), age=60)
    watch.settle()
    (book,) = watch.books
    heads = read_manifest(watch.bench.store, book.manifest).chapters
    assert (book.title, book.author) == ("Walks", "A. Writer")
    assert [head.title for head in heads] == ["Chapter 1", "Chapter 9", "Chapter 10"]


def test_a_series_without_a_title_is_named_like_its_folder(watch):
    watch.write("My Walks/tts-pipeline.toml", "series = true\n", age=60)
    watch.write("My Walks/1.txt", STORY.format("One"), age=60)
    watch.settle()
    assert watch.titles == ["My Walks"]


def test_a_new_file_appends_a_chapter_and_encodes_it_alone(watch, moody):
    watch.restart(engine="moody", normalize=False)
    watch.write("walks/tts-pipeline.toml", "series = true\n", age=60)
    for number in (1, 2):
        watch.write(f"walks/{number}.txt", STORY.format(f"Chapter {number}"), age=60)
    watch.settle()
    watch.bench.work()
    encoded = set(watch.bench.store.list("chapters"))
    moody.asked.clear()
    watch.write("walks/3.txt", STORY.format("Chapter 3"))
    watch.settle()
    watch.bench.work()
    (book,) = watch.books
    assert (book.revision, book.chapter_count) == (2, 3)
    assert moody.asked == ["Chapter 3 is here."]
    assert len({key.removesuffix(".json") for key in set(watch.bench.store.list("chapters")) - encoded}) == 1


def test_a_chapter_whose_file_is_renamed_has_the_new_title_and_is_rendered_no_more(watch, moody):
    watch.restart(engine="moody")
    watch.write("sub/tts-pipeline.toml", "series = true\n", age=60)
    path = watch.write("sub/1 Dawn.txt", STORY.format("One"), age=60)
    watch.write("sub/2 Dusk.txt", STORY.format("Another"), age=60)
    watch.settle()
    watch.bench.work()
    moody.asked.clear()
    path.rename(path.with_name("1 Daybreak.txt"))
    watch.settle()
    watch.bench.work()
    (book,) = watch.books
    manifest = read_manifest(watch.bench.store, book.manifest)
    assert ([head.title for head in manifest.chapters], moody.asked) == (["1 Daybreak", "2 Dusk"], [])


def test_a_series_with_a_broken_file_says_which_and_keeps_the_book_that_is_there(watch):
    watch.write("walks/tts-pipeline.toml", "series = true\n", age=60)
    watch.write("walks/1.txt", STORY.format("Chapter 1"), age=60)
    watch.settle()
    watch.write("walks/2.txt", "")
    watch.settle()
    (book,) = watch.books
    assert book.revision == 1
    assert "2.txt" in (watch.root / "walks" / "walks.error.txt").read_text(encoding="utf-8")
