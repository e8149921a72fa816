"""What can be asked of a queue?"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from queue_core.backends.base import Filter
from queue_core.errors import BackendUnavailable, InvalidRequest
from queue_core.handle import Handle, check_size, check_text, id_of
from queue_core.reports import GroupReport, Health, Snapshot
from queue_core.states import TaskState
from queue_core.task import Task


class ReaderSide(Handle):
    """The questions that a queue answers; none of them changes or locks a task."""

    def get(self, task: Task | str) -> Task:
        """Return a task as it is now; raises TaskNotFound."""
        return self._backend("get").get(id_of(task))

    def list(  # noqa: PLR0913 (one keyword per filter)
        self,
        *,
        state: TaskState | None = None,
        name: str | None = None,
        group_id: str | None = None,
        tag: Mapping[str, str] | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> list[Task]:
        """Return a page of tasks in the order of ids; `after` is the last id of the page before."""
        check_size("limit", limit)
        for argument, value in (("name", name), ("group_id", group_id), ("after", after)):
            if value is not None:
                check_text(argument, value)
        try:
            chosen = None if state is None else TaskState(state)
        except ValueError as error:
            raise InvalidRequest("state", str(error)) from error
        if tag is not None and not isinstance(tag, Mapping):
            raise InvalidRequest("tag", f"{tag!r:.50} is no mapping of tags to values")
        return self._backend("list").list(Filter(chosen, name, group_id, dict(tag or {}), limit, after))

    def counts(self, group_id: str | None = None) -> dict[TaskState, int]:
        """Return how many tasks, of all or of a group, are in each state."""
        if group_id is not None:
            check_text("group_id", group_id)
        return self._backend("counts").counts(group_id)

    def is_at_rest(self, group_id: str) -> bool:
        """Return whether nothing of a group runs, nor will before somebody does something: resume, unpause, enqueue."""
        check_text("group_id", group_id)
        return self._backend("is_at_rest").is_at_rest(group_id)

    def groups(self, group_ids: Iterable[str]) -> dict[str, GroupReport]:
        """Return how groups stand, all at one instant; one that has no tasks is at rest."""
        wanted = list(group_ids)
        for group_id in wanted:
            check_text("group_ids", group_id)
        return self._backend("groups").groups(wanted)

    def snapshot(self) -> Snapshot:
        """Return the queue at one instant: depth, ready, scheduled, blocked, rates, counters."""
        return self._backend("snapshot").snapshot(self._is_shut_down)

    def position(self, task: Task | str) -> int | None:
        """Return how many claimable tasks stand before a waiting one; None where it does not wait."""
        return self._backend("position").position(id_of(task))

    def health(self) -> Health:
        """Return whether the store answers; never raises because it does not."""
        backend = self._backend("health")
        asked_at = time.perf_counter()
        try:
            version, schema_version = backend.versions()
        except BackendUnavailable as error:
            return Health(ok=False, backend=backend.url, error=error.reason)
        latency = (time.perf_counter() - asked_at) * 1000
        return Health(ok=True, backend=backend.url, version=version, schema_version=schema_version, latency_ms=latency)
