"""Which queues may a setting name, and who may see all of their URL?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator

_IN_MEMORY = ("sqlite://", "sqlite:///", "sqlite:///:memory:")
_URL = re.compile(r"sqlite(\+\w+)?:///.+|postgres(ql)?(\+\w+)?://.*")


def hidden(url: str) -> str:
    """Return a URL for those who look over a shoulder: without its password."""
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", url)


def missing_file(url: str) -> str | None:
    """Return the path of an SQLite file that is not there."""
    kind, _, path = url.partition(":///")
    path = path.partition("?")[0]
    is_missing = kind.startswith("sqlite") and not path.startswith("file:") and not Path(path).exists()
    return path if is_missing else None


def _can_be_read(url: str) -> bool:
    if url.startswith("sqlite"):
        return True
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        make_url(url)
    except (ArgumentError, ValueError):
        return False
    return True


def _durable(url: str) -> str:
    """Refuse what is no URL, and a queue that would be gone, with what it acknowledged, when the command ends."""
    if url.startswith("memory:") or url in _IN_MEMORY:
        raise ValueError("a queue in memory would end with this command: name a file or a server")
    if not _URL.fullmatch(url) or not _can_be_read(url):
        known = "sqlite:///path.db or postgresql://user@host/database"
        raise ValueError(f"{hidden(url)!r:.200} is no URL of a queue: write {known}")
    return url


QueueUrl = Annotated[str, AfterValidator(_durable)]
"""The URL of a queue that outlives the program."""
