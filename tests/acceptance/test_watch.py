"""A folder that is watched: whatever happens to its files, the outputs are the books that they hold, each made once."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from tests.acceptance.reader import TONE, Reader, book, killed, sentence, wait_until

SETTLE = ("--settle", "0.5s")


def walk(name: str, sentences: int = 4) -> str:
    return book(chapters=1, sentences=sentences, name=name)


@pytest.fixture
def inputs(reader) -> Path:
    (reader.folder / "inputs").mkdir()
    return reader.folder / "inputs"


@contextmanager
def watching(reader: Reader, *words: str):
    """Watch until the block ends, then press Ctrl-C."""
    process = reader.begins("watch", "inputs", *SETTLE, "--workers", "2", *words)
    try:
        yield process
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130, said
    finally:
        if process.poll() is None:
            killed(process)


def captions(reader: Reader) -> dict[str, str]:
    """Return what is heard of each published book, by its title."""
    heard = {}
    for file in reader.outputs.glob("*/*/report.json"):
        title = json.loads(file.read_text(encoding="utf-8"))["book"]["title"]
        (vtt,) = file.parent.glob("*.vtt")
        lines = vtt.read_text(encoding="utf-8").splitlines()
        heard[title.upper()] = " ".join(line for line in lines if line and "-->" not in line)
    return heard


def titled(*names: str) -> set[str]:
    return {f"THE {name.upper()}" for name in names}


def published(reader: Reader, *names: str) -> Callable[[], bool]:
    return lambda: titled(*names) <= captions(reader).keys()


def spoken_of_one_book(reader: Reader) -> list[str]:
    """Return what was spoken, without what all books begin with: two workers may come to that at once."""
    return [text for text in reader.asked() if "steps to count" in text]


def drop(inputs: Path, *names: str) -> None:
    for name in names:
        (inputs / f"{name}.txt").write_text(walk(name), encoding="utf-8")


def append(file: Path, pieces: Iterator[str], count: int = 1) -> None:
    """Go on copying; where all is there, it is at least touched, however slow the machine is."""
    with file.open("a", encoding="utf-8") as opened:
        opened.writelines(islice(pieces, count))
    os.utime(file)


def test_twenty_files_while_it_runs_and_is_killed(reader, inputs):
    """One is copied slowly, one broken, one a duplicate, one changed twice, one renamed, one removed."""
    plain = [f"walk{number}" for number in range(14)]
    engine = ("--engine", reader.speaker)
    slow, pieces = inputs / "slow.txt", iter(walk("slowness", sentences=60))

    def copied_until(*names: str) -> None:
        wait_until(lambda: (append(slow, pieces), published(reader, *names)())[1], f"{names} beside the slow copy")

    process = reader.begins("watch", "inputs", *SETTLE, "--workers", "2", *engine)
    try:
        wait_until((reader.folder / "data/queue.db").exists, "a shelf")
        drop(inputs, *plain[:3])
        (inputs / "broken.epub").write_bytes(b"PK\3\4 and nothing else")
        (inputs / "again.txt").write_text(walk("walk0"), encoding="utf-8")
        (inputs / "changed.txt").write_text(walk("change"), encoding="utf-8")
        (inputs / "before.txt").write_text(walk("rename"), encoding="utf-8")
        (inputs / "removed.txt").write_text(walk("removal"), encoding="utf-8")
        (inputs / "removed.txt").unlink()
        copied_until("change", "rename", "walk0")
        (inputs / "changed.txt").write_text(walk("change", sentences=5), encoding="utf-8")
        (inputs / "before.txt").rename(inputs / "after.txt")
        drop(inputs, *plain[3:])
        copied_until("walk7")
    finally:
        killed(process)
    append(slow, pieces, len(walk("slowness", sentences=60)))
    stored = {path: seen for path, seen in reader.stored("clips").items() if path.endswith(".flac")}
    assert stored

    with watching(reader, *engine):
        expected = [*plain, "change", "rename", "slowness"]
        wait_until(published(reader, *expected), "all books")
        (inputs / "changed.txt").write_text(walk("change", sentences=6), encoding="utf-8")
        wait_until(lambda: sentence(1, 6, "change") in captions(reader)["THE CHANGE"], "the second change")

    assert captions(reader).keys() == titled(*expected)
    assert captions(reader)["THE SLOWNESS"].count(sentence(1, 60, "slowness")) == 1
    now = reader.stored("clips")
    assert {path: now.get(path) for path in stored} == stored
    asked = spoken_of_one_book(reader)
    assert len(asked) - len(set(asked)) <= 2 * 1, "only what was in flight in two workers is spoken twice"
    assert [path.name for path in inputs.glob("*.error.txt")] == ["broken.epub.error.txt"]
    reader.types("verify")
    revisions = {each["title"].upper(): each["revision"] for each in reader.told("status")}
    assert revisions.pop("THE CHANGE") == 3
    assert set(revisions.values()) == {1}


def test_once_makes_what_is_there_and_ends_with_the_worst(reader, inputs):
    (inputs / "good.txt").write_text(walk("walk"), encoding="utf-8")
    (inputs / "bad.txt").write_text("", encoding="utf-8")
    run = reader.types("watch", "inputs", "--once", *SETTLE, *TONE, exit_code=1)
    assert "The Walk.m4b".casefold() in run.stdout.casefold()
    assert run.stderr.count("bad.txt") == 1
    (inputs / "bad.txt").unlink()
    again = reader.types("watch", "inputs", "--once", *SETTLE, *TONE)
    assert (again.stdout, captions(reader).keys()) == ("", titled("walk"))


def test_a_series_that_grows_by_a_chapter_encodes_one_chapter(reader, inputs):
    (inputs / "walks").mkdir()
    (inputs / "walks" / "tts-pipeline.toml").write_text('series = true\ntitle = "Walks"\n', encoding="utf-8")
    for number in (1, 2, 10):
        (inputs / "walks" / f"{number}.txt").write_text(f"{sentence(number, 1)} {sentence(number, 2)}\n")
    reader.types("watch", "inputs", "--once", *SETTLE, *TONE)
    chapters, clips = reader.stored("chapters"), reader.stored("clips")
    (inputs / "walks" / "11.txt").write_text(f"{sentence(11, 1)} {sentence(11, 2)}\n")
    reader.types("watch", "inputs", "--once", *SETTLE, *TONE)
    assert len(reader.stored("chapters").keys() - chapters.keys()) == len(chapters) / 3
    assert {path: seen for path, seen in reader.stored("clips").items() if path in clips} == clips
    ((title, heard),) = captions(reader).items()
    places = [heard.index(sentence(number, at)) for number in (1, 2, 10, 11) for at in (1, 2)]
    assert (title, places) == ("WALKS", sorted(places))


def test_two_watchers_do_each_book_once(reader, inputs):
    drop(inputs, *"abc")
    engine = ("--engine", reader.speaker)
    with watching(reader, *engine), watching(reader, *engine):
        wait_until(published(reader, *"abc"), "all books")
    asked = spoken_of_one_book(reader)
    assert len(asked) == len(set(asked)) > 0
    assert {each["revision"] for each in reader.told("status")} == {1}


def test_workers_elsewhere_make_what_a_watcher_without_workers_finds(reader, inputs):
    (inputs / "a.txt").write_text(walk("a"), encoding="utf-8")
    reader.types("watch", "inputs", "--once", "--workers", "0", *SETTLE, *TONE)
    assert not reader.outputs.exists()
    with watching(reader, "--workers", "0", *TONE):
        (inputs / "b.txt").write_text(walk("b"), encoding="utf-8")
        wait_until(lambda: (reader.types("work"), published(reader, "a", "b")())[1], "both books")


def test_hooks_hear_once_of_each_ending(reader, inputs):
    (inputs / "a.txt").write_text(walk("a"), encoding="utf-8")
    (inputs / "b.txt").write_text(walk("b"), encoding="utf-8")
    reader.writes("fails.txt", f"{sentence(1, 2, 'b')}\n")
    hooks = ("--on-publish", "cat >> published.txt", "--on-failure", "cat >> failed.txt")
    once = ("watch", "inputs", "--once", *SETTLE, *hooks, "--engine", reader.speaker, "--attempts", "1")
    reader.types(*once, exit_code=1)
    reader.types(*once, exit_code=1)
    (heard,) = [json.loads(line) for line in (reader.folder / "published.txt").read_text().splitlines()]
    assert (heard["event"], heard["title"].upper(), heard["files"][0]["missing"]) == ("publish", "THE A", 0)
    assert all(Path(file["path"]).exists() for file in heard["files"])
    (heard,) = [json.loads(line) for line in (reader.folder / "failed.txt").read_text().splitlines()]
    assert (heard["event"], heard["title"].upper()) == ("failure", "THE B")
    assert [each["text"] for each in heard["failed"]] == [sentence(1, 2, "b")]


def test_a_hook_that_fails_is_tried_again(reader, inputs):
    (inputs / "a.txt").write_text(walk("a"), encoding="utf-8")
    soon = {"TTS_PIPELINE_RETRY_DELAY": "0.01s"}
    hook = "test -e tried && cat > heard.txt || { touch tried; exit 3; }"
    reader.types("watch", "inputs", "--once", *SETTLE, *TONE, "--on-publish", hook, variables=soon)
    assert json.loads((reader.folder / "heard.txt").read_text())["title"].upper() == "THE A"
