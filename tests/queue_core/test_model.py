"""Does every store do what the contract says, whatever is done to it and in whatever order?

Hypothesis plays workers and operators on a real queue and on the model, and compares both after each move.
"""

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from queue_core import (
    InvalidRequest,
    InvalidTask,
    LeaseLost,
    ManualClock,
    Promotion,
    Queue,
    QueueConfig,
    QueueError,
    Task,
    TaskState,
)

from .model import Model, Wish
from .records import OPEN, PROCESSING, Record, Rules

CONFIG = QueueConfig(
    default_max_attempts=3,
    default_visibility_timeout=60,
    retry_base_delay=10,
    max_retry_delay=25,
    promotions=(
        Promotion(source="low", target="normal", after_seconds=1200),
        Promotion(source="normal", target="high", after_seconds=600),
    ),
    idempotency_window=3600,
    sqlite_synchronous="OFF",
)
RULES = Rules(
    levels={"high": 0, "normal": 5, "low": 10},
    max_attempts=3,
    patience=60_000,
    first_delay=10_000,
    delay_factor=2,
    longest_delay=25_000,
    promotions=((10, 5, 1_200_000), (5, 0, 600_000)),
    key_window=3_600_000,
)
NAMES, GROUPS, CAPABILITIES, WORKERS = ("a", "b"), ("g", "h"), ("x", "y"), ("v", "w")
STEPS = 40
EXAMPLES = {"memory": 150, "sqlite": 75, "postgres": 50}
MOST_TASKS = 30

_examples = itertools.count()

picks = st.integers(0, 50)
several = st.lists(picks, min_size=1, max_size=5)
seconds = st.sampled_from([0.001, 1, 5, 6, 15, 60, 61, 601, 1201])
patience = st.sampled_from([None, None, 5, 50])
ways = st.sampled_from(["task", "task", "lease", "id", "force"])
kinds = st.sampled_from(["earlier", "earlier", "earlier", "known", "done", "any"])
ties = st.lists(st.tuples(kinds, picks), min_size=1, max_size=3)
plans = st.fixed_dictionaries(
    {
        "letter": st.sampled_from("aBc"),
        "name": st.sampled_from(NAMES),
        "group_id": st.sampled_from([None, *GROUPS]),
        "needs": st.sampled_from([(), (), (), ("x",), ("x", "y")]),
        "priority": st.sampled_from(["normal", 0, 3, 5, 8, "high", "low", "low"]),
        "delay": st.sampled_from([None, None, None, None, -1300, -700, 0, 5, 600]),
        "after": st.one_of(st.just([]), ties),
        "idempotency_key": st.sampled_from([None, None, None, None, "k", "l"]),
        "max_attempts": st.sampled_from([None, None, None, 1, 2]),
        "visibility_timeout": st.sampled_from([None, None, 5]),
        "identity": st.sampled_from(["new"] * 8 + ["known", "twin"]),
    }
)
wishes = st.builds(
    Wish,
    size=st.integers(1, 4),
    worker_id=st.sampled_from(WORKERS),
    names=st.sampled_from([None, None, None, None, frozenset("a"), frozenset("b"), frozenset()]),
    capabilities=st.sampled_from([frozenset(CAPABILITIES)] * 4 + [frozenset("x"), frozenset()]),
)


