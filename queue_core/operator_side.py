"""What does an operator do with a queue: steer it and keep it healthy?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from queue_core.errors import InvalidRequest
from queue_core.handle import Handle, check_not_negative, check_positive, check_size, check_text, id_of
from queue_core.states import FINAL, TaskState
from queue_core.task import Task


class OperatorSide(Handle):
    """The operations that steer tasks from outside, and the upkeep that workers run by themselves."""

    def mark_as_cancelled(self, task: Task | str, *, reason: str | None = None) -> TaskState:
        """Call a task off, with all that waits for it; return CANCELLED, or PROCESSING where its worker was asked."""
        return self._backend("mark_as_cancelled").cancel_one(id_of(task), reason)

    def mark_as_resume(self, task: Task | str) -> None:
        """Bring a discarded task back: attempts renewed, errors and lease kept."""
        self._backend("mark_as_resume").resume_one(id_of(task))

    def cancel(self, *, group_id: str) -> list[str]:
        """Call off all open tasks of a group; return those that were cancelled or asked to stop."""
        check_text("group_id", group_id)
        return self._backend("cancel").cancel_group(group_id)

    def resume(self, *, group_id: str) -> list[str]:
        """Bring all discarded tasks of a group back; return them."""
        check_text("group_id", group_id)
        return self._backend("resume").resume_group(group_id)

    def reprioritize(
        self, priority: int | str, *, task: Task | str | None = None, group_id: str | None = None
    ) -> list[str]:
        """Give a waiting task, or the waiting ones of a group, another priority; return which."""
        level = self.config.level(priority)
        if level is None:
            raise InvalidRequest("priority", f"{priority!r} is not one of {self.config.known_priorities()}")
        if (task is None) == (group_id is None):
            raise InvalidRequest("task", "name either a task or a group_id")
        if group_id is not None:
            check_text("group_id", group_id)
        return self._backend("reprioritize").reprioritize(level, None if task is None else id_of(task), group_id)

    def pause(self, *, name: str | None = None, group_id: str | None = None) -> None:
        """Hand out no more tasks of a name or a group; what runs goes on."""
        self._set_pause("pause", name, group_id, True)

    def unpause(self, *, name: str | None = None, group_id: str | None = None) -> None:
        """Hand tasks of a name or a group out again."""
        self._set_pause("unpause", name, group_id, False)

    def _set_pause(self, operation: str, name: str | None, group_id: str | None, paused: bool) -> None:
        if (name is None) == (group_id is None):
            raise InvalidRequest("name", "name either a name or a group_id")
        kind, key = ("name", name) if group_id is None else ("group", group_id)
        check_text(kind, key or "")
        self._backend(operation).set_pause(kind, key or "", paused)

    def limit(self, name: str, *, per_minute: int | None) -> None:
        """Let all workers together claim at most this many tasks of a name in any minute; None lifts the limit."""
        check_text("name", name)
        if per_minute is not None:
            check_size("per_minute", per_minute)
        self._backend("limit").set_limit(name, per_minute)

    def rescue(self, visibility_timeout: float | None = None) -> list[str]:
        """Free the tasks whose worker fell silent for another attempt; return them."""
        if visibility_timeout is not None:
            check_positive("visibility_timeout", visibility_timeout)
        rescued: list[str] = []
        while batch := self._backend("rescue").rescue(visibility_timeout):
            rescued += batch
        return rescued

    def promote(self) -> int:
        """Lift the tasks that have waited long; return how many steps up were made."""
        levels, promote = self.config.priorities, self._backend("promote").promote
        rules = ((levels[rule.source], levels[rule.target], rule.after_seconds) for rule in self.config.promotions)
        return sum(_repeat(promote, *rule) for rule in rules)

    def cleanup(self, older_than: float | None = None, states: Iterable[TaskState] | None = None) -> int:
        """Delete the tasks that ended more than `older_than` seconds ago (None: the configured retention).

        Tasks that others wait for, and those whose idempotency key still counts, are spared.
        """
        if older_than is not None:
            check_not_negative("older_than", older_than)
        chosen = self._states("states", states, FINAL)
        if not chosen <= FINAL:
            raise InvalidRequest("states", "only tasks in a final state can be cleaned up")
        ages = {state: self.config.retention.get(state) if older_than is None else older_than for state in chosen}
        cleanup = self._backend("cleanup").cleanup
        return sum(_repeat(cleanup, state, age) for state, age in sorted(ages.items()) if age is not None)

    def purge(self, states: Iterable[TaskState] | None = None) -> int:
        """Delete every task, or every one in these states; what waits for a deleted task is cancelled."""
        chosen = self._states("states", states, frozenset(TaskState))
        return sum(_repeat(self._backend("purge").purge, state) for state in sorted(chosen))

    @staticmethod
    def _states(
        argument: str, states: Iterable[TaskState] | None, default: frozenset[TaskState]
    ) -> frozenset[TaskState]:
        try:
            return default if states is None else frozenset(map(TaskState, states))
        except (ValueError, TypeError) as error:
            raise InvalidRequest(argument, f"{states!r}: {error}") from error


def _repeat(step: Callable[..., int], *arguments: Any) -> int:
    """Take a bounded step again and again until it finds nothing more to do."""
    total = 0
    while done := step(*arguments):
        total += done
    return total
