"""On which machine, and with which versions, were the figures taken?"""

import os
import platform
import sqlite3
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

from benchmarks.ground import Ground
from benchmarks.scale import Scale

LIBRARIES = (
    *("sqlalchemy", "psycopg", "pydantic"),
    *("huey", "persist-queue", "litequeue", "procrastinate", "pgqueuer", "asyncpg", "uvloop"),
)
_SYNC_COUNT = 200


def facts(ground: Ground, scale: Scale) -> dict[str, str]:
    """Say all that the figures depend on and that a reader can't see in them."""
    ((postgres,),) = ground.administer("SHOW server_version")
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "run": f"{scale.name}, medians of {scale.repeat_count}",
        "CPU": _cpu_model(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "one fsync": f"{_sync_micros():,.0f} µs (median, 4 KiB appended to a file)",
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "PostgreSQL": str(postgres),
        **{library: version(library) for library in LIBRARIES},
    }


def _cpu_model() -> str:
    known = Path("/proc/cpuinfo")
    lines = known.read_text().splitlines() if known.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "") or platform.processor() or platform.machine()


def _sync_micros() -> float:
    """Time what a durable commit can't do without: a disk that lies here makes FULL look cheap."""
    with TemporaryFile() as file:
        return median(_one_sync(file.fileno()) for _ in range(_SYNC_COUNT)) * 1e6


def _one_sync(handle: int) -> float:
    os.write(handle, b"\0" * 4096)
    started_at = time.perf_counter()
    os.fsync(handle)
    return time.perf_counter() - started_at
