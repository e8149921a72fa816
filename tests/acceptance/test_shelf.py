"""A shelf is looked after from the command line: list, show, cancel, pause, prioritize, remove, clean, export."""

import json
import os
import pty
import subprocess
import termios
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.acceptance.reader import COMMAND, TONE, Reader, book, environment, sentence
from tts_pipeline.cli.main import cli
from tts_pipeline.cli.spoken import bytes_of, size

WORST = sentence(1, 2, "fall")


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Reader:
    """A shelf with two books that are made, and one of which a sentence failed."""
    reader = Reader(tmp_path_factory.mktemp("shelf"))
    reader.writes("fails.txt", WORST)
    sources = [reader.writes(f"{name}.txt", book(2, 3, name)) for name in ("walk", "fall", "gone")]
    how = ("--engine", reader.speaker, "--attempts", "1", "--batch", "3")
    reader.types("run", *sources, *how, "--workers", "2", exit_code=1)
    return reader


def typed_at_a_terminal(reader: Reader, *words: str, answer: str = "", width: int = 80) -> tuple[int, str]:
    """Type a command at a terminal, and perhaps an answer to what it asks; return its exit code and what was seen."""
    controller, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, width))
    variables = {name: value for name, value in environment().items() if name not in {"COLUMNS", "LINES"}}
    process = subprocess.Popen(
        [COMMAND, *words], cwd=reader.folder, env=variables, stdin=terminal, stdout=terminal, stderr=terminal
    )
    os.write(controller, answer.encode())
    exit_code = process.wait(60)
    os.close(terminal)
    seen = os.read(controller, 100_000).decode()
    os.close(controller)
    return exit_code, seen


def titles(told) -> list[str]:
    return [each["title"] for each in told]


