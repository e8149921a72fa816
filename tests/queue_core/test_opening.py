"""What happens when a store is opened, or can't be."""

import os
import sqlite3
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from queue_core import BackendUnavailable, InvalidRequest, Queue, QueueConfig, SchemaTooNew, Task, WorkerRecord
from queue_core.backends.migrations import MIGRATIONS, migrate, version_of


def test_the_folder_of_a_new_store_is_made(tmp_path):
    with Queue.open(f"sqlite:///{tmp_path}/new/folder/queue.db") as queue:
        queue.enqueue([Task()])
    assert (tmp_path / "new/folder/queue.db").exists()


def test_the_url_may_come_from_the_settings(sqlite_url, tmp_path):
    with Queue.open(config=QueueConfig(database_url=sqlite_url)) as queue:
        queue.enqueue([Task()])
    assert (tmp_path / "queue.db").exists()


def test_two_queues_in_memory_are_two():
    with Queue.open("memory://") as one, Queue.open("memory://") as other:
        one.enqueue([Task()])
        assert other.list() == []


@pytest.mark.parametrize("url", ["mysql://host/db", "queue.db", "", "://", "redis://x"])
def test_an_unknown_kind_of_store_is_refused(url):
    with pytest.raises(InvalidRequest, match=r"url: .* use sqlite:///path\.db, memory://"):
        Queue.open(url or "nothing")


def test_a_newer_schema_is_refused(queue, make_queue, url):
    with queue.transaction() as connection:
        connection.execute(text("INSERT INTO schema_versions VALUES (99, 0)"))
        with pytest.raises(
            SchemaTooNew, match=f"its schema has version 99, this code knows {len(MIGRATIONS)}: upgrade"
        ):
            migrate(connection, url, 0)
    if queue._store.capabilities.is_shared:
        with pytest.raises(SchemaTooNew):
            make_queue()


def test_the_schema_migrates_forward_and_keeps_the_tasks(queue, clock):
    (task_id,) = queue.enqueue([Task(name="old")])

    def add_column(connection):
        connection.execute(text("ALTER TABLE tasks ADD COLUMN flavour TEXT DEFAULT 'plain'"))

    with queue.transaction() as connection:
        migrate(connection, "here", clock.now_ms(), (*MIGRATIONS, add_column))
    with queue.transaction() as connection:
        assert version_of(connection) == len(MIGRATIONS) + 1
        assert connection.execute(text("SELECT name, flavour FROM tasks")).all() == [("old", "plain")]
        versions = connection.execute(text("SELECT version, applied_at FROM schema_versions ORDER BY version")).all()
    assert [version for version, _ in versions] == list(range(1, len(MIGRATIONS) + 2))
    assert queue.get(task_id).name == "old"


def test_a_migration_that_fails_changes_nothing(queue):
    def broken(connection):
        connection.execute(text("CREATE TABLE half_done (id INTEGER)"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), queue.transaction() as connection:
        migrate(connection, "here", 0, (*MIGRATIONS, broken))
    with queue.transaction() as connection:
        assert version_of(connection) == len(MIGRATIONS)
        assert not inspect(connection).has_table("half_done")


def test_a_foreign_table_of_the_same_name_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE tasks (title TEXT)")
    with pytest.raises(BackendUnavailable, match="a table `tasks` that is not this queue's"):
        Queue.open(f"sqlite:///{path}")
    assert [row[1] for row in connection.execute("PRAGMA table_info(tasks)")] == ["title"]
    connection.close()


def test_an_unreachable_server_is_named_without_its_password():
    with pytest.raises(BackendUnavailable) as caught:
        Queue.open("postgresql://user:secret@127.0.0.1:1/none?connect_timeout=2")
    assert "127.0.0.1:1/none" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert caught.value.can_retry


def test_a_path_that_cannot_be_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BackendUnavailable, match=r"file/queue\.db"):
        Queue.open(f"sqlite:///{tmp_path}/file/queue.db")


def test_a_file_that_is_no_database_is_named(tmp_path):
    path = tmp_path / "notes.db"
    path.write_bytes(b"These are notes, and no database at all. " * 100)
    with pytest.raises(BackendUnavailable, match=r"notes\.db: file is not a database"):
        Queue.open(f"sqlite:///{path}")


