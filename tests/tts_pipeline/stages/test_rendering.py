"""A sentence that fails stops no other, and a late worker changes nothing."""

from typing import ClassVar

import pytest

from queue_core import LeaseLost, Snooze, TaskState, TaskTimeoutError, WorkerDied
from queue_core.running import current
from tests.acceptance.reader import book, sentence
from tests.tts_pipeline.moody import TRIAL, MoodyEngine
from tts_pipeline.book import Item
from tts_pipeline.casting import Role
from tts_pipeline.engines import registry
from tts_pipeline.manifest import read_manifest
from tts_pipeline.orders import Effort
from tts_pipeline.problems import problems
from tts_pipeline.render import Renderer, clip_key
from tts_pipeline.shelf import Rendition
from tts_pipeline.shelf.shelf import Attempted

BAD = sentence(1, 2)
NUMBER = 4
"""Its place in the book: behind the title, the author, the heading and another."""


@pytest.fixture
def ingested(bench, moody):
    """A book of one batch, spoken by the moody voice."""
    return bench.ingest(bench.write(book(1, 6)), bench.settings(engine="moody"), batch_size=50).book


def batch_of(bench, made):
    (batch,) = bench.shelf.batches(made)
    return batch


def test_the_others_are_rendered_and_kept_and_only_it_is_tried_again(bench, moody, ingested):
    moody.fails.add(BAD)
    bench.work()
    assert moody.asked.count(BAD) == 3
    assert len(moody.asked) == 3 + ingested.sentence_count - 1
    batch = batch_of(bench, ingested)
    assert batch.rendered_count == ingested.sentence_count - 1
    (failure,) = batch.failures
    assert (failure.text, failure.reason) == (BAD, "not in the mood")
    (task,) = bench.tasks(ingested, "render")
    assert task.state is TaskState.DISCARDED
    assert BAD in task.errors[-1].message


def test_it_is_forgiven_once_it_is_rendered(bench, moody, ingested):
    moody.fails.add(BAD)
    bench.work()
    moody.fails.clear()
    bench.queue.resume(group_id=ingested.group_id)
    bench.work()
    assert batch_of(bench, ingested).failures == ()
    assert problems(bench.shelf, ingested) == []
    assert bench.states(ingested)["publish"] == {TaskState.COMPLETED}


def test_what_can_never_succeed_is_not_tried_again(bench, moody, ingested):
    moody.refuses.add(BAD)
    bench.work()
    assert moody.asked.count(BAD) == 1
    assert bench.states(ingested)["render"] == {TaskState.DISCARDED}


def test_the_fallback_speaks_after_the_last_attempt_and_not_before(bench, moody):
    moody.fails.add(BAD)
    made = bench.run(bench.write(book(1, 6)), bench.settings(engine="moody", fallback_engine="tone"))
    assert moody.asked.count(BAD) == 3
    engines = [one.engine for batch in bench.shelf.batches(made) for one in batch.renditions]
    assert engines.count("tone") == 1


def test_a_fallback_that_fails_too_leaves_the_first_reason(bench, moody):
    moody.refuses.add(BAD)
    made = bench.run(bench.write(book(1, 6)), bench.settings(engine="moody", fallback_engine="command:false"))
    assert [problem.reason for problem in problems(bench.shelf, made)] == ["never"]


def died(bench, made, error) -> None:
    """Let a worker claim the batch, and die of it."""
    task = bench.claim("render")
    assert task is not None
    assert task.group_id == made.group_id
    bench.queue.recover("w", error, delay=0)


@pytest.mark.parametrize(
    "error", [TaskTimeoutError(1, step=NUMBER), WorkerDied("w", "was killed by SIGSEGV", step=NUMBER)]
)
def test_where_a_worker_died_comes_last_and_the_others_are_safe_by_then(bench, moody, ingested, error):
    died(bench, ingested, error)
    bench.work()
    assert moody.asked[-1] == BAD
    assert len(moody.asked) == ingested.sentence_count
    assert bench.states(ingested)["publish"] == {TaskState.COMPLETED}


