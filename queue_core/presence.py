"""What does the registry know of a worker?"""

from __future__ import annotations

import os
import socket
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from queue_core.ids import new_id
from queue_core.process import machine, start_time
from queue_core.queue import Queue
from queue_core.reports import WorkerRecord, WorkerStatus
from queue_core.settings import WorkerSettings


def new_worker_id() -> str:
    """Return an id that no other worker ever has, and that tells a person on which machine to look."""
    return f"{socket.gethostname()[:64]}:{new_id()}"


@cache
def own_version() -> str:
    """Return the version of this package."""
    try:
        return version("tts-pipeline")
    except PackageNotFoundError:  # used from a folder, without having been installed
        return ""


class Presence:
    """The row of one worker in the registry."""

    def __init__(self, queue: Queue, worker_id: str, settings: WorkerSettings, supervisor_pid: int | None) -> None:
        self._queue, self.worker_id = queue, worker_id
        self._record = WorkerRecord(
            id=worker_id,
            host=socket.gethostname(),
            pid=os.getpid(),
            started_at=queue.clock.now_ms(),
            version=own_version(),
            capabilities=settings.capabilities,
            capacity=max(settings.size, settings.concurrency),
            machine=machine(),
            process_start=start_time(os.getpid()),
            supervisor_pid=supervisor_pid,
            supervisor_start=None if supervisor_pid is None else start_time(supervisor_pid),
        )

    def sign(self, load: int, *, is_draining: bool) -> bool:
        """Give a sign of life; return whether somebody asked this worker to stop."""
        status = WorkerStatus.DRAINING if is_draining else WorkerStatus.ACTIVE
        return self._queue.record_worker(self._record.model_copy(update={"load": load, "status": status}))

    def leave(self) -> None:
        """Take the row out of the registry: this worker holds nothing any more."""
        self._queue.forget_worker(self.worker_id)