class QueueMachine(RuleBasedStateMachine):
    """A queue and its model, side by side."""

    def __init__(self, queue: Queue, clock: ManualClock) -> None:
        super().__init__()
        self.queue, self.clock = queue, clock
        self.model = Model(RULES, clock.now_ms)
        self.handouts: list[Task] = []
        """Every task that was ever claimed, as its worker got it."""
        self.remembered: dict[str, int] = {}
        """What a bare id stands for: the lease last handed out, until it ended."""
        self.example, self.numbers = next(_examples), itertools.count()
        queue.purge()
        self.counted = queue.snapshot().counters

    def teardown(self) -> None:
        for name in NAMES:
            self.queue.unpause(name=name)
        for group_id in GROUPS:
            self.queue.unpause(group_id=group_id)

    # -- intake

    @initialize(batch=st.lists(plans, min_size=4, max_size=8))
    def begin(self, batch):
        self.enqueue(batch)

    @rule(batch=st.lists(plans, min_size=1, max_size=5))
    @precondition(lambda self: len(self.model.tasks) < MOST_TASKS)
    def enqueue(self, batch):
        tasks = self.tasks_of(batch)
        real, right = outcome(self.queue.enqueue, tasks), outcome(self.model.enqueue, tasks)
        if right[0] is InvalidTask:
            assert real[0] is InvalidTask
            assert real[1]["field"] == right[1]["field"]
        else:
            assert real == right

    def tasks_of(self, batch: Sequence[dict[str, Any]]) -> list[Task]:
        ids: list[str] = []
        for plan in batch:
            ids.append(self.new_id(plan, list(self.model.tasks), ids))
        return [self.task_of(plan, ids, place) for place, plan in enumerate(batch)]

    def new_id(self, plan: dict[str, Any], known: Sequence[str], earlier: Sequence[str]) -> str:
        number = next(self.numbers)
        pool = {"new": (), "known": known, "twin": earlier}[plan["identity"]]
        return chosen(pool, number) if pool else f"{plan['letter']}-{self.example}-{number:03}"

    def task_of(self, plan: dict[str, Any], ids: Sequence[str], place: int) -> Task:
        fields = {key: plan[key] for key in plan if key in Task.model_fields}
        depends_on = tuple(chosen(self.pool(kind, ids, place), pick) for kind, pick in plan["after"])
        due_at = None if plan["delay"] is None else self.clock.now_ms() + 1000 * plan["delay"]
        return Task(id=ids[place], **fields, depends_on=depends_on, schedule_at=due_at)

    def pool(self, kind: str, ids: Sequence[str], place: int) -> Sequence[str]:
        """Return what a task may wait for: sensible things, or `any`, where circles and dead ends are too."""
        alive = [r.id for r in self.model.tasks.values() if r.state is not TaskState.CANCELLED]
        dead = [r.id for r in self.model.in_state(TaskState.CANCELLED)]
        done = [r.id for r in self.model.in_state(TaskState.COMPLETED)]
        everything = ["unheard-of", *dead, *ids]
        pools = {"earlier": ids[:place], "known": alive, "done": done, "any": everything}
        return pools[kind] or ids[:place] or alive or everything

    # -- workers

    @rule(wish=wishes)
    def dequeue(self, wish):
        self.hand_out(self.queue.dequeue(**vars(wish)), self.model.dequeue(wish))

    @rule(wish=wishes)
    def claim(self, wish):
        self.hand_out(self.queue.claim(**vars(wish)), self.model.claim(wish))

    @rule(wish=wishes, elapsed=seconds, timeout=patience, most=st.sampled_from([None, None, 1, 5]))
    def retry(self, wish, elapsed, timeout, most):
        self.clock.advance(elapsed)
        real = self.queue.retry(visibility_timeout=timeout, max_attempts=most, **vars(wish))
        self.hand_out(real, self.model.retry(wish, timeout and timeout * 1000, most))

    def hand_out(self, claimed: Sequence[Task], right: Sequence[str]) -> None:
        assert [task.id for task in claimed] == list(right)
        assert [seen(task) for task in claimed] == [expected(self.model, self.model.tasks[i]) for i in right]
        self.handouts += claimed
        self.remembered |= {task.id: task.lease for task in claimed}

    @rule(pick=picks, way=ways)
    def complete_one(self, pick, way):
        result = {"result": {"n": pick}}
        self.report(self.at_work(), pick, way, "mark_as_complete", result, result)

    @rule(pick=picks, way=ways, delay=st.sampled_from([None, None, 0, 5]))
    def fail(self, pick, way, delay):
        in_ms = {"delay": delay and delay * 1000}
        self.report(self.at_work(), pick, way, "mark_as_retry", {"error": "no", "delay": delay}, in_ms)

    @rule(pick=picks, way=ways, error=st.sampled_from([None, "hopeless"]))
    def discard(self, pick, way, error):
        self.report(self.at_work(), pick, way, "mark_as_discarded", {"error": error}, {"error": error})

    @rule(pick=picks, way=st.sampled_from(["task", "lease", "force"]))
    def complete_whatever(self, pick, way):
        self.report(self.handouts[::-1], pick, way, "mark_as_complete", {}, {})

    @rule(picked=several, is_late=st.booleans())
    def complete_many(self, picked, is_late):
        tasks = self.some(picked, is_late)
        right = self.model.complete(pairs(tasks))
        assert self.queue.complete(tasks) == right
        self.drop(task for task in tasks if task.id not in right)

    @rule(picked=several, is_late=st.booleans())
    def heartbeat(self, picked, is_late):
        tasks = self.some(picked, is_late)
        assert self.queue.heartbeat(tasks) == self.model.heartbeat(pairs(tasks))

    @rule(picked=several, is_late=st.booleans(), delay=st.sampled_from([0, 0, 5]))
    def release(self, picked, is_late, delay):
        tasks = self.some(picked, is_late)
        right = self.model.release(pairs(tasks), delay * 1000)
        assert self.queue.release(tasks, delay=delay) == right
        self.drop(task for task in tasks if task.id not in right)

    @rule(pick=picks, verb=st.sampled_from(["mark_as_complete", "mark_as_retry", "mark_as_discarded"]), wish=wishes)
    def come_back_late(self, pick, verb, wish):
        """A worker falls silent, its tasks go to others, and then it reports."""
        self.at_work()
        self.rescue(61, None)
        self.claim(wish)
        if self.late():
            task = chosen(self.late(), pick)
            with pytest.raises(LeaseLost) as caught:
                getattr(self.queue, verb)(task, **({"error": "too late"} if verb == "mark_as_retry" else {}))
            now = self.model.tasks[task.id]
            assert vars(caught.value) == vars(LeaseLost(task.id, task.lease, now.state, now.lease))

    def at_work(self) -> list[Task]:
        """Return what workers hold; where they hold nothing, they claim first, and where that is in vain, fill up."""
        for make_some in (lambda: None, self.enqueue_plainly):
            if not self.held():
                make_some()
                self.claim(Wish(4, "v", None, frozenset(CAPABILITIES)))
        return self.held()

    def enqueue_plainly(self) -> None:
        if len(self.model.tasks) < MOST_TASKS:
            pair = [Task(id=f"d-{self.example}-{next(self.numbers):03}", name=name, priority=9) for name in NAMES]
            assert self.queue.enqueue(pair) == self.model.enqueue(pair)

    def report(self, tasks: Sequence[Task], pick: int, way: str, verb: str, real: Any, right: Any) -> None:
        """Report the same to both about one of the tasks, and compare what they answer."""
        if not tasks:
            return
        task = chosen(tasks, pick)
        address, lease = self.address(task, way)
        answer = outcome(partial(getattr(self.queue, verb), **address), **real)
        if way == "id" and lease is None:
            assert answer[0] is InvalidRequest
            return
        assert answer == outcome(getattr(self.model, verb), task.id, lease, **right)
        if answer[0] is None:
            self.remembered.pop(task.id, None)

    def address(self, task: Task, way: str) -> tuple[dict[str, Any], int | None]:
        """Say how the queue is told which task is meant, and which lease that means."""
        if way == "task":
            return {"task": task}, task.lease
        if way == "lease":
            return {"task": task.id, "lease": task.lease}, task.lease
        if way == "id":
            return {"task": task.id}, self.remembered.get(task.id)
        return {"task": task.id, "force": True}, None

    def drop(self, ended) -> None:
        for task in ended:
            if self.remembered.get(task.id) == task.lease:
                del self.remembered[task.id]

    # -- operators

    @rule(pick=picks, reason=st.sampled_from([None, "unwanted"]))
    @precondition(lambda self: self.model.tasks)
    def cancel_one(self, pick, reason):
        task_id = chosen(list(self.model.tasks), pick)
        real = outcome(self.queue.mark_as_cancelled, task_id, reason=reason)
        assert real == outcome(self.model.mark_as_cancelled, task_id, reason)

    @rule(pick=picks)
    def cancel_running(self, pick):
        if running := self.at_work():
            task_id = chosen(running, pick).id
            assert self.queue.mark_as_cancelled(task_id) == self.model.mark_as_cancelled(task_id, None) == PROCESSING

    @rule(pick=picks)
    @precondition(lambda self: self.model.in_state(TaskState.DISCARDED))
    def resume_one(self, pick):
        task_id = chosen(self.model.in_state(TaskState.DISCARDED), pick).id
        assert self.queue.mark_as_resume(task_id) is self.model.mark_as_resume(task_id) is None

    @rule(verb=st.sampled_from(["cancel", "resume", "resume", "reprioritize"]), group_id=st.sampled_from(GROUPS))
    def steer_group(self, verb, group_id):
        level = (4,) if verb == "reprioritize" else ()
        real = getattr(self.queue, verb)(*level, group_id=group_id)
        assert sorted(real) == sorted(getattr(self.model, verb)(*level, group_id=group_id))

    @rule(level=st.sampled_from([0, 4, 10]), pick=picks)
    @precondition(lambda self: self.model.tasks)
    def reprioritize_or_resume_any(self, level, pick):
        task_id = chosen(list(self.model.tasks), pick)
        assert set(self.queue.reprioritize(level, task=task_id)) == self.model.reprioritize(level, task_id=task_id)
        assert outcome(self.queue.mark_as_resume, task_id) == outcome(self.model.mark_as_resume, task_id)

    @rule(key=st.sampled_from(NAMES + GROUPS))
    def pause_or_unpause(self, key):
        kind, paused = ("name", self.model.paused_names) if key in NAMES else ("group_id", self.model.paused_groups)
        (self.queue.unpause if key in paused else self.queue.pause)(**{kind: key})
        paused ^= {key}

    @rule(elapsed=seconds, timeout=patience)
    def rescue(self, elapsed, timeout):
        self.clock.advance(elapsed)
        assert sorted(self.queue.rescue(timeout)) == sorted(self.model.rescue(timeout and timeout * 1000))

    @rule(elapsed=st.sampled_from([0.001, 600, 1200]))
    def promote(self, elapsed):
        self.clock.advance(elapsed)
        assert self.queue.promote() == self.model.promote()

    @rule(older_than=st.sampled_from([0, 100, 1000, 1000]), is_purged=st.sampled_from([False, False, True]))
    def tidy(self, older_than, is_purged):
        if is_purged:
            assert self.queue.purge([TaskState.DISCARDED]) == self.model.purge_discarded()
        assert self.queue.cleanup(older_than) == self.model.cleanup(older_than * 1000)

    @rule(elapsed=seconds)
    def time_passes(self, elapsed):
        self.clock.advance(elapsed)

    # -- comparison

    @invariant()
    def every_task_is_as_it_should_be(self):
        real = {task.id: seen(task) for task in self.queue.list(limit=1000)}
        assert real == {record.id: expected(self.model, record) for record in self.model.tasks.values()}

    @invariant()
    def counts_add_up(self):
        assert self.queue.counts() == self.model.counts()
        assert self.queue.counts("g") == self.model.counts("g")

    @invariant()
    def snapshot_agrees(self):
        snapshot = self.queue.snapshot()
        right = self.model.snapshot()
        assert snapshot.model_dump(include=right.keys()) == right
        counted = {name: total - self.counted.get(name, 0) for name, total in snapshot.counters.items()}
        assert {name: n for name, n in counted.items() if n} == {n: v for n, v in self.model.counters.items() if v}

    def held(self) -> list[Task]:
        return [task for task in self.handouts if self.model.holds(task.id, task.lease)]

    def late(self) -> list[Task]:
        """What workers still think that they hold, but a rescue, another claim or an operator took it from them."""
        lost = [t for t in self.handouts if t.id in self.model.tasks and not self.model.holds(t.id, t.lease)]
        return [task for task in lost if not self.model._is_done(task.id, task.lease)]

    def some(self, picked: Sequence[int], is_late: bool) -> list[Task]:
        """Choose tasks that workers hold, or also such as they have lost, each only once."""
        pool = (self.handouts if is_late else self.at_work())[::-1]
        return list({task.id: task for task in (chosen(pool, pick) for pick in picked if pool)}.values())