def test_a_read_only_server_refuses_clearly(postgres_url):
    Queue.open(postgres_url).close()
    with (
        Queue.open(f"{postgres_url}%20-cdefault_transaction_read_only%3Don") as queue,
        pytest.raises(BackendUnavailable, match="read-only"),
    ):
        queue.enqueue([Task()])


def test_a_read_only_file_refuses_clearly():
    """Root may write anything, so the attempt is made by a child that is nobody."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "queue.db")
        url = f"sqlite:///{path}"
        with Queue.open(url) as queue:
            queue.enqueue([Task()])
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        said = _as_nobody(url)
        Path(folder).chmod(0o700)
    assert said.startswith("BackendUnavailable")
    assert str(path) in said


def _as_nobody(url: str) -> str:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        if os.geteuid() == 0:
            os.setuid(65534)
        try:
            with Queue.open(url) as queue:
                queue.enqueue([Task()])
            said = "enqueued"
        except Exception as error:  # noqa: BLE001
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(pid, 0)
    with os.fdopen(reader) as pipe:
        return pipe.read()


def test_a_locked_file_is_waited_for_and_then_named(sqlite_url, tmp_path):
    with Queue.open(sqlite_url, config=QueueConfig(lock_timeout=0.05)) as queue:
        other = sqlite3.connect(tmp_path / "queue.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(BackendUnavailable, match=r"other writers were in the way for 0\.05 s") as caught:
            queue.enqueue([Task()])
        assert caught.value.can_retry
        with pytest.raises(BackendUnavailable), queue.transaction():
            pass
        with queue.reading() as connection:
            assert connection.execute(text("SELECT count(*) FROM tasks")).scalar_one() == 0
        assert queue.counts()
        other.execute("ROLLBACK")
        queue.enqueue([Task()])
        other.close()


def test_a_queue_opened_before_a_fork_is_refused_in_the_child(shared_url):
    with Queue.open(shared_url) as queue:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                queue.enqueue([Task()])
                said = b"enqueued"
            except BackendUnavailable as error:
                said = str(error).encode()
            os.write(writer, said)
            os._exit(0)
        os.close(writer)
        os.waitpid(pid, 0)
        with os.fdopen(reader) as pipe:
            assert "opened before a fork" in pipe.read()
        queue.enqueue([Task()])


def test_health_reports_a_store_that_is_gone(postgres_server):
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as admin:
        admin.execute("CREATE DATABASE doomed")
        queue = Queue.open(postgres_server.replace("/postgres?", "/doomed?"))
        admin.execute("DROP DATABASE doomed WITH (FORCE)")
        found = queue.health()
        assert not found.ok
        assert found.error
        queue.close()


def test_a_cut_connection_is_replaced(postgres_url, postgres_server):
    import psycopg

    url = f"{postgres_url}&application_name=to_be_cut"
    with Queue.open(url) as queue, psycopg.connect(postgres_server, autocommit=True) as admin:
        queue.enqueue([Task()])
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to_be_cut'")
        with pytest.raises(BackendUnavailable) as caught:
            queue.enqueue([Task()])
        assert caught.value.can_retry
        queue.enqueue([Task()])
        assert len(queue.claim()) == 2


OLD = {"tasks": ["progress"], "workers": ["machine", "process_start", "stop_requested_at"]}


def test_a_store_of_the_first_version_gets_what_workers_need(shared_url):
    task = Task(name="old")
    with Queue.open(shared_url) as queue, queue.transaction() as connection:
        queue.enqueue([task], connection=connection)
        for table, columns in OLD.items():
            for column in columns:
                connection.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        connection.execute(text("DROP TABLE turns"))
        connection.execute(text("DELETE FROM schema_versions WHERE version = 2"))
    with Queue.open(shared_url) as queue:
        assert queue.health().schema_version == len(MIGRATIONS)
        assert queue.take_turn("maintenance", "w", seconds=1)
        assert not queue.record_worker(WorkerRecord(id="w", host="h", pid=1, started_at=1))
        (held,) = queue.claim(1)
        assert queue.heartbeat([held], progress={held.id: {"done": 1}}) == []
        assert queue.get(task).progress == {"done": 1}
