"""What is away costs no attempt: tasks wait for it, and go on when it is back."""

import errno
import shutil
from pathlib import Path

import pytest

from queue_core import Snooze, Task, TaskState
from tests.acceptance.reader import book, sentence
from tests.tts_pipeline.bench import Bench
from tts_pipeline.errors import NotStored, SpeechFailed, StoreFailed
from tts_pipeline.orders import Effort, Terms
from tts_pipeline.problems import problems
from tts_pipeline.stages.patience import Patient, is_away
from tts_pipeline.store import Store

TRIES = 12
"""More than any task has attempts."""


def tried_in_vain(bench: Bench) -> None:
    with pytest.raises(AssertionError, match="still not empty"):
        bench.work(most=TRIES)


def finish(bench: Bench, made) -> None:
    for task in bench.queue.list(group_id=made.group_id, limit=100):
        assert task.state in {TaskState.PENDING, TaskState.COMPLETED}
        assert task.errors == ()
    bench.work()
    assert bench.states(made)["publish"] == {TaskState.COMPLETED}
    assert problems(bench.shelf, made) == []


@pytest.fixture
def ingested(bench):
    return bench.ingest(bench.write(book(1, 6)), batch_size=50).book


def put_aside(folder):
    """Let a folder be away; return what brings it back."""
    aside = folder.rename(folder.with_name("aside")) if folder.exists() else None

    def back() -> None:
        if folder.exists():
            folder.unlink()
        if aside:
            aside.rename(folder)

    return back


@pytest.mark.parametrize("is_a_file", [True, False])
def test_rendering_waits_for_a_store_that_is_away(bench, ingested, is_a_file):
    back = put_aside(bench.folder / "store")
    if is_a_file:
        (bench.folder / "store").write_text("no folder")
    tried_in_vain(bench)
    assert is_a_file or not (bench.folder / "store").exists(), "something was written where the store is mounted"
    back()
    finish(bench, ingested)


def test_encoding_waits_for_a_store_that_is_away(bench, ingested):
    bench.complete(bench.claim("render"))
    back = put_aside(bench.folder / "store")
    tried_in_vain(bench)
    back()
    finish(bench, ingested)


def test_publishing_waits_for_a_folder_that_is_away(bench, ingested):
    (bench.folder / "outputs").write_text("no folder")
    tried_in_vain(bench)
    (bench.folder / "outputs").unlink()
    finish(bench, ingested)


def test_what_a_book_is_made_of_may_be_away_with_the_store(bench, ingested):
    back = put_aside(bench.folder / "store")
    (bench.folder / "store").mkdir()
    tried_in_vain(bench)
    shutil.rmtree(bench.folder / "store")
    back()
    finish(bench, ingested)


def test_a_store_that_cannot_be_opened_at_first_is_opened_when_it_can_be(tmp_path):
    (tmp_path / "store").write_text("no folder")
    store = Store(tmp_path / "store")
    with pytest.raises(StoreFailed, match=str(tmp_path / "store")):
        store.put("a/b", b"1")
    (tmp_path / "store").unlink()
    store.put("a/b", b"1")
    assert store.get("a/b") == b"1"


@pytest.mark.parametrize("fallback", [None, "tone"])
def test_a_full_disk_is_no_fault_of_a_voice(bench, moody, fallback):
    full = sentence(1, 2)
    moody.fills_the_disk.add(full)
    made = bench.ingest(bench.write(book(1, 6)), bench.settings(engine="moody", fallback_engine=fallback)).book
    tried_in_vain(bench)
    assert problems(bench.shelf, made) == []
    moody.calm_down()
    finish(bench, made)


def test_who_waits_comes_again_a_little_later_each_time_and_anew_after_a_success():
    passed, is_there = [0.0], [False]

    def stage(_: Task) -> dict[str, object]:
        if not is_there[0]:
            raise StoreFailed("data/store", "no space left")
        return {}

    def waits() -> float:
        with pytest.raises(Snooze) as snooze:
            patient(Task())
        return snooze.value.seconds

    patient = Patient(stage, now=lambda: passed[0])
    seconds = []
    for at in (0, 1, 3, 8, 20, 500):
        passed[0] = float(at)
        seconds.append(waits())
    assert seconds == [1, 1, 1.5, 4, 10, 15]
    is_there[0] = True
    patient(Task())
    is_there[0] = False
    assert waits() == 1


@pytest.mark.parametrize(
    ("error", "is_so"),
    [
        (OSError(errno.ENOSPC, "full"), True),
        (OSError(errno.EACCES, "forbidden"), True),
        (OSError(errno.ENAMETOOLONG, "no such name can be"), False),
        (NotStored("manifests/1"), True),
        (StoreFailed("data/store", "network"), True),
        (ValueError("a bug"), False),
    ],
)
def test_only_what_somebody_can_bring_back_is_waited_for(error, is_so):
    assert is_away(error) is is_so
    assert not is_away(SpeechFailed("tone", "One.", "broken"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_seen_through_what_was_made_of_it():
    with pytest.raises(SpeechFailed) as failed:
        _write_to_what_is_full()
    assert is_away(failed.value)


def _write_to_what_is_full() -> None:
    try:
        Path("/dev/full").write_bytes(b"1")
    except OSError as error:
        raise SpeechFailed("tone", "One.", "its file can't be written") from error


def test_the_last_attempt_of_a_task_is_the_last_however_many_are_wished_for(bench, moody):
    bad = sentence(1, 2)
    moody.fails.add(bad)
    bench.terms = Terms(attempts=1)
    made = bench.ingest(bench.write(book(1, 6)), bench.settings(engine="moody"), batch_size=50).book
    most = bench.queue.get(bench.tasks(made, "render")[0]).max_attempts
    bench.work(Effort(attempts=100, fallback_engine="tone"))
    assert moody.asked.count(bad) == most
    assert bench.states(made)["publish"] == {TaskState.COMPLETED}