def chosen(things: Sequence[Any], pick: int) -> Any:
    return things[pick % len(things)]


def pairs(tasks: Sequence[Task]) -> list[tuple[str, int]]:
    return [(task.id, task.lease) for task in tasks]


def outcome(call: Callable[..., Any], *arguments: Any, **named: Any) -> tuple[Any, Any]:
    """Return (None, what came back), or the error's type and what it knows."""
    try:
        return None, call(*arguments, **named)
    except QueueError as error:
        return type(error), {name: fact for name, fact in vars(error).items() if name != "reason"}


def seen(task: Task) -> dict[str, Any]:
    """Return what the contract promises about a task; what it leaves open in a state is left out."""
    is_open, is_running = task.state in OPEN, task.state is PROCESSING
    return {
        "state": task.state,
        "lease": task.lease,
        "attempt_count": task.attempt_count,
        "priority": task.priority,
        "effective_priority": task.effective_priority if is_open else None,
        "due_at": task.due_at,
        "blockers": task.blockers if is_open else None,
        "worker_id": task.worker_id if is_open else None,
        "alive_at": task.schedule_at if is_running else None,
        "attempted_at": task.attempted_at is not None if is_running else None,
        "is_cancel_requested": task.cancel_requested_at is not None if is_open else None,
        "is_paused": task.paused if is_open else None,
        "errors": [(error.attempt, error.type, error.at) for error in task.errors],
        "result": task.result,
        "finalized_at": task.finalized_at,
    }


