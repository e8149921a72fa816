"""What no book needs can go, whoever works meanwhile, and nothing is lost by it but time."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from tests.acceptance.reader import book, samples, sentence
from tests.tts_pipeline.bench import M4B, MP3, Bench
from tests.tts_pipeline.moody import MoodyEngine
from tts_pipeline import ingest
from tts_pipeline.cleaning import HOUR, Cleaned, Cleaner, Limits
from tts_pipeline.removal import remove
from tts_pipeline.shelf import Book
from tts_pipeline.shelf.standing import State, standings, state_of
from tts_pipeline.store import Store

NOW = Limits(older_than=0)
LATER = 10.0
"""How far ahead of the store's clock a test cleans, so that what it has just written counts as old."""


def cleaner(bench: Bench, limits: Limits = NOW) -> Cleaner:
    return Cleaner(bench.shelf, bench.store, limits)


def clean(bench: Bench, limits: Limits = NOW) -> Cleaned:
    return cleaner(bench, limits).clean(time.time() + LATER)


def keys(bench: Bench) -> set[str]:
    return set(bench.store.list())


def counts(done: Cleaned) -> dict[str, int]:
    kinds = [spare.kind for spare in done.gone]
    return {kind: kinds.count(kind) for kind in sorted(set(kinds))}


def is_published(bench: Bench, made: Book) -> bool:
    (one,) = standings(bench.shelf, [bench.shelf.book(made.id)])
    return state_of(bench.shelf, one) is State.PUBLISHED


def aged(bench: Bench, key: str, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(bench.folder / "store" / key, (then, then))


def test_what_books_need_stays(bench):
    bench.run(bench.write(book(2, 3)), None, M4B, MP3)
    bench.ingest(bench.write(book(2, 3, "sail"), "sail.txt"))
    before = keys(bench)
    assert clean(bench) == Cleaned((), ())
    assert keys(bench) == before


def test_all_of_a_removed_book_goes_and_nothing_that_another_needs(bench):
    walk, sail = book(2, 3), book(2, 3, "sail").replace(sentence(1, 2, "sail"), sentence(1, 2))
    made = bench.run(bench.write(walk))
    other = bench.run(bench.write(sail, "sail.txt"))
    everything = keys(bench)
    remove(bench.shelf, made, with_files=False)
    done = clean(bench)
    assert counts(done) == {"chapters": 2, "clips": made.sentence_count - 1 - 3, "items": 2, "manifests": 1}
    assert everything - keys(bench) == {key for spare in done.gone for key in spare.keys}
    assert sum(spare.size for spare in done.gone) > 10_000
    for file in Path(other.folder).iterdir():
        file.unlink()
    clips = set(bench.store.list("clips"))
    bench.run(bench.folder / "sail.txt")
    assert is_published(bench, other)
    assert set(bench.store.list("clips")) == clips


def test_what_only_a_former_revision_needed_goes(bench):
    bench.run(bench.write(book(2, 3)))
    before = keys(bench)
    made = bench.run(bench.write(book(2, 3).replace(sentence(2, 2), "Nobody counted.")))
    done = clean(bench)
    assert counts(done) == {"chapters": 1, "clips": 1, "items": 1, "manifests": 1}
    assert {key for spare in done.gone for key in spare.keys} <= before
    assert clean(bench).gone == ()
    assert is_published(bench, made)


def test_a_dry_run_says_the_same_and_deletes_nothing(bench):
    remove(bench.shelf, bench.run(bench.write(book(2, 3))), with_files=False)
    before = keys(bench)
    planned = cleaner(bench).plan(time.time() + LATER)
    assert keys(bench) == before
    assert planned == clean(bench)


def test_what_is_not_ours_and_what_belongs_to_no_book_alone_stays(bench):
    foreign = ["notes.txt", "clips/readme.txt", "clips/ab/short.flac", "other/ab/" + "c" * 62]
    voice = "voices/ab/" + "c" * 62 + ".loudness"
    for key in (*foreign, voice):
        bench.store.put(key, b"mine")
    clean(bench)
    assert keys(bench) == {*foreign, voice}


def test_what_was_written_within_the_hour_stays_unless_told(bench):
    remove(bench.shelf, bench.run(bench.write(book(1, 3))), with_files=False)
    clips = sorted(bench.store.list("clips"))
    aged(bench, clips[0], 2 * HOUR)
    aged(bench, clips[1], 10 * HOUR)
    kept = keys(bench) - set(clips[:2])
    assert clean(bench, Limits(older_than=5 * HOUR)).gone[0].keys == (clips[1],)
    done = clean(bench, Limits())
    assert [spare.keys for spare in done.gone] == [(clips[0],)]
    assert keys(bench) == kept == {key for spare in done.left for key in spare.keys}


def test_of_what_is_unneeded_so_much_may_stay_and_the_oldest_goes_first(bench):
    remove(bench.shelf, bench.run(bench.write(book(1, 5))), with_files=False)
    spares = clean(bench, Limits(keep=1 << 40)).left
    for number, spare in enumerate(sorted(spares)):
        for key in spare.keys:
            aged(bench, key, 100 * HOUR - number)
    total, oldest = sum(spare.size for spare in spares), sorted(spares)
    done = clean(bench, Limits(keep=total - oldest[0].size - 1))
    assert [spare.keys for spare in done.gone] == [oldest[0].keys, oldest[1].keys]
    assert sum(spare.size for spare in done.left) <= total - oldest[0].size - 1
    assert clean(bench, Limits(keep=0)).left == ()
    assert keys(bench) == set()


def test_keeping_little_does_not_take_what_is_new(bench):
    remove(bench.shelf, bench.run(bench.write(book(1, 3))), with_files=False)
    assert clean(bench, Limits(keep=0)).gone == ()


def test_a_bucket_is_cleaned_like_a_folder(bench):
    bench.store = Store.open("memory:///")
    made = bench.run(bench.write(book(2, 3)))
    bench.run(bench.write(book(2, 3, "sail"), "sail.txt"))
    remove(bench.shelf, made, with_files=False)
    before = keys(bench)
    done = clean(bench)
    assert counts(done)["clips"] == made.sentence_count - 3  # the author and the headings are the same
    assert before - keys(bench) == {key for spare in done.gone for key in spare.keys}


def test_a_clip_whose_task_is_not_done_yet_stays(bench):
    bench.ingest(bench.write(book(1, 3)))
    task = bench.claim("render")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench.shelf, "record_batch", lambda *_: None)
        bench.handle(task)
    before = keys(bench)
    clean(bench, Limits())
    assert keys(bench) == before


