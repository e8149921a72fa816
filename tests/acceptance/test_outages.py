"""A store or a disk that is away loses nothing: it is told in a line, and the same command goes on when it is back."""

import shutil
import subprocess

import pytest

from tests.acceptance.reader import COMMAND, TONE, book, environment, killed, wait_until

UNSHARE = shutil.which("unshare")
SOON = {"TTS_PIPELINE_OUTAGE_TIMEOUT": "1s"}
SMALL = ("--workers", "1")


def attempts(reader) -> list[int]:
    """Return how often tasks were tried that are not done."""
    from queue_core import Queue, TaskState

    with Queue.open(f"sqlite:///{reader.folder / 'data/queue.db'}") as queue:
        left = [task for task in queue.list(limit=1000) if task.state is not TaskState.COMPLETED]
        assert {task.state for task in left} == {TaskState.PENDING}
        return [task.attempt_count for task in left]


def test_a_store_that_is_away_is_told_by_its_path_and_the_same_command_goes_on(reader):
    source = reader.writes("walk.txt", book(1, 6))
    reader.types("ingest", source, *TONE)
    store = reader.folder / "data/store"
    aside = store.rename(reader.folder / "aside")
    store.write_text("no folder")
    run = reader.types("work", *SMALL, exit_code=1, variables=SOON)
    first, *_, last = run.stderr.splitlines()
    assert first.startswith("data/store: ")
    assert run.stderr.count("waiting for it") == 1
    assert last.startswith("tts-pipeline: stopped: data/store: ")
    assert set(attempts(reader)) == {0}
    store.unlink()
    aside.rename(store)
    reader.types("work", *SMALL)
    reader.types("verify")


def test_a_folder_of_books_that_is_away_is_told_by_its_path_and_the_same_command_goes_on(reader):
    source = reader.writes("walk.txt", book(1, 3))
    reader.writes("outputs", "a file where the folder should be")
    run = reader.types("run", source, *TONE, *SMALL, exit_code=1, variables=SOON)
    assert f"stopped: {reader.outputs}" in run.stderr.splitlines()[-1]
    assert "Not a directory" in run.stderr.splitlines()[-1]
    assert attempts(reader) == [0]
    reader.outputs.unlink()
    reader.types("run", source, *TONE)
    reader.types("verify")


def test_who_works_for_ever_waits_and_says_so_once(reader):
    reader.types("ingest", reader.writes("walk.txt", book(1, 3)), *TONE)
    reader.writes("outputs", "a file where the folder should be")
    waiting = reader.begins("work", "--forever", *SMALL, variables=SOON)
    try:
        said = waiting.stderr.readline()
        assert "outputs" in said
        assert "waiting for it" in said
        reader.outputs.unlink()
        wait_until(lambda: reader.told("status", "walk")["state"] == "published", "a book")
        waiting.terminate()
        _, rest = waiting.communicate(timeout=60)
        assert "waiting for it" not in rest
    finally:
        killed(waiting)


TINY_DISK = """
mount -t tmpfs -o size=100k none "$1" || exit 77
cd "$1"; shift
"$@" 2> "$OLDPWD/first"; echo $? > "$OLDPWD/exit"
mount -o remount,size=50m none . || exit 77
"$@"
status=$?
cp -r outputs "$OLDPWD/"
exit $status
"""


@pytest.mark.skipif(UNSHARE is None, reason="only Linux lends everybody a disk of their own")
@pytest.mark.parametrize("full", ["store", "outputs"])
def test_a_full_disk_loses_nothing_and_goes_on_when_there_is_room(reader, full):
    source = reader.writes("walk.txt", book(1, 18))
    (reader.folder / "disk").mkdir()
    places = ["--database", f"sqlite:///{reader.folder / 'queue.db'}"]
    if full == "outputs":
        places += ["--store", str(reader.folder / "store")]
    options = [*places, "run", str(source), *TONE, *SMALL, "--batch", "4"]
    run = subprocess.run(
        [UNSHARE, "--user", "--map-root-user", "--mount", "sh", "-c", TINY_DISK, "sh", "disk", COMMAND, *options],
        cwd=reader.folder,
        env={**environment(), **SOON},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    if run.returncode == 77 or "unshare" in run.stderr:
        pytest.skip("this system lends nobody a disk")
    assert run.returncode == 0, run.stderr
    assert (reader.folder / "exit").read_text() == "1\n"
    last = (reader.folder / "first").read_text().splitlines()[-1]
    assert f"stopped: {reader.folder / 'disk'}" in last
    assert "No space left on device" in last
    assert reader.report()["totals"]["missing"] == 0
