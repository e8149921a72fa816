"""A book is published as a whole, by the newest revision, and heals what is damaged on the way."""

import json
import shutil
from pathlib import Path

import pytest

from queue_core import Cancel, TaskState
from tests.acceptance.reader import book, samples, sentence
from tests.tts_pipeline.bench import M4B, MP3
from tts_pipeline.assemble import record_key
from tts_pipeline.book_settings import Publishing
from tts_pipeline.orders import EncodeItem, PublishItem, publish_task
from tts_pipeline.planning import Wish, order_publications
from tts_pipeline.problems import discarded, resume
from tts_pipeline.report.proof import prove
from tts_pipeline.report.published import read_report
from tts_pipeline.shelf import EncodedRow
from tts_pipeline.shelf.standing import standings
from tts_pipeline.store import Store


def folder_of(made) -> Path:
    return Path(made.folder)


def names_in(made) -> list[str]:
    return sorted(each.name for each in folder_of(made).iterdir())


def test_the_folder_holds_what_a_book_consists_of_and_nothing_else(bench):
    made = bench.run(bench.write(book(2, 6)))
    assert names_in(made) == ["The Walk.m4b", "The Walk.srt", "The Walk.vtt", "report.json"]
    assert prove(folder_of(made) / "report.json").is_good


def test_an_old_revision_is_not_published_over_a_new_one(bench):
    path = bench.write(book(2, 6))
    first = bench.ingest(path).book
    while not (late := bench.claim("publish", worker_id="late")):
        bench.complete(bench.claim("render", "encode"))
    second = bench.run(bench.write(book(2, 7)))
    sound = samples(folder_of(second) / "The Walk.m4b")
    with pytest.raises(Cancel, match="superseded"):
        bench.handle(late)
    assert read_report(folder_of(second) / "report.json").book.revision == 2
    assert (samples(folder_of(second) / "The Walk.m4b") == sound).all()
    assert first.id == second.id


@pytest.fixture
def meanwhile(monkeypatch):
    """Let something happen while a file is published, after it was written and before it is put in its place."""
    from tts_pipeline.stages import publishing

    bind, todo = publishing.bind, []

    def interrupted(*arguments):
        bound = bind(*arguments)
        if todo:
            todo.pop()()
        return bound

    monkeypatch.setattr(publishing, "bind", interrupted)
    return todo.append


def test_a_revision_that_comes_while_an_old_one_is_published_wins(bench, meanwhile):
    first = bench.ingest(bench.write(book(2, 6))).book
    meanwhile(lambda: bench.ingest(bench.write(book(2, 7))))
    bench.work()
    assert bench.states(first)["publish"] == {TaskState.CANCELLED}
    assert read_report(folder_of(first) / "report.json").book.revision == 2
    assert names_in(first) == ["The Walk.m4b", "The Walk.srt", "The Walk.vtt", "report.json"]


def test_a_file_that_is_wanted_otherwise_while_it_is_published_is_made_as_it_was_wanted_last(bench, meanwhile):
    path = bench.write(book(1, 3))
    made = bench.ingest(path).book
    meanwhile(lambda: bench.ingest(path, None, Publishing(bit_rate=96_000)))
    bench.work()
    assert bench.states(made)["publish"] == {TaskState.CANCELLED, TaskState.COMPLETED}
    assert read_report(folder_of(made) / "report.json").file.codec.bit_rate == 96_000
    assert names_in(made) == ["The Walk.m4b", "The Walk.srt", "The Walk.vtt", "report.json"]


def test_holes_do_not_take_the_place_of_a_whole_book_that_came_meanwhile(bench, moody, meanwhile):
    moody.fails.add(sentence(1, 2))
    made = bench.run(bench.write(book(1, 3)), bench.settings(engine="moody"))
    order_publications(bench.shelf, bench.store, Wish(made, [M4B], bench.terms, allow_missing=True))
    bench.complete(bench.claim("encode"))
    late = bench.claim("publish", worker_id="late")

    def whole() -> None:
        moody.fails.clear()
        bench.queue.resume(group_id=made.group_id)
        bench.work()

    meanwhile(whole)
    with pytest.raises(Cancel, match="whole"):
        bench.handle(late)
    assert read_report(folder_of(made) / "report.json").missing == ()
    assert standings(bench.shelf, [made])[0].is_whole


def test_what_a_killed_attempt_left_goes(bench):
    made = bench.ingest(bench.write(book(2, 6))).book
    left = folder_of(made) / ".publishing-dead-1"
    left.mkdir(parents=True)
    (left / "The Walk.m4b").write_text("half")
    bench.work()
    assert names_in(made) == ["The Walk.m4b", "The Walk.srt", "The Walk.vtt", "report.json"]


