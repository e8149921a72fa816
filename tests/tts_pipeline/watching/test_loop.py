"""When is a watched folder looked at again?"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Thread

import pytest

from tests.acceptance.reader import wait_until
from tts_pipeline.errors import StoreFailed
from tts_pipeline.watching import loop as loop_module
from tts_pipeline.watching.loop import Loop
from tts_pipeline.watching.settling import Settling

STORY = "One is here.\n\nTwo is here."


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def loop(watch, told) -> Loop:
    return Loop(watch.watcher, lambda one, event: told.append(f"{one.book.title} {event}"), now=lambda: watch.now)


def test_a_change_is_looked_at_when_it_has_settled_and_no_sooner(watch, loop):
    loop.tick()
    watch.write("a.txt", STORY)
    loop.tick(is_changed=True)
    watch.now += 1.9
    loop.tick()
    assert watch.books == []
    watch.now += 0.2
    loop.tick()
    assert watch.titles == ["A"]


def test_where_nothing_changes_the_folder_is_left_alone(watch, loop):
    loop.tick()
    watch.write("a.txt", STORY, age=60)
    watch.now += 30
    loop.tick()
    assert watch.books == []


def test_a_change_that_nobody_told_of_is_found_in_the_end(watch, loop):
    loop.tick()
    watch.write("a.txt", STORY)
    for _ in range(3):
        watch.now += 61
        loop.tick()
    assert watch.titles == ["A"]


def test_endings_are_told(watch, loop, told):
    watch.write("a.txt", STORY, age=60)
    loop.tick()
    watch.bench.work()
    watch.now += 5
    loop.tick()
    loop.tick()
    assert told == ["A publish"]


def test_a_store_that_is_away_is_waited_for_and_told_of_once(watch, loop, monkeypatch):
    watch.write("a.txt", STORY, age=60)

    def away(*_: object) -> None:
        raise StoreFailed("clips", "the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(watch.watcher.intake, "take", away)
        for _ in range(3):
            loop.tick(is_changed=True)
            watch.now += 6
        assert not loop.is_settled
    assert [line for line in watch.said if "full" in line] == ["clips: the disk is full: waiting"]
    loop.tick()
    assert watch.titles == ["A"]


@contextmanager
def running(watch, monkeypatch) -> Iterator[None]:
    """Let a loop work in a thread, with the clock of the wall, that looks at no folder of which it is told nothing."""
    monkeypatch.setattr(loop_module, "_LONGEST_SECONDS", 3600.0)
    watch.watcher.settling = Settling(0.05)
    loop = Loop(watch.watcher, lambda *_: None)
    thread = Thread(target=loop.run)
    thread.start()
    try:
        yield
    finally:
        loop.stop()
        thread.join()


def test_a_folder_that_is_removed_and_made_anew_is_still_watched(watch, monkeypatch):
    with running(watch, monkeypatch):
        watch.write("a.txt", STORY)
        wait_until(lambda: watch.titles == ["A"], "the first file")
        shutil.rmtree(watch.root)
        watch.write("b.txt", f"Zero.\n\n{STORY}")
        wait_until(lambda: watch.titles == ["A", "B"], "a file in the new folder")
        watch.write("c.txt", f"None.\n\n{STORY}")
        wait_until(lambda: watch.titles == ["A", "B", "C"], "another one")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name is text")
def test_names_that_are_no_text_end_no_loop(watch, monkeypatch):
    with running(watch, monkeypatch):
        watch.write(os.fsdecode(b"a \xe9.txt"), STORY)
        wait_until(lambda: watch.titles == [r"A \xe9"], "a name that is no text")
        watch.write("b.txt", f"Zero.\n\n{STORY}")
        wait_until(lambda: len(watch.titles) == 2, "another one")


def test_what_changes_before_the_system_is_asked_to_tell_is_found_at_once(watch, monkeypatch):
    look = watch.watcher.look

    def write_afterwards() -> None:
        watch.watcher.look = look
        look()
        watch.write("a.txt", STORY)

    watch.watcher.look = write_afterwards
    with running(watch, monkeypatch):
        wait_until(lambda: watch.titles == ["A"], "what was written meanwhile")


def test_a_store_that_is_away_for_too_long_ends_the_one_look(watch, monkeypatch):
    watch.restart(outage_timeout=20)
    watch.write("a.txt", STORY, age=60)

    def away(*_: object) -> None:
        raise StoreFailed("clips", "the disk is full")

    seconds = count(1000.0)
    monkeypatch.setattr(watch.watcher.intake, "take", away)
    with pytest.raises(StoreFailed, match="full"):
        Loop(watch.watcher, lambda *_: None, now=lambda: next(seconds)).run_until_settled()
    assert watch.said == ["clips: the disk is full: waiting"]


def test_until_settled_means_that_all_is_taken_in_or_refused(watch, told):
    watch.restart(settle=0.05)
    watch.write("a.txt", STORY)
    watch.write("b.txt", "")
    watch.watcher.settling = Settling(0.05)
    Loop(watch.watcher, lambda *_: None).run_until_settled()
    assert watch.titles == ["A"]
    assert len(watch.watcher.known()) == 2