def typed(reader: Reader, *words: str | Path) -> Result:
    """Run a command in this process: for what ends before anything is opened."""
    runner = CliRunner(catch_exceptions=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(reader.folder)
        return runner.invoke(cli, list(map(str, words)))


def test_list_tells_where_the_books_stand_that_were_asked_for_in_that_order(shelf):
    told = {each["title"]: each for each in shelf.told("list")}
    assert (told["The Walk"]["state"], told["The Walk"]["share"]) == ("published", 1.0)
    assert (told["The Fall"]["state"], told["The Fall"]["sentences"]["failed"]) == ("failed", 1)
    made = shelf.told(
        "list", "inparticular", "--state", "published", "--state", "paused", "--sort", "title", "--reverse"
    )
    assert titles(made) == ["The Walk", "The Gone"]
    assert titles(shelf.told("list", "FALL", "txt")) == ["The Fall"]


def test_a_list_fits_its_terminal(shelf):
    exit_code, seen = typed_at_a_terminal(shelf, "list", width=80)
    head, *lines = seen.splitlines()
    assert (exit_code, len(lines)) == (0, 3)
    assert all(len(line) <= 80 for line in (head, *lines))
    for line, said in zip(lines, ("published", "failed", "published"), strict=True):
        assert said in line


def test_status_of_a_book_is_a_short_look_and_show_is_all_of_it(shelf):
    status, show = shelf.types("status", "fall").stdout, shelf.types("show", "fall").stdout
    for said in ("The Fall", "failed", WORST, "my voice broke", "tts-pipeline resume"):
        assert said in status
        assert said in show
    for said in ("CHAPTER 2", "first read", "REVISION"):
        assert said not in status
        assert said in show
    told = shelf.told("show", "walk")
    assert [each["encoded"] for each in told["chapter_list"]] == [True, True]
    assert [(each["revision"], each["kept"]) for each in told["revisions"]] == [(1, 0)]
    assert {Path(each["path"]).suffix for each in told["published"]} == {".m4b", ".vtt", ".srt", ".json"}
    assert told["edits"] == []
    assert told["spent_seconds"] >= 0


def test_a_book_is_moved_ahead_held_called_off_brought_back_and_taken_off_the_shelf(shelf):
    source = shelf.writes("swim.txt", book(1, 3, "swim"))
    (queued,) = shelf.told("ingest", source, *TONE)
    assert f"The Swim: high, {queued['tasks']} waiting tasks" in shelf.types("prioritize", "swim", "high").stdout
    assert shelf.types("pause", "swim").stdout == "The Swim: paused\n"
    (paused,) = shelf.told("list", "--state", "paused")
    assert (paused["book"], paused["priority"]) == (queued["book"], 0)
    worked = shelf.types("work", "--workers", "1", exit_code=1)  # because of the fall
    assert "tts-pipeline: The Fall" in worked.stderr
    assert "tts-pipeline: The Swim" not in worked.stderr
    assert shelf.told("unpause", queued["book"].lower()) == [
        {"book": queued["book"], "title": "The Swim", "paused": False}
    ]
    (told,) = shelf.told("cancel", "the swim")
    assert (told["book"], told["cancelled"]) == (queued["book"], queued["tasks"])
    assert titles(shelf.told("list", "--state", "cancelled")) == ["The Swim"]
    assert shelf.told("ingest", source, *TONE)[0]["tasks"] == queued["tasks"]

    assert "say --yes" in shelf.types("remove", "swim", exit_code=2).stderr
    exit_code, seen = typed_at_a_terminal(shelf, "remove", "swim", answer="n\n")
    assert (exit_code, "Remove The Swim from the shelf?" in seen) == (1, True)
    exit_code, seen = typed_at_a_terminal(shelf, "remove", str(source), answer="y\n")
    assert (exit_code, f"The Swim: removed, {queued['tasks']} tasks cancelled" in seen) == (0, True)
    assert titles(shelf.told("list", "swim")) == []
    assert source.exists()


def test_work_has_nothing_to_say_of_a_book_that_is_held(reader):
    reader.types("ingest", reader.writes("walk.txt", book(1, 3)), *TONE)
    reader.types("pause", "walk")
    assert reader.types("work", "--workers", "1").stdout == ""


def test_show_tells_what_a_revision_kept(shelf):
    source = shelf.writes("again.txt", book(1, 3, "again"))
    shelf.types("ingest", source, *TONE)
    shelf.writes("again.txt", book(1, 4, "again"))
    shelf.types("ingest", source, *TONE)
    shown = shelf.types("show", source).stdout
    assert "first read" in shown
    assert "its file or its settings changed" in shown
    assert "priority   normal" in shown
    shelf.types("remove", source, "--yes")


def test_export_makes_another_format_and_asks_no_voice(shelf):
    asked = shelf.asked()
    run = shelf.types("export", "walk", "--format", "mp3,opus", "--bit-rate", "32000")
    assert "The Walk.mp3" in run.stdout
    assert "The Walk.opus" in run.stdout
    assert shelf.asked() == asked
    assert "good" in shelf.types("verify", "walk").stdout
    again = shelf.told("export", "walk", "--format", "mp3", "--bit-rate", "32000")
    assert (again["tasks"], [each["format"] for each in again["files"]]) == (0, ["m4b", "mp3", "opus"])
    assert "The Walk: 3 tasks queued" in shelf.types("export", "walk", "--format", "flac", "--later").stdout
    shelf.types("cancel", "walk")


def test_export_of_an_unfinished_book_is_refused(shelf):
    run = shelf.types("export", "fall", "--format", "mp3", exit_code=1)
    assert "The Fall is not finished: 1 sentence not rendered" in run.stderr
    assert len(run.stderr.splitlines()) == 1


def test_remove_takes_only_what_is_the_books_own_and_clean_takes_its_clips(shelf):
    folder = shelf.outputs / "Nobody Inparticular/The Gone"
    (folder / "my notes.txt").write_text("mine", encoding="utf-8")
    (told,) = shelf.told("remove", "the gone", "--files", "--yes")
    assert (len(told["deleted"]), told["kept"]) == (4, [])
    assert [path.name for path in folder.iterdir()] == ["my notes.txt"]
    assert (shelf.folder / "gone.txt").exists()

    assert "no book needs stay" in shelf.types("clean").stderr
    assert shelf.told("clean", "--older-than", "0", "--keep", "1G", "--dry-run")["gone"] == {}
    planned = shelf.told("clean", "--older-than", "0", "--dry-run")
    assert planned["left"] == {}
    assert planned["gone"]["clips"]["count"] >= 6
    before = shelf.stored(".")
    cleaned = shelf.types("clean", "--older-than", "0s").stdout
    assert "clips" in cleaned
    assert "deleted" in cleaned
    assert len(before) - len(shelf.stored(".")) >= sum(each["count"] for each in planned["gone"].values())
    assert "good" in shelf.types("verify", "walk").stdout


def test_a_removed_book_leaves_its_audiobook_unless_told(shelf):
    assert shelf.types("remove", "walk", "--yes").stdout.startswith("The Walk: removed")
    assert (shelf.outputs / "Nobody Inparticular/The Walk/The Walk.m4b").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["cancel"], "BOOK"),
        (["show"], "BOOK"),
        (["prioritize", "walk", "urgent"], "'urgent' is not one of high, normal"),
        (["prioritize", "high"], "BOOK"),
        (["list", "--state", "lovely"], "'lovely' is not one of queued"),
        (["list", "--sort", "colour"], "colour"),
        (["clean", "--keep", "lots"], "'lots' is no size: write 500M, 20G or 1.5T"),
        (["clean", "--older-than", "soon"], "no span of time"),
        (["export", "walk"], "--format mp3"),
        (["export", "walk", "--format", "ogg9"], "--format"),
        (["export", "walk", "--format", "mp3", "--bit-rate", "12"], "--bit-rate"),
    ],
)
def test_wrong_use_is_told_and_exits_with_2(reader, words, said):
    ended = typed(reader, *words)
    assert ended.exit_code == 2
    assert said in ended.stderr


@pytest.mark.parametrize("words", [["show"], ["cancel", "fall"], ["pause", "fall"], ["remove", "fall", "--yes"]])
def test_a_book_nobody_knows_is_told_before_anything_is_done(shelf, words):
    ended = typed(shelf, *words, "nobody")
    assert (ended.exit_code, ended.stderr) == (1, "tts-pipeline: there is no book 'nobody'\n")
    assert json.loads(typed(shelf, "status", "fall", "--json").stdout)["state"] == "failed"


@pytest.mark.parametrize(
    "words", [["list"], ["show", "walk"], ["cancel", "walk"], ["clean"], ["export", "walk", "--format", "mp3"]]
)
def test_where_there_is_no_shelf_none_is_made(reader, words):
    ended = typed(reader, *words)
    assert (ended.exit_code, "there are no books" in ended.stderr) == (1, True)
    assert not (reader.folder / "data").exists()


@pytest.mark.parametrize("text", ["500M", "20G", "1.5T", "2 KiB", "300", "7gb", "12B"])
def test_sizes_are_read_as_people_write_them(text):
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    unit = next((power for letter, power in units.items() if letter in text.upper()), 0)
    assert bytes_of(text) == int(float("".join(c for c in text if c in "0123456789.")) * 2**unit)
    assert size(1536 << 20) == "1.5 GiB"