def test_a_book_with_a_new_title_leaves_nothing_under_the_old_one(bench):
    made = bench.run(bench.write(book(2, 6)))
    bench.run(bench.write(book(2, 6).replace("THE WALK", "THE LONG WALK")))
    assert names_in(made) == ["The Long Walk.m4b", "The Long Walk.srt", "The Long Walk.vtt", "report.json"]


def test_a_clip_that_sounds_otherwise_when_it_is_made_again_is_in_the_report(bench, moody):
    made = bench.ingest(bench.write(book(1, 6)), bench.settings(engine="moody")).book
    while rendering := bench.claim("render"):
        bench.complete(rendering)
    clips = sorted(bench.store.list("clips"))
    bench.store.delete(clips[0])
    bench.store.put(clips[1], b"damaged")
    bench.store.put(clips[2], bench.store.get(clips[3]))  # whole, but not what was rendered
    before = {one.key: one.checksum for batch in bench.shelf.batches(made) for one in batch.renditions}
    bench.work()
    after = {one.key: one.checksum for batch in bench.shelf.batches(made) for one in batch.renditions}
    assert {key for key in before if before[key] != after[key]} == set(clips[:3])
    report = read_report(folder_of(made) / "report.json")
    assert [line.clip for line in report.sentences] == list(after.values())
    assert prove(folder_of(made) / "report.json").is_good


def test_a_chapter_whose_record_is_gone_or_damaged_is_encoded_again(bench):
    path = bench.write(book(2, 6))
    made = bench.run(path)
    sound = samples(folder_of(made) / "The Walk.m4b")
    keys = [row.key for row in bench.shelf.encoded(made, M4B.encoding.key)]
    bench.store.delete(record_key(keys[0]))
    bench.store.put(record_key(keys[1]), b"{}")
    (folder_of(made) / "The Walk.m4b").unlink()
    bench.run(path)
    assert (samples(folder_of(made) / "The Walk.m4b") == sound).all()


def test_the_report_tells_where_every_sentence_is_and_nothing_twice(bench):
    made = bench.run(bench.write(book(2, 6)))
    report = read_report(folder_of(made) / "report.json")
    assert len(report.sentences) == report.totals.sentences == made.sentence_count
    ends = [0]
    for line in report.sentences:
        assert ends[-1] <= line.first < line.end
        ends.append(line.end)
    assert ends[-1] <= report.totals.samples
    assert [chapter.end for chapter in report.chapters][:-1] == [chapter.first for chapter in report.chapters][1:]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda report: report["sentences"].pop(3), "lists"),
        (lambda report: report["sentences"].reverse(), "not in order"),
        (lambda report: report["sentences"][2].update(clip=None), "missing sentences"),
        (lambda report: report["sentences"][2].update(first=0), "overlap"),
        (lambda report: report["chapters"][1].update(packets_hash="0" * 64), "chapter 2: its packets"),
        (lambda report: report["chapters"][1].update(packet_count=1), "packets"),
        (lambda report: report["sentences"][2].update(level=4.0), "sentence 3: its level"),
    ],
)
def test_a_report_that_does_not_fit_its_file_is_noticed(bench, damage, words):
    made = bench.run(bench.write(book(2, 6)))
    path = folder_of(made) / "report.json"
    report = json.loads(path.read_text(encoding="utf-8"))
    damage(report)
    path.write_text(json.dumps(report), encoding="utf-8")
    assert words in " ".join(prove(path).flaws)


def test_holes_are_told_and_filled_later(bench, moody):
    bad = sentence(2, 4)
    moody.fails.add(bad)
    made = bench.run(bench.write(book(2, 6)), bench.settings(engine="moody"))
    assert not folder_of(made).exists()
    order_publications(bench.shelf, bench.store, Wish(made, [M4B], bench.terms, allow_missing=True))
    bench.work()
    report = read_report(folder_of(made) / "report.json")
    assert [(each.text, each.reason) for each in report.missing] == [(bad, "not in the mood")]
    assert report.totals.missing == standings(bench.shelf, [made])[0].missing_count == 1
    proof = prove(folder_of(made) / "report.json")
    assert proof.is_good
    moody.fails.clear()
    bench.queue.resume(group_id=made.group_id)
    bench.work()
    assert read_report(folder_of(made) / "report.json").missing == ()
    assert standings(bench.shelf, [made])[0].is_whole