def expected(model: Model, record: Record) -> dict[str, Any]:
    is_open, is_running = record.state in OPEN, record.state is PROCESSING
    return {
        "state": record.state,
        "lease": record.lease,
        "attempt_count": record.attempt_count,
        "priority": record.priority,
        "effective_priority": record.effective_priority if is_open else None,
        "due_at": record.due_at,
        "blockers": len(record.unmet) if is_open else None,
        "worker_id": record.worker_id if is_open else None,
        "alive_at": record.alive_at if is_running else None,
        "attempted_at": True if is_running else None,
        "is_cancel_requested": record.is_cancel_requested if is_open else None,
        "is_paused": record.group_id in model.paused_groups if is_open else None,
        "errors": record.errors,
        "result": record.result,
        "finalized_at": record.finalized_at,
    }


@pytest.fixture(params=EXAMPLES)
def machine_settings(request: pytest.FixtureRequest) -> tuple[str, settings]:
    kind = request.param
    url = "memory://" if kind == "memory" else request.getfixturevalue(f"{kind}_url")
    return url, settings(
        max_examples=EXAMPLES[kind], stateful_step_count=STEPS, suppress_health_check=list(HealthCheck)
    )


def test_every_store_behaves_like_the_model(machine_settings: tuple[str, settings], clock: ManualClock):
    url, how = machine_settings
    with Queue.open(url, config=CONFIG, clock=clock) as queue:
        run_state_machine_as_test(partial(QueueMachine, queue, clock), settings=how)
