"""What can workers and operators do to a queue, in any order?

Each rule does one thing to the queue and to the model, and compares what they answer. Hypothesis
leaves out some of the rules in each example, so every rule sees to it that it has something to work on.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from queue_core import InvalidRequest, InvalidTask, LeaseLost, Task

from .plans import GROUPS, HUNGRY, NAMES, Plan, patience, picks, plans, seconds, several, ways, wishes
from .records import CANCELLED, COMPLETED, DISCARDED, PROCESSING
from .side_by_side import SideBySide, chosen, expected, outcome, pairs, seen

MOST_TASKS = 30


class IntakeMoves(SideBySide):
    """Tasks come in."""

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

    def tasks_of(self, batch: Sequence[Plan]) -> list[Task]:
        ids: list[str] = []
        for plan in batch:
            ids.append(self.id_of(plan, ids))
        return [self.task_of(plan, ids, place) for place, plan in enumerate(batch)]

    def id_of(self, plan: Plan, earlier: Sequence[str]) -> str:
        gone = [task.id for task in self.handouts if task.id not in self.model.tasks]
        pool = {"new": (), "known": list(self.model.tasks), "twin": earlier, "gone": gone}[plan["identity"]]
        return chosen(pool, len(earlier)) if pool else self.next_id(plan["letter"])

    def task_of(self, plan: Plan, ids: Sequence[str], place: int) -> Task:
        fields = {key: plan[key] for key in plan if key in Task.model_fields}
        depends_on = tuple(chosen(self.pool(kind, ids, place), pick) for kind, pick in plan["after"])
        due_at = None if plan["delay"] is None else self.clock.now_ms() + 1000 * plan["delay"]
        return Task(id=ids[place], **fields, depends_on=depends_on, schedule_at=due_at)

    def pool(self, kind: str, ids: Sequence[str], place: int) -> Sequence[str]:
        """Return what a task may wait for: sensible things, or `any`, where circles and dead ends are too."""
        alive = [record.id for record in self.model.tasks.values() if record.state is not CANCELLED]
        dead = [record.id for record in self.model.in_state(CANCELLED)]
        done = [record.id for record in self.model.in_state(COMPLETED)]
        anything = ["unheard-of", *dead, *ids]
        pools = {"earlier": ids[:place], "known": alive, "done": done, "any": anything}
        return pools[kind] or ids[:place] or alive or anything

    def enqueue_family(self) -> None:
        """Two tasks that anybody can run, and one that waits for both."""
        if len(self.model.tasks) < MOST_TASKS:
            parents = [Task(id=self.next_id("d"), name=name, group_id="g", priority=9) for name in NAMES]
            child = Task(id=self.next_id("d"), name="a", priority=9, depends_on=tuple(task.id for task in parents))
            family = [*parents, child]
            assert self.queue.enqueue(family) == self.model.enqueue(family) == [task.id for task in family]


class ClaimMoves(IntakeMoves):
    """Workers get tasks."""

    @rule(wish=wishes)
    def dequeue(self, wish):
        self.hand_out(self.queue.dequeue(**vars(wish)), self.model.dequeue(wish))

    @rule(wish=wishes, start=st.sampled_from([None, None, 0, 1]))
    def claim(self, wish, start=None):
        self.hand_out(self.queue.claim(**vars(wish), start=start), self.model.claim(wish, start))

    @rule(wish=wishes, elapsed=seconds, timeout=patience, most=st.sampled_from([None, None, 1, 5]))
    def retry(self, wish, elapsed, timeout, most):
        self.clock.advance(elapsed)
        real = self.queue.retry(visibility_timeout=timeout, max_attempts=most, **vars(wish))
        self.hand_out(real, self.model.retry(wish, timeout and timeout * 1000, most))

    @rule(elapsed=seconds, timeout=patience)
    def rescue(self, elapsed, timeout):
        self.clock.advance(elapsed)
        assert sorted(self.queue.rescue(timeout)) == sorted(self.model.rescue(timeout and timeout * 1000))

    def hand_out(self, claimed: Sequence[Task], right: Sequence[str]) -> None:
        assert [task.id for task in claimed] == right
        assert [seen(task) for task in claimed] == [expected(self.model.tasks[i], self.model) for i in right]
        self.handouts += claimed
        self.remembered |= {task.id: task.lease for task in claimed}

    def at_work(self) -> list[Task]:
        """Return what workers hold; where they hold nothing they claim first, and if in vain, something comes in."""
        if not self.held():
            self.claim(HUNGRY)
        if not self.held():
            self.enqueue_family()
            self.claim(HUNGRY)
        return self.held()

    def some(self, picked: Sequence[int], is_late: bool) -> list[Task]:
        """Choose tasks that workers hold, or also such as they have lost, each only once."""
        pool = (self.handouts if is_late else self.at_work())[::-1]
        return list({task.id: task for task in (chosen(pool, pick) for pick in picked if pool)}.values())


class ReportMoves(ClaimMoves):
    """Workers say what became of their tasks, in time or late."""

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

    def report(self, tasks: Sequence[Task], pick: int, way: str, verb: str, real: Plan, right: Plan) -> None:
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


class OperatorMoves(ReportMoves):
    """Operators steer, and time passes."""

    @rule(pick=picks, reason=st.sampled_from([None, "unwanted"]))
    @precondition(lambda self: self.model.tasks)
    def cancel_one(self, pick, reason):
        task_id = chosen(list(self.model.tasks), pick)
        real = outcome(self.queue.mark_as_cancelled, task_id, reason=reason)
        assert real == outcome(self.model.mark_as_cancelled, task_id, reason)

    @rule(pick=picks, ending=st.sampled_from(["fail", "release", "silence", None]))
    def cancel_running(self, pick, ending):
        """An operator asks, by preference for something that others wait for; its worker may notice."""
        awaited = [task for task in self.at_work() if self.model.waiting_for(task.id)]
        if running := awaited or self.held():
            task = chosen(running, pick)
            real = self.queue.mark_as_cancelled(task.id)
            assert real is self.model.mark_as_cancelled(task.id, None) is PROCESSING
            self.notice(task, ending)

    def notice(self, task: Task, ending: str | None) -> None:
        if ending == "fail":
            self.report([task], 0, "task", "mark_as_retry", {"error": "stopped"}, {"delay": None})
        elif ending == "release":
            assert self.queue.release([task]) == self.model.release(pairs([task]), 0) == []
            self.drop([task])
        elif ending == "silence":
            self.rescue(61, None)

    @rule(pick=picks)
    def resume_one(self, pick):
        if not self.model.in_state(DISCARDED):
            self.discard(pick, "task", None)
        if discarded := self.model.in_state(DISCARDED):
            task_id = chosen(discarded, pick).id
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

    @rule(name=st.sampled_from(NAMES), per_minute=st.sampled_from([None, 1, 2, 1000]), elapsed=seconds)
    def limit(self, name, per_minute, elapsed):
        """Workers use the limit up, and come back after a while."""
        self.queue.limit(name, per_minute=per_minute)
        self.model.limit(name, per_minute)
        self.claim(HUNGRY)
        self.clock.advance(elapsed)
        self.claim(HUNGRY)

    @rule(elapsed=st.sampled_from([0.001, 600, 1200]))
    def promote(self, elapsed):
        self.clock.advance(elapsed)
        assert self.queue.promote() == self.model.promote()

    @rule(older_than=st.sampled_from([0, 100, 1000, 1000]), is_purged=st.sampled_from([False, False, True]))
    def tidy(self, older_than, is_purged):
        if is_purged:
            assert self.queue.purge([DISCARDED]) == self.model.purge_discarded()
        assert self.queue.cleanup(older_than) == self.model.cleanup(older_than * 1000)

    @rule(elapsed=seconds)
    def time_passes(self, elapsed):
        self.clock.advance(elapsed)