def test_a_file_that_is_wanted_otherwise_meanwhile_is_made_as_it_was_wanted_last(bench):
    path = bench.write(book(2, 6))
    made = bench.ingest(path).book
    while rendering := bench.claim("render"):
        bench.complete(rendering)
    first = [bench.claim("encode"), bench.claim("encode")]
    bench.ingest(path, None, Publishing(bit_rate=96_000))
    second = [bench.claim("encode"), bench.claim("encode")]
    for task in (first[0], second[0], second[1], first[1]):
        bench.complete(task)
    bench.work()
    assert bench.states(made)["publish"] == {TaskState.CANCELLED, TaskState.COMPLETED}
    assert read_report(folder_of(made) / "report.json").file.codec.bit_rate == 96_000
    assert prove(folder_of(made) / "report.json").is_good


def test_a_chapter_that_was_encoded_with_holes_is_made_whole_once_it_can_be(bench, moody):
    moody.fails.add(sentence(2, 4))
    made = bench.run(bench.write(book(2, 6)), bench.settings(engine="moody"))
    order_publications(bench.shelf, bench.store, Wish(made, [M4B], bench.terms, allow_missing=True))
    late = [bench.claim("encode", worker_id="late"), bench.claim("encode", worker_id="late")]
    moody.fails.clear()
    bench.queue.resume(group_id=made.group_id)
    bench.complete(bench.claim("render"))
    bench.complete(bench.claim("encode"))
    holes = EncodedRow(1, bench.shelf.encoded(made, M4B.encoding.key)[1].key, (13,))
    bench.shelf.record_encoded(late[1], made, "m4b", holes)
    bench.work()
    assert read_report(folder_of(made) / "report.json").missing == ()


def test_a_store_that_was_thrown_away_is_filled_again(bench):
    path = bench.write(book(2, 6))
    made = bench.run(path)
    sound = samples(folder_of(made) / "The Walk.m4b")
    shutil.rmtree(bench.folder / "store")
    shutil.rmtree(made.folder)
    bench.store = Store.open(bench.folder / "store")
    again = bench.run(path)
    assert again.id == made.id
    assert (samples(folder_of(made) / "The Walk.m4b") == sound).all()
    assert prove(folder_of(made) / "report.json").is_good


@pytest.mark.parametrize("name", ["The Walk.srt", "The Walk.vtt", "report.json", "The Walk.m4b"])
def test_whatever_is_taken_from_the_folder_comes_back(bench, name):
    path = bench.write(book(1, 3))
    made = bench.run(path)
    (folder_of(made) / name).unlink()
    bench.run(path)
    assert names_in(made) == ["The Walk.m4b", "The Walk.srt", "The Walk.vtt", "report.json"]


def test_both_formats_of_a_book_with_a_new_title_leave_nothing_under_the_old_one(bench):
    path = bench.write(book(1, 3))
    made = bench.run(path, None, M4B, MP3)
    before = names_in(made)
    bench.run(bench.write(book(1, 3).replace("THE WALK", "THE LONG WALK")))
    assert names_in(made) == [name.replace("The Walk", "The Long Walk") for name in before]


TRACKS = Publishing(format="mp3-chapters")


def test_formats_of_one_codec_share_their_encoded_chapters(bench):
    made = bench.run(bench.write(book(2, 6)), None, MP3, TRACKS)
    assert len(bench.tasks(made, "encode")) == 2
    assert len(list(bench.store.list("chapters"))) == 2 * 2  # each with its record
    assert all(prove(report).is_good for report in folder_of(made).glob("report*.json"))


def test_a_folder_of_tracks_has_captions_for_each(bench):
    made = bench.run(bench.write(book(2, 6)), None, TRACKS)
    folder = folder_of(made) / "The Walk (mp3)"
    assert names_in(made) == ["The Walk (mp3)", "report.json"]
    assert {each.suffix for each in folder.iterdir()} == {".mp3", ".vtt", ".srt", ".m3u8"}
    second = next(folder.glob("02*.srt")).read_text(encoding="utf-8")
    assert second.startswith("1\n00:00:00,0"), "each begins at its own start"
    report = read_report(folder_of(made) / "report.json")
    tracks = sorted(folder.glob("*.mp3"))
    assert sum(len(samples(track)) for track in tracks) == report.totals.samples
    assert report.chapters[1].first == len(samples(tracks[0]))
    assert report.file.bytes == sum(track.stat().st_size for track in tracks)


