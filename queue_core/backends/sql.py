"""What do SQLite and PostgreSQL share as backends of the queue?

Each verb is a step, a function of a transaction; the subclass opens the transaction.
"""

from __future__ import annotations

import os
import random
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from sqlalchemy import Connection, RootTransaction
from sqlalchemy.exc import DBAPIError

from queue_core.backends import (
    claiming,
    enqueueing,
    finishing,
    outlook,
    promoting,
    reading,
    recovering,
    registering,
    removing,
    rescuing,
    settling,
    steering,
)
from queue_core.backends.base import Backend, ClaimRequest, Filter, Held, Recovery
from queue_core.backends.dialect import Driver, Sql, Transaction
from queue_core.config import QueueConfig
from queue_core.endings import Ending, Settled
from queue_core.errors import BackendUnavailable, InvalidRequest
from queue_core.reports import GroupReport, Outlook, Snapshot, WorkerRecord
from queue_core.states import TaskState
from queue_core.task import Task

Result = TypeVar("Result")
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.02
"""Of a writer that found another in its way, in seconds. Shorter ones cost more than they win: four processes on one
SQLite file kept 0.73 of the throughput of one process at 0.2 to 10 ms, and 0.88 at these (five runs each)."""


@dataclass(frozen=True)
class Joined:
    """The transaction of the caller's that is open in a thread."""

    connection: Connection
    tx: Transaction | None
    """What the queue's own steps join; None where it only reads."""


class Contended(Exception):
    """Another writer was in the way: the whole step may be tried again."""


