"""What is stored is never made again, and the same book is the same sound, whoever works on it and whatever dies."""

import numpy as np
import pytest

from tests.acceptance.reader import TONE, Reader, book, killed, samples, sentence, wait_until

LONG = book(chapters=5, sentences=30)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> np.ndarray:
    """The long book, as one worker makes it."""
    reader = Reader(tmp_path_factory.mktemp("undisturbed"))
    reader.types("run", reader.writes("walk.txt", LONG), *TONE, "--workers", "1")
    return samples(reader.published())


def test_four_workers_make_the_same_sound_as_one(reader, undisturbed):
    reader.types("run", reader.writes("walk.txt", LONG), *TONE, "--workers", "4")
    assert np.array_equal(samples(reader.published()), undisturbed)


@pytest.mark.parametrize("least", [1, 60, 140])
def test_killed_in_the_middle_and_run_again_it_is_the_same_and_no_clip_is_made_again(reader, undisturbed, least):
    source = reader.writes("walk.txt", LONG)
    process = reader.begins("run", source, *TONE, "--workers", "2")
    wait_until(lambda: len(reader.stored("clips")) >= least or process.poll() is not None, f"{least} clips")
    killed(process)
    before = {path: file for path, file in reader.stored("clips").items() if path.endswith(".flac")}
    assert before
    reader.types("run", source, *TONE, "--workers", "2")
    after = reader.stored("clips")
    assert {path: after[path] for path in before} == before
    assert np.array_equal(samples(reader.published()), undisturbed)
    reader.types("verify")


def test_a_killed_supervisor_takes_its_workers_along(reader, undisturbed):
    source = reader.writes("walk.txt", LONG)
    process = reader.begins("run", source, *TONE, "--workers", "2")
    wait_until(lambda: len(reader.stored("clips")) >= 40 or process.poll() is not None, "40 clips")
    process.kill()
    process.communicate()
    reader.types("run", source, *TONE, "--workers", "2")
    assert np.array_equal(samples(reader.published()), undisturbed)


def test_ctrl_c_ends_with_130_and_the_same_command_goes_on(reader, undisturbed):
    source = reader.writes("walk.txt", LONG)
    process = reader.begins("run", source, *TONE, "--workers", "2")
    wait_until(lambda: len(reader.stored("clips")) >= 30 or process.poll() is not None, "30 clips")
    process.send_signal(2)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "the same command goes on where it stopped" in said
    before = reader.stored("clips")
    reader.types("run", source, *TONE, "--workers", "2")
    after = reader.stored("clips")
    assert {path: after[path] for path in before} == before
    assert np.array_equal(samples(reader.published()), undisturbed)


def test_the_second_run_renders_and_enqueues_nothing(reader):
    source = reader.writes("walk.txt", book())
    reader.types("run", source, *TONE)
    before, published = reader.stored("."), reader.published().stat()
    again = reader.types("run", source, *TONE)
    assert "was there already" in again.stdout
    (told,) = reader.told("ingest", source, *TONE)
    assert (told["tasks"], told["is_new"]) == (0, False)
    assert "nothing to enqueue" in reader.types("ingest", source, *TONE).stdout
    assert reader.stored(".") == before
    assert reader.published().stat() == published


def test_one_edited_sentence_renders_one_clip_and_encodes_one_chapter(reader, another):
    edited = book().replace(sentence(2, 5), "On this day nobody counted anything.")
    source = reader.writes("walk.txt", book())
    reader.types("run", source, *TONE)
    clips, chapters = set(reader.stored("clips")), set(reader.stored("chapters"))
    reader.writes("walk.txt", edited)
    reader.types("run", source, *TONE)
    assert len(set(reader.stored("clips")) - clips) == 1
    (made,) = {path.partition(".")[0] for path in set(reader.stored("chapters")) - chapters}
    assert made not in {path.partition(".")[0] for path in chapters}
    another.types("run", another.writes("walk.txt", edited), *TONE)
    assert np.array_equal(samples(reader.published()), samples(another.published()))
    assert reader.report()["book"]["revision"] == 2
    assert [line["text_sha256"] for line in reader.report()["sentences"]] == [
        line["text_sha256"] for line in another.report()["sentences"]
    ]


def test_a_sentence_that_goes_and_one_that_comes_move_all_after_them(reader, another):
    edited = book().replace(f"{sentence(1, 4)} ", "").replace(sentence(3, 2), f"{sentence(3, 2)} And then it rained.")
    source = reader.writes("walk.txt", book())
    reader.types("run", source, *TONE)
    reader.writes("walk.txt", edited)
    reader.types("run", source, *TONE)
    another.types("run", another.writes("walk.txt", edited), *TONE)
    assert np.array_equal(samples(reader.published()), samples(another.published()))
    reader.types("verify")


def test_a_book_that_was_deleted_from_its_folder_is_published_again_from_what_is_stored(reader):
    source = reader.writes("walk.txt", book())
    reader.types("run", source, *TONE)
    sound, stored = samples(reader.published()), reader.stored(".")
    for file in reader.published().parent.iterdir():
        file.unlink()
    reader.types("run", source, *TONE)
    assert np.array_equal(samples(reader.published()), sound)
    assert reader.stored(".") == stored


def test_what_is_damaged_in_the_store_is_made_anew(reader):
    source = reader.writes("walk.txt", book())
    reader.types("run", source, *TONE)
    sound, clips, chapters = samples(reader.published()), reader.stored("clips"), reader.stored("chapters")
    one, two, *_ = [path for path in clips if path.endswith(".flac")]
    reader.writes(one, "no clip any more")
    (reader.folder / two).unlink()
    for path in chapters:
        (reader.folder / path).unlink()
    reader.published().unlink()
    reader.types("run", source, *TONE)
    assert np.array_equal(samples(reader.published()), sound)
    assert set(reader.stored("clips")) == set(clips)


def test_a_damaged_chapter_is_encoded_again(reader):
    source = reader.writes("walk.txt", book())
    reader.types("run", source, *TONE)
    sound = samples(reader.published())
    encoded = next(path for path in reader.stored("chapters") if path.endswith(".aac"))
    data = bytearray((reader.folder / encoded).read_bytes())
    data[len(data) // 2] ^= 0xFF
    (reader.folder / encoded).write_bytes(data)
    reader.published().unlink()
    reader.types("run", source, *TONE)
    assert np.array_equal(samples(reader.published()), sound)
    reader.types("verify")


def test_two_commands_make_one_book_together(reader, undisturbed):
    source = reader.writes("walk.txt", LONG)
    first, second = (reader.begins("run", source, *TONE, "--workers", "1") for _ in range(2))
    ended = [process.communicate(timeout=240) for process in (first, second)]
    assert [first.returncode, second.returncode] == [0, 0], ended
    assert np.array_equal(samples(reader.published()), undisturbed)
    assert len(reader.told("status")) == 1


def test_on_postgresql_it_is_the_same_book(reader, undisturbed, postgres_url):
    source = reader.writes("walk.txt", LONG)
    process = reader.begins("--database", postgres_url, "run", source, *TONE, "--workers", "2")
    wait_until(lambda: len(reader.stored("clips")) >= 40 or process.poll() is not None, "40 clips")
    killed(process)
    reader.types("--database", postgres_url, "run", source, *TONE, "--workers", "2")
    assert np.array_equal(samples(reader.published()), undisturbed)
    assert not (reader.folder / "data/queue.db").exists()