def test_tracks_of_an_old_revision_go_and_what_is_not_ours_stays(bench):
    first = bench.run(bench.write(book(3, 6)), None, TRACKS)
    folder = folder_of(first) / "The Walk (mp3)"
    (folder / "my notes.txt").write_text("mine", encoding="utf-8")
    bench.run(bench.write(book(2, 6)), None, TRACKS)
    assert sorted(each.name for each in folder.iterdir() if each.suffix not in {".vtt", ".srt"}) == [
        "01 - CHAPTER 1.mp3",
        "02 - CHAPTER 2.mp3",
        "my notes.txt",
        "playlist.m3u8",
    ]
    assert not list(folder.glob("03*"))


def test_a_folder_of_tracks_under_a_new_title_replaces_the_old_one(bench):
    bench.run(bench.write(book(2, 6)), None, TRACKS)
    made = bench.run(bench.write(book(2, 6).replace("THE WALK", "THE LONG WALK")), None, TRACKS)
    assert names_in(made) == ["The Long Walk (mp3)", "report.json"]


@pytest.mark.parametrize("name", ["01 - CHAPTER 1.mp3", "02 - CHAPTER 2.vtt", "playlist.m3u8"])
def test_a_track_that_was_deleted_is_published_again(bench, name):
    path = bench.write(book(2, 6))
    made = bench.run(path, None, TRACKS)
    (folder_of(made) / "The Walk (mp3)" / name).unlink()
    assert bench.ingest(path, None, TRACKS).task_count
    bench.work()
    assert (folder_of(made) / "The Walk (mp3)" / name).exists()
    assert prove(folder_of(made) / "report.json").is_good


def test_what_nobody_wants_any_more_does_not_count_as_work_to_be_done(bench):
    path = bench.write(book(2, 6))
    made = bench.run(path)
    bench.ingest(path, None, Publishing(normalize=False))
    (standing,) = standings(bench.shelf, [made])
    assert (standing.encoded_count, standing.encoding_count) == (0, 2)
    bench.work()
    assert standings(bench.shelf, [made])[0].is_whole


def test_only_what_a_book_still_lacks_can_be_resumed(bench):
    path = bench.write(book(1, 3))
    made = bench.ingest(path, None, M4B, MP3).book
    while rendering := bench.claim("render"):
        bench.complete(rendering)
    for task in bench.queue.claim(5, worker_id="w", names=["encode"]):
        bench.queue.mark_as_discarded(task, error="a bug")
    assert len(list(discarded(bench.shelf, made))) == 2
    bench.ingest(path, None, Publishing(format="mp3", bit_rate=96_000))
    (wanted,) = discarded(bench.shelf, made)
    assert wanted.items_as(EncodeItem)[0].encoding == M4B.encoding
    assert resume(bench.shelf, made) == [wanted.id]
    bench.work()
    assert list(discarded(bench.shelf, made)) == []
    assert standings(bench.shelf, [made])[0].is_whole


def test_what_makes_a_file_that_is_there_whole_needs_no_resuming(bench):
    path = bench.write(book(1, 3))
    made = bench.ingest(path).book
    while (publishing := bench.claim("publish")) is None:
        bench.complete(bench.claim("render", "encode"))
    bench.queue.mark_as_discarded(publishing, error="a bug")
    assert [task.id for task in discarded(bench.shelf, made)] == [publishing.id]
    again = publish_task(made, PublishItem(publishing=M4B), (), bench.terms)
    bench.queue.enqueue([again])
    bench.work()
    assert standings(bench.shelf, [made])[0].is_whole
    assert resume(bench.shelf, made) == []


class Slot:
    """Where a supervisor sees how long a task may take."""

    seconds: float | None = None

    def begin_step(self, step: int, timeout: float | None) -> None:
        self.seconds = timeout

    def show_group(self, group: int) -> None:
        pass


def test_a_book_is_bound_in_a_time_of_its_own_whatever_was_encoded_before(bench, monkeypatch):
    from tts_pipeline.stages import publishing

    made = bench.ingest(bench.write(book(1, 3))).book
    while (task := bench.claim("publish")) is None:
        bench.complete(bench.claim("render", "encode"))
    (row,) = bench.shelf.encoded(made, M4B.encoding.key)
    bench.store.delete(record_key(row.key))
    slot, bind, seconds = Slot(), publishing.bind, []

    def bound(*arguments):
        seconds.append(slot.seconds)
        return bind(*arguments)

    monkeypatch.setattr(publishing, "bind", bound)
    bench.handle(task, slot=slot)
    assert seconds == [publishing.BINDING_SECONDS]