def test_after_two_deaths_it_is_not_tried_in_this_life(bench, moody, ingested):
    died(bench, ingested, TaskTimeoutError(1, step=NUMBER))
    died(bench, ingested, TaskTimeoutError(1, step=NUMBER))
    bench.work()
    assert BAD not in moody.asked
    (failure,) = batch_of(bench, ingested).failures
    assert failure.text == BAD
    assert "timed out after 1 s" in failure.reason
    bench.queue.resume(group_id=ingested.group_id)
    bench.work()
    assert moody.asked.count(BAD) == 1
    assert bench.states(ingested)["publish"] == {TaskState.COMPLETED}


def test_a_sentence_of_which_nobody_could_tell_is_told_by_its_task(bench, moody, ingested):
    for _ in range(3):
        died(bench, ingested, WorkerDied("w", "was killed by SIGSEGV", step=NUMBER))
    found = problems(bench.shelf, ingested)
    assert len(found) == ingested.sentence_count
    (cause,) = [problem for problem in found if "not tried again" not in problem.reason]
    assert (cause.number, cause.text) == (NUMBER, BAD)
    assert "SIGSEGV" in cause.reason


def test_sentences_at_which_workers_hang_cost_the_others_nothing(bench, moody, ingested):
    for step in (NUMBER, NUMBER + 1, NUMBER, NUMBER + 1):
        died(bench, ingested, TaskTimeoutError(1, step=step))
    bench.work()
    assert [problem.number for problem in problems(bench.shelf, ingested)] == [NUMBER, NUMBER + 1]
    assert batch_of(bench, ingested).rendered_count == ingested.sentence_count - 2


def test_what_is_rendered_stays_so_when_its_voice_is_gone(bench, moody, ingested, monkeypatch):
    moody.fails.add(BAD)
    bench.work()
    before = batch_of(bench, ingested)
    monkeypatch.delitem(registry._OURS, "moody")
    registry.engine.cache_clear()
    bench.queue.resume(group_id=ingested.group_id)
    bench.work()
    after = batch_of(bench, ingested)
    assert after.renditions == before.renditions
    assert [failure.text for failure in after.failures] == [BAD]
    assert "there is no engine" in after.failures[0].reason


def test_a_worker_that_is_asked_to_stop_forgets_nothing(bench, moody, ingested):
    moody.fails.add(BAD)
    bench.work()
    before = batch_of(bench, ingested)
    bench.queue.resume(group_id=ingested.group_id)
    task = bench.claim("render")
    with pytest.raises(Snooze):
        bench.handle(task, is_draining=True)
    assert batch_of(bench, ingested) == before


def test_workers_may_try_harder_than_was_said_at_first(bench, moody, ingested):
    moody.fails.add(BAD)
    bench.work(Effort(attempts=1))
    assert moody.asked.count(BAD) == 1
    bench.queue.resume(group_id=ingested.group_id)
    bench.work(Effort(attempts=5))
    assert moody.asked.count(BAD) == 6
    bench.queue.resume(group_id=ingested.group_id)
    bench.work(Effort(attempts=1, fallback_engine="tone"))
    assert bench.states(ingested)["publish"] == {TaskState.COMPLETED}


def test_a_store_that_fails_is_not_the_sentences_fault(bench, moody, ingested):
    clips = bench.folder / "store" / "clips"
    clips.write_text("no folder")
    with pytest.raises(Snooze):
        bench.handle(bench.claim("render"))
    assert batch_of(bench, ingested).failures == ()
    assert moody.asked == []


class StepNoting(MoodyEngine):
    """Notes in which step it is asked to say what."""

    steps: ClassVar[list[tuple[int | None, str]]] = []

    def synthesize(self, text, settings):
        self.steps.append((current.get().step, text))
        return super().synthesize(text, settings)


