"""Which workers are there, are they alive, and who does what only one should do?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from queue_core.backends.base import ClaimRequest
from queue_core.errors import InvalidRequest
from queue_core.handle import Handle, check_positive, check_text, texts
from queue_core.reports import Outlook, WorkerRecord
from queue_core.states import TaskState


class RegistrySide(Handle):
    """The registry of workers."""

    def record_worker(self, worker: WorkerRecord) -> bool:
        """Write a worker's sign of life into the registry; return whether it was asked to stop."""
        return self._backend("record_worker").record_worker(_checked(worker))

    def forget_worker(self, worker_id: str) -> None:
        """Take a worker that ended out of the registry."""
        check_text("worker_id", worker_id)
        self._backend("forget_worker").forget_worker(worker_id)

    def stop_worker(self, worker_id: str) -> bool:
        """Ask a worker to finish what it runs and stop; False where no such worker lives."""
        check_text("worker_id", worker_id)
        return self._backend("stop_worker").stop_worker(worker_id)

    def workers(self) -> Sequence[WorkerRecord]:
        """Return the workers that are known."""
        return self._backend("workers").workers()

    def bury(self, worker: WorkerRecord, error: BaseException | str) -> dict[str, TaskState] | None:
        """Mark a worker as dead and make its tasks claimable at once; return where each went.

        None where another did so already, or where the worker gave a sign of life after this record.
        """
        return self._backend("bury").bury(_checked(worker), error)

    def take_turn(self, name: str, holder: str, *, seconds: float) -> bool:
        """Return whether it is this holder's turn at something that one does at a time; it then is for so long."""
        check_text("name", name)
        check_text("holder", holder)
        check_positive("seconds", seconds)
        return self._backend("take_turn").take_turn(name, holder, seconds)

    def outlook(self, *, names: Iterable[str] | None = None, capabilities: Iterable[str] = ()) -> Outlook:
        """Return what is left for a worker, now and later, and what no live worker can take."""
        wanted = None if names is None else texts("names", names)
        request = ClaimRequest(1, names=wanted, capabilities=texts("capabilities", capabilities))
        return self._backend("outlook").outlook(request)


def _checked(worker: WorkerRecord) -> WorkerRecord:
    if not isinstance(worker, WorkerRecord):
        raise InvalidRequest("worker", f"{worker!r:.50} is no WorkerRecord")
    return worker
