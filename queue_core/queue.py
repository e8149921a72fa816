"""How is a queue opened, filled and closed?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

from queue_core.clock import Clock
from queue_core.config import QueueConfig
from queue_core.errors import QueueClosed
from queue_core.handle import iterated
from queue_core.operator_side import OperatorSide
from queue_core.reader_side import ReaderSide
from queue_core.registry_side import RegistrySide
from queue_core.task import Task
from queue_core.worker_side import WorkerSide


class Queue(WorkerSide, OperatorSide, ReaderSide, RegistrySide):
    """A durable queue of tasks, safe to use from many threads and many processes.

    Opened before a fork, it must be opened again in the child.
    """

    @classmethod
    def open(cls, url: str | None = None, config: QueueConfig | None = None, clock: Clock | None = None) -> Self:
        """Open `sqlite:///path.db`, `memory://` or `postgresql://…`, making or migrating its tables as needed.

        Raises InvalidRequest for another kind of URL, BackendUnavailable where the store can't be used.
        """
        # The drivers' toolkit takes longer to import than all the rest, and a command may end without a queue.
        from queue_core.backends.open import open_backend  # noqa: PLC0415

        settings = config or QueueConfig()
        return cls(open_backend(url or settings.database_url, settings, clock), settings)

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """Open a transaction for the caller's own SQL and `enqueue(connection=)`: both happen, or neither.

        Yields an SQLAlchemy connection. Who waits for tasks is woken after the commit.
        """
        with self._backend("transaction").transaction() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Open a transaction for the caller's own queries, which sees one state of the store and changes nothing.

        Yields an SQLAlchemy connection. The store refuses a write in it; the queue's own are for after it. It
        waits for no writer, but in memory://, whose one connection reads and writes by turns.
        """
        with self._backend("reading").reading() as connection:
            yield connection

    def enqueue(self, tasks: Iterable[Task], *, connection: Any = None) -> list[str]:
        """Insert all tasks, or none; return their ids. Many are best given one by one, by a generator.

        A known id, or a known idempotency key inside its window, inserts nothing, and the id of the
        first comes back. Raises InvalidTask naming the task and the field, and QueueFull.
        """
        backend = self._backend("enqueue")
        if self._is_shut_down:
            raise QueueClosed("enqueue")
        return backend.enqueue(iterated("tasks", tasks), connection)

    def shutdown(self) -> None:
        """Take in nothing more, here: enqueue is refused, and who waits for tasks comes back."""
        self._is_shut_down = True
        self._store.signal.notify()

    def close(self) -> None:
        """Shut down and close every connection; a second time does nothing."""
        if not self._is_closed:
            self.shutdown()
            self._is_closed = True
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
