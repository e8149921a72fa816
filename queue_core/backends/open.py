"""Which store does a URL name?"""

from __future__ import annotations

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from queue_core.backends.base import Backend
from queue_core.clock import Clock
from queue_core.config import QueueConfig
from queue_core.errors import BackendUnavailable, InvalidRequest

KNOWN = "sqlite:///path.db, memory:// or postgresql://host/database"


def open_backend(url: str, config: QueueConfig, clock: Clock | None) -> Backend:
    """Open the store behind a URL; a driver is imported only where it is needed."""
    try:
        return _open(make_url(url), config, clock)
    except (ArgumentError, ValueError, ImportError) as error:
        if isinstance(error, InvalidRequest):
            raise
        raise InvalidRequest("url", f"it can't be used ({type(error).__name__}): use {KNOWN}") from error


def _open(parsed: URL, config: QueueConfig, clock: Clock | None) -> Backend:
    kind = parsed.get_backend_name()
    if kind == "memory" or (kind == "sqlite" and parsed.database in (None, "", ":memory:")):
        from queue_core.backends.sqlite import MemoryBackend

        return MemoryBackend(URL.create("sqlite"), config, clock)
    if kind == "sqlite":
        from queue_core.backends.sqlite import SqliteBackend

        return SqliteBackend(parsed, config, clock)
    if kind in ("postgresql", "postgres"):
        try:
            from queue_core.backends.postgres import PostgresBackend
        except ImportError as error:
            reason = "psycopg is not installed: pip install 'tts-pipeline[postgres]'"
            raise BackendUnavailable(parsed.render_as_string(), reason) from error
        return PostgresBackend(parsed, config, clock)
    raise InvalidRequest("url", f"{kind!r} is not a known kind of store: use {KNOWN}")