@pytest.fixture
def steps(monkeypatch, ingested):
    """What the voice of a new process is asked to say, each with its step."""
    monkeypatch.setitem(registry._OURS, "moody", f"{__name__}:StepNoting")
    registry.engine.cache_clear()
    StepNoting.steps.clear()
    yield StepNoting.steps
    registry.engine.cache_clear()


def test_a_voice_loads_in_a_step_that_is_no_sentences(bench, steps):
    """A large one takes longer than any sentence may."""
    bench.complete(bench.claim("render"))
    (loaded, *spoken) = steps
    numbers = [step for step, _ in spoken]
    assert loaded == (max(numbers) + 1, TRIAL)
    assert numbers == sorted(set(numbers))


def test_where_a_worker_died_of_loading_the_sentences_are_tried_without(bench, ingested, steps):
    behind = bench.tasks(ingested, "render")[0].items_as(Item)[-1].number + 1
    died(bench, ingested, TaskTimeoutError(300, step=behind))
    bench.complete(bench.claim("render"))
    assert len(steps) == ingested.sentence_count
    assert TRIAL not in {text for _, text in steps}


def test_a_late_worker_writes_nothing(bench, ingested, clock):
    late = bench.claim("render")
    clock.advance(3601)
    bench.queue.rescue()
    bench.work()
    before = batch_of(bench, ingested)
    with pytest.raises(LeaseLost):
        bench.shelf.record_batch(late, ingested, 0, Attempted([None] * len(before.renditions), [], 0))
    assert batch_of(bench, ingested) == before


def test_the_clip_that_was_there_first_counts(bench, moody, ingested):
    """A voice that never says the same twice must not replace what a chapter may be made of already."""
    manifest = read_manifest(bench.store, ingested.manifest)
    (task,) = bench.tasks(ingested, "render")
    item = bench.queue.get(task).items_as(type(_items(bench, manifest)[0]))[1]
    renderer = Renderer(bench.store, manifest.settings.speech, manifest.cast)
    first = renderer.rendition(item)
    assert renderer.rendition(item) == first
    assert len(moody.asked) == 1
    bench.store.delete(first.key)
    assert renderer.rendition(item).checksum != first.checksum


def test_two_workers_that_render_one_sentence_at_once_agree_on_a_clip(bench, moody, ingested):
    manifest = read_manifest(bench.store, ingested.manifest)
    renderer = Renderer(bench.store, manifest.settings.speech, manifest.cast)
    item = _items(bench, manifest)[1]
    theirs: list[Rendition] = []
    add = bench.store.add

    def forestalled(key: str, data: bytes) -> bool:
        object.__setattr__(renderer.store, "add", add)
        theirs.append(renderer.rendition(item))
        return add(key, data)

    object.__setattr__(renderer.store, "add", forestalled)
    assert [renderer.rendition(item)] == theirs
    assert len(moody.asked) == 2


def _items(bench, manifest):
    from tts_pipeline.manifest import read_items

    return read_items(bench.store, manifest.chapters[0])


def test_the_key_of_a_clip_is_all_that_it_depends_on(bench):
    speech, role = bench.settings().speech, Role(engine="tone", language="en")
    key = clip_key("One.", role, speech, "tone-1")
    others = [
        clip_key("Two.", role, speech, "tone-1"),
        clip_key("One.", role, speech, "tone-2"),
        clip_key("One.", role, speech, "tone-1", take=1),
        clip_key("One.", role.model_copy(update={"language": "de"}), speech, "tone-1"),
        clip_key("One.", role.model_copy(update={"voice": "low"}), speech, "tone-1"),
        clip_key("One.", role.model_copy(update={"engine": "espeak"}), speech, "tone-1"),
        *(
            clip_key("One.", role, speech.model_copy(update={name: value}), "tone-1")
            for name, value in (("rate", 1.1), ("pitch", 1.1), ("volume", 0.9), ("sample_rate", 22_050))
        ),
    ]
    assert len({key, *others}) == len(others) + 1
    assert clip_key("One.", role, speech.model_copy(update={"fallback_engine": "espeak"}), "tone-1") == key