class InBetween:
    """Something that is done once, right before the store deletes."""

    def __init__(self, store: Store, act) -> None:
        self._store, self._act = store, act

    def __getattr__(self, name: str):
        return getattr(self._store, name)

    def delete_all(self, keys) -> None:
        if self._act:
            act, self._act = self._act, None
            act()
        self._store.delete_all(keys)


@pytest.mark.parametrize("until", ["ingest", "render", "encode", "publish"])
def test_a_book_that_takes_up_old_clips_while_they_go_is_the_same_book(bench, until):
    """All of it is unneeded when the cleaner looks, and needed when it deletes."""
    path = bench.write(book(2, 3))
    made = bench.run(path)
    sound = samples(Path(made.folder, "The Walk.m4b"))
    remove(bench.shelf, made, with_files=True)
    again = []

    def act() -> None:
        again.append(bench.ingest(path).book)
        for name in ("render", "encode", "publish")[: ("ingest", "render", "encode", "publish").index(until)]:
            while task := bench.claim(name):
                bench.complete(task)

    done = Cleaner(bench.shelf, InBetween(bench.store, act), NOW).clean(time.time() + LATER)
    assert set(counts(done)) == {"clips", "chapters"}
    bench.work()
    assert is_published(bench, again[0])
    assert np.array_equal(samples(Path(again[0].folder, "The Walk.m4b")), sound)
    if until != "publish":
        assert clean(bench).gone == ()


def test_a_book_that_is_stored_but_not_on_the_shelf_yet_is_stored_again(bench, monkeypatch):
    """Its text goes between the two halves of an ingest, as a book that was removed had the same."""
    path = bench.write(book(2, 3))
    made = bench.run(path)
    remove(bench.shelf, made, with_files=True)
    stored, cleaned = ingest.write_revision, []

    def cleaned_after(*given):
        key = stored(*given)
        if not cleaned:
            cleaned.append(clean(bench))
        return key

    monkeypatch.setattr(ingest, "write_revision", cleaned_after)
    again = bench.run(path)
    assert set(counts(cleaned[0])) == {"clips", "chapters", "items", "manifests"}
    assert is_published(bench, again)


def test_a_text_that_a_book_needs_by_then_does_not_go(bench):
    path = bench.write(book(2, 3))
    remove(bench.shelf, bench.run(path), with_files=True)
    found = cleaner(bench)
    planned = found.plan(time.time() + LATER)
    again = bench.ingest(path).book
    texts = [spare for spare in planned.gone if spare.kind in {"items", "manifests"}]
    assert found._delete_texts(texts) == set(texts)
    bench.work()
    assert is_published(bench, again)


def test_a_voice_that_never_says_the_same_twice_is_asked_again_for_what_went(bench, moody):
    path = bench.write(book(2, 3))
    made = bench.run(path, bench.settings(engine="moody"))
    MoodyEngine.asked.clear()
    for key in list(bench.store.list("clips")):
        bench.store.delete(key)
    bench.run(path, bench.settings(engine="moody"), MP3)
    assert is_published(bench, made)
    assert len(MoodyEngine.asked) == made.sentence_count
