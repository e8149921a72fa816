"""Every chapter comes out equally loud, however its voice speaks, and none waits for another."""

from pathlib import Path

import numpy as np
import pytest

from queue_core import WorkerDied
from tests.acceptance.reader import book, loudness, samples
from tests.tts_pipeline.audio.meter import reading
from tests.tts_pipeline.bench import M4B, MP3
from tts_pipeline.assemble import clip_of
from tts_pipeline.audio.leveling import LEAST_SECONDS, TARGET, TRUE_PEAK
from tts_pipeline.book_settings import Publishing
from tts_pipeline.manifest import read_manifest
from tts_pipeline.report.published import read_report

FLAC, AS_SPOKEN = Publishing(format="flac"), Publishing(format="flac", normalize=False)
SHORT = "THE WALK\n\nby Nobody\n\nCHAPTER 1\n\nHe went.\n\nCHAPTER 2\n\nNobody had seen him, and nobody asked.\n"


def heard(made, ending: str = "m4b") -> list[np.ndarray]:
    """Return the sound of each chapter as it was published."""
    report, sound = read_report(Path(made.folder) / "report.json"), samples(Path(made.folder) / f"The Walk.{ending}")
    if sound.dtype == np.int16:
        sound = (sound / 32768).astype(np.float32)
    return [sound[chapter.first : chapter.end] for chapter in report.chapters]


def clips(bench, made) -> list[list[np.ndarray]]:
    """Return the clips of each chapter as they were spoken."""
    spoken = [[] for _ in range(made.chapter_count)]
    for batch in bench.shelf.batches(made):
        spoken[batch.chapter] += [clip_of(bench.store, one).samples / 32768 for one in batch.renditions if one]
    return spoken


def gains(bench, made) -> list[float]:
    """Return by what each chapter was multiplied, as its samples show."""
    pairs = zip(clips(bench, made), heard(made, "flac"), strict=True)
    return [loudness(sound, 0, len(spoken[0])) / loudness(spoken[0], 0, len(spoken[0])) for spoken, sound in pairs]


@pytest.mark.parametrize("volume", [0.2, 1.0])
def test_a_soft_voice_and_a_loud_one_come_out_at_one_loudness(bench, volume):
    made = bench.run(bench.write(book(2, 8)), bench.settings(engine="espeak", volume=volume))
    chapters = heard(made)
    for sound in [*chapters, np.concatenate(chapters)]:
        found = reading(sound, 24_000)
        assert found.lufs == pytest.approx(TARGET, abs=0.5)
        assert found.true_peak <= TRUE_PEAK


def test_without_it_a_lossless_book_has_the_samples_that_were_spoken(bench):
    made = bench.run(bench.write(book(1, 3)), None, AS_SPOKEN)
    (sound,), (spoken,) = heard(made, "flac"), clips(bench, made)
    at = 0
    for line, clip in zip(read_report(Path(made.folder) / "report.json").sentences, spoken, strict=True):
        assert np.array_equal(sound[line.first : line.end], clip.astype(np.float32))
        at = line.end
    assert at <= len(sound)
    assert not read_report(Path(made.folder) / "report.json").file.normalize


def test_chapters_that_say_little_take_the_gain_of_their_voice(bench):
    made = bench.run(bench.write(SHORT), bench.settings(engine="tone", volume=0.2), FLAC)
    assert all(len(sound) < LEAST_SECONDS * 24_000 for sound in heard(made, "flac"))
    first, second = gains(bench, made)
    assert first == pytest.approx(second, rel=0.001)
    assert first > 1.5


def test_whoever_asks_the_voice_levels_like_those_that_come_later(bench):
    made = bench.run(bench.write(book(2, 3)), None, FLAC)
    asked = set(bench.store.list("chapters"))
    for key in asked:
        bench.store.delete(key)
    (Path(made.folder) / "report.json").unlink()
    bench.run(bench.folder / "walk.txt", None, FLAC)
    assert set(bench.store.list("chapters")) == asked


def test_a_voice_is_asked_once_and_all_workers_know_what_came_of_it(bench, moody):
    bench.run(bench.write(SHORT), bench.settings(engine="moody"), M4B, MP3)
    numbers = [text for text in moody.asked if text[-1] == "!"]
    assert numbers
    assert len(numbers) == len(set(numbers))
    (kept,) = bench.store.list("voices")
    moody.asked.clear()
    bench.run(bench.write(SHORT.replace("He went.", "She went.")), bench.settings(engine="moody"), M4B, MP3)
    assert not [text for text in moody.asked if text[-1] == "!"]
    assert list(bench.store.list("voices")) == [kept]


def test_a_voice_that_can_say_no_number_speaks_for_itself(bench, moody, monkeypatch):
    speak = moody.synthesize

    def wordy(self, text, settings):
        if text[-1] == "!":
            raise RuntimeError("numbers are beneath me")
        return speak(self, text, settings)

    monkeypatch.setattr(moody, "synthesize", wordy)
    made = bench.run(bench.write(SHORT), bench.settings(engine="moody"), FLAC)
    assert len(heard(made, "flac")) == 2
    assert list(bench.store.list("voices")) == []


def test_a_voice_at_which_a_worker_died_is_not_asked_again(bench, moody):
    made = bench.ingest(bench.write(SHORT), bench.settings(engine="moody"), FLAC).book
    while (task := bench.claim("render")) is not None:
        bench.complete(task)
    asking = read_manifest(bench.store, made.manifest).item_count
    while bench.claim("encode") is not None:
        bench.queue.recover("w", WorkerDied("w", "was killed by SIGSEGV", step=asking), delay=0)
        moody.asked.clear()
        bench.complete(bench.claim("encode"))
        assert moody.asked == []


def test_the_gain_of_a_chapter_depends_on_nothing_but_its_own_clips(bench):
    made = bench.run(bench.write(book(2, 8)), bench.settings(engine="espeak"))
    longer = bench.run(bench.write(book(3, 8), "longer.txt"), bench.settings(engine="espeak"))
    keys, same = ([row.key for row in bench.shelf.encoded(each, M4B.encoding.key)] for each in (made, longer))
    assert same[:2] == keys