class SqlBackend(Backend):
    """A store in an SQL database."""

    sql: ClassVar[Sql]
    driver_errors: ClassVar[tuple[type[Exception], ...]]

    def __init__(self, url: str, config: QueueConfig) -> None:
        self.url, self.config = url, config
        self._randomness = random.Random(config.jitter_seed)
        self._local = threading.local()
        self._pid = os.getpid()
        self._is_closed = False
        """What comes back to a pool after it was closed is closed too."""

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            raise BackendUnavailable(self.url, "opened before a fork: open the queue in the child instead")

    @abstractmethod
    def _writing(self) -> AbstractContextManager[Driver]:
        """Open a transaction for one step; raises Contended, from inside too, where it may be tried again."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Driver]:
        """Open a transaction that sees one state of the store and changes nothing."""

    @abstractmethod
    def _joinable(self) -> AbstractContextManager[tuple[Connection, Driver]]:
        """Hold a connection on which a transaction can begin that the caller's statements join."""

    @abstractmethod
    def _readable(self) -> AbstractContextManager[Connection]:
        """Hold a connection on which a transaction can begin that sees one state and in which writes are refused."""

    @abstractmethod
    def _meaning(self, error: BaseException | None) -> Exception:
        """Return what an error of the driver means: Contended or BackendUnavailable."""

    def _write(self, step: Callable[..., Result], *arguments: Any) -> Result:
        if joined := self._joined():
            reason = "only enqueue(connection=) can join" if joined.tx else "it only reads: write after it"
            raise InvalidRequest("connection", f"a transaction is open in this thread: {reason}")
        return self._patiently(lambda: self._write_once(step, arguments))

    def _write_once(self, step: Callable[..., Result], arguments: Sequence[Any]) -> Result:
        with self._writing() as driver:
            tx = self._transaction(driver)
            result = step(tx, *arguments)
            if tx.wakes:
                self.sql.announce(tx)
        if tx.wakes:
            self.signal.notify()
        return result

    def _read(self, step: Callable[..., Result], *arguments: Any) -> Result:
        return self._patiently(lambda: self._read_once(step, arguments))

    def _read_once(self, step: Callable[..., Result], arguments: Sequence[Any]) -> Result:
        with self._reading() as driver:
            return step(self._transaction(driver), *arguments)

    def _patiently(self, attempt: Callable[[], Result]) -> Result:
        """Try until it works or the lock timeout is over, pausing longer and longer, and never in step with others."""
        deadline, pause = time.monotonic() + self.config.lock_timeout, _FIRST_PAUSE
        while True:
            try:
                return attempt()
            except Contended as error:
                if time.monotonic() > deadline:
                    reason = f"other writers were in the way for {self.config.lock_timeout:g} s"
                    raise BackendUnavailable(self.url, reason) from error
            time.sleep(random.uniform(pause / 2, pause))
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _transaction(self, driver: Driver) -> Transaction:
        shard = random.randrange(self.sql.shards) if self.sql.shards > 1 else 0
        return Transaction(driver, self.sql, self.config, self.clock.now_ms(), self._randomness, shard)

    def _joined(self) -> Joined | None:
        return getattr(self._local, "joined", None)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn what the driver raises into what the queue raises, or into Contended."""
        try:
            yield
        except DBAPIError as error:
            raise self._meaning(error.orig) from error
        except self.driver_errors as error:
            raise self._meaning(error) from error

    @contextmanager
    def _translated_once(self) -> Iterator[None]:
        """The same, for steps of a transaction that only the caller can try again."""
        try:
            with self._translated():
                yield
        except Contended as error:
            raise BackendUnavailable(self.url, f"try the whole transaction again: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        self._check_alone("transaction")
        with self._joinable() as (connection, driver):
            tx = self._transaction(driver)
            with self._begun(connection, tx) as outer:
                yield connection
                self._commit(outer, tx)
        if tx.wakes:
            self.signal.notify()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        self._check_alone("reading")
        with self._readable() as connection, self._begun(connection):
            yield connection

    def _check_alone(self, operation: str) -> None:
        if self._joined():
            raise InvalidRequest(operation, "a transaction is open in this thread already")

    @contextmanager
    def _begun(self, connection: Connection, tx: Transaction | None = None) -> Iterator[RootTransaction]:
        """Begin a transaction of the caller's; what is not committed is rolled back."""
        with self._translated_once():
            outer = connection.begin()
        self._local.joined = Joined(connection, tx)
        try:
            yield outer
        finally:
            self._local.joined = None
            if outer.is_active:
                outer.rollback()

    def _commit(self, outer: RootTransaction, tx: Transaction) -> None:
        if not outer.is_active:
            raise InvalidRequest("connection", "its transaction was ended inside: the queue itself does that")
        with self._translated_once():
            if tx.wakes:
                self.sql.announce(tx)
            outer.commit()

    def enqueue(self, tasks: Iterable[Task], connection: Any = None) -> list[str]:
        batch = enqueueing.encoded(tasks, self.config, self.clock.now_ms())
        if connection is None:
            return self._write(enqueueing.enqueue, batch) if batch.rows else []
        tx = self._joined_by(connection)
        with self._translated_once(), connection.begin_nested():
            return enqueueing.enqueue(tx, batch)

    def fence(self, task_id: str, lease: int, connection: Any) -> None:
        tx = self._joined_by(connection)
        with self._translated_once():
            finishing.fence(tx, task_id, lease)

    def _joined_by(self, connection: Any) -> Transaction:
        """Return the transaction of a caller's connection, for a step of ours to join."""
        joined = self._joined()
        if joined is None or joined.tx is None or joined.connection is not connection:
            raise InvalidRequest("connection", "it is not the one that queue.transaction() yields in this thread")
        joined.tx.now = self.clock.now_ms()
        return joined.tx

    def claim(self, request: ClaimRequest) -> list[Task]:
        return self._write(claiming.claim, request)

    def retry(self, request: ClaimRequest, visibility_timeout: float | None) -> list[Task]:
        return self._write(_rescue_and_claim, request, visibility_timeout)

    def next_due_at(self, request: ClaimRequest) -> int | None:
        return self._read(claiming.next_due_at, request)

    def complete_one(self, task_id: str, lease: int | None, result: Any) -> None:
        self._write(finishing.complete_one, task_id, lease, result)

    def complete_many(self, held: Held) -> list[str]:
        return self._write(finishing.complete_many, held)

    def fail(self, task_id: str, lease: int | None, error: BaseException | str, delay: float | None) -> TaskState:
        return self._write(finishing.fail, task_id, lease, error, delay)

    def discard(self, task_id: str, lease: int | None, error: BaseException | str | None) -> None:
        self._write(finishing.discard, task_id, lease, error)

    def settle(self, endings: Sequence[Ending], starting: Held) -> Settled:
        return self._write(settling.settle, endings, starting)

    def exchange(self, endings: Sequence[Ending], starting: Held, request: ClaimRequest) -> tuple[Settled, list[Task]]:
        return self._write(_settle_and_claim, endings, starting, request)

    def lost(self, held: Held) -> list[str]:
        return self._read(finishing.lost, held)

    def heartbeat(self, held: Held, progress: Mapping[str, Any]) -> list[str]:
        return self._write(finishing.heartbeat, held, progress)

    def release(self, held: Held, delay: float) -> list[str]:
        return self._write(finishing.release, held, delay)

    def recover(self, recovery: Recovery) -> dict[str, TaskState]:
        return self._write(recovering.recover, recovery)

    def bury(self, worker: WorkerRecord, error: BaseException | str) -> dict[str, TaskState] | None:
        return self._write(recovering.bury, worker, error)

    def cancel_one(self, task_id: str, reason: str | None) -> TaskState:
        return self._write(steering.cancel_one, task_id, reason)

    def cancel_group(self, group_id: str) -> list[str]:
        return self._write(steering.cancel_group, group_id)

    def resume_one(self, task_id: str) -> None:
        self._write(steering.resume_one, task_id)

    def resume_group(self, group_id: str) -> list[str]:
        return self._write(steering.resume_group, group_id)

    def reprioritize(self, level: int, task_id: str | None, group_id: str | None) -> list[str]:
        return self._write(steering.reprioritize, level, task_id, group_id)

    def set_pause(self, kind: str, key: str, paused: bool) -> None:
        self._write(steering.set_pause, kind, key, paused)

    def set_limit(self, name: str, per_minute: int | None) -> None:
        self._write(steering.set_limit, name, per_minute)

    def get(self, task_id: str) -> Task:
        return self._read(reading.get, task_id)

    def list(self, wanted: Filter) -> list[Task]:
        return self._read(reading.listed, wanted)

    def counts(self, group_id: str | None) -> dict[TaskState, int]:
        return self._read(reading.counts, group_id)

    def is_at_rest(self, group_id: str) -> bool:
        return self._read(reading.is_at_rest, group_id)

    def groups(self, group_ids: Sequence[str]) -> dict[str, GroupReport]:
        return self._read(reading.groups, group_ids)

    def position(self, task_id: str) -> int | None:
        return self._read(reading.position, task_id)

    def snapshot(self, shutdown: bool) -> Snapshot:
        return self._read(reading.snapshot, shutdown)

    def record_worker(self, worker: WorkerRecord) -> bool:
        return self._write(registering.record_worker, worker)

    def forget_worker(self, worker_id: str) -> None:
        self._write(registering.forget_worker, worker_id)

    def stop_worker(self, worker_id: str) -> bool:
        return self._write(registering.stop_worker, worker_id)

    def take_turn(self, name: str, holder: str, seconds: float) -> bool:
        return self._write(registering.take_turn, name, holder, seconds)

    def outlook(self, request: ClaimRequest) -> Outlook:
        return self._read(outlook.outlook, request)

    def workers(self) -> Sequence[WorkerRecord]:
        return self._read(registering.workers_known)

    def rescue(self, visibility_timeout: float | None) -> Sequence[str]:
        return self._write(rescuing.rescue, visibility_timeout)

    def promote(self, source: int, target: int, after_seconds: float) -> int:
        return self._write(promoting.promote, source, target, after_seconds)

    def cleanup(self, state: TaskState, older_than: float) -> int:
        return self._write(removing.cleanup, state, older_than)

    def purge(self, state: TaskState) -> int:
        return self._write(removing.purge, state)

    def versions(self) -> tuple[str, int]:
        return self._read(_versions)


@contextmanager
def closing_on_error(backend: Backend) -> Iterator[None]:
    """Leave no connection behind where a store can't be opened."""
    try:
        yield
    except BaseException:
        backend.close()
        raise


def _versions(tx: Transaction) -> tuple[str, int]:
    (version,) = tx.driver.execute("SELECT max(version) FROM schema_versions").fetchone()
    return tx.sql.version(tx), int(version)


def _rescue_and_claim(tx: Transaction, request: ClaimRequest, visibility_timeout: float | None) -> list[Task]:
    rescuing.rescue(tx, visibility_timeout, request)
    return claiming.claim(tx, request)


def _settle_and_claim(
    tx: Transaction, endings: Sequence[Ending], starting: Held, request: ClaimRequest
) -> tuple[Settled, list[Task]]:
    return settling.settle(tx, endings, starting), claiming.claim(tx, request)
