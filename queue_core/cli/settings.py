"""What can be set for queuectl, and which of flag, environment, file and default decides?"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict

from queue_core.bounds import LONGEST, MOST
from queue_core.cli.durations import seconds
from queue_core.cli.failed import BadSetting
from queue_core.cli.refusals import refusal
from queue_core.config import DAY, QueueConfig
from queue_core.states import TaskState

_PREFIX = "QUEUECTL_"
_NO_SETTINGS = frozenset({"QUEUECTL_CONFIG", "QUEUECTL_DATABASE"})
"""Variables that stand for options."""
_IN_MEMORY = ("sqlite://", "sqlite:///", "sqlite:///:memory:")
_URL = re.compile(r"sqlite(\+\w+)?:///.+|postgres(ql)?(\+\w+)?://.*")


def hidden(url: str) -> str:
    """Return a URL for those who look over a shoulder: without its password."""
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", url)


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


Span = Annotated[float, BeforeValidator(seconds)]
"""Seconds, or a text such as 5m."""
Age = Annotated[Span, Field(ge=0, le=LONGEST)]
Wait = Annotated[Span, Field(gt=0, le=LONGEST)]


class Settings(BaseModel):
    """The settings of queuectl; times are in seconds, or written as 30s, 5m, 2h, 7d."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False)

    database_url: Annotated[str, AfterValidator(_durable)] = Field(
        "sqlite:///data/queue.db", description="where the queue is"
    )
    max_retries: int = Field(3, ge=0, lt=MOST, description="attempts after the first, for tasks that don't say")
    backoff_base: float = Field(2, ge=1, le=1000, description="after attempt n wait this to the power of n, in seconds")
    max_retry_delay: Age = Field(3600, description="the longest wait between two attempts")
    jitter: bool = Field(False, description="draw each wait between zero and the computed one")
    timeout: Wait | None = Field(None, description="how long a command may run, where its task does not say")
    visibility_timeout: Wait = Field(3600, description="how long a worker may be silent before its tasks are freed")
    max_pending: int | None = Field(None, ge=1, le=MOST, description="how many tasks may wait")
    retention_completed: Age = Field(7 * DAY, description="how long cleanup keeps what was completed")
    retention_cancelled: Age = Field(7 * DAY, description="how long cleanup keeps what was cancelled")
    retention_discarded: Age = Field(30 * DAY, description="how long cleanup keeps what was discarded")
    workers: int | None = Field(None, ge=1, le=1000, description="worker processes; else one for each core")
    size: int = Field(1, ge=1, le=MOST, description="how many tasks a worker claims at a time")
    poll_interval: Wait = Field(1, description="how often an idle worker looks, whatever wake-ups say")
    sqlite_synchronous: Literal["FULL", "NORMAL", "OFF"] = Field("FULL", description="SQLite's care in a power cut")

    def queue_config(self) -> QueueConfig:
        """Return how the queue behaves: the delay after attempt n is backoff-base to the power of n."""
        return QueueConfig(
            database_url=self.database_url,
            default_max_attempts=self.max_retries + 1,
            retry_base_delay=self.backoff_base,
            retry_backoff_multiplier=self.backoff_base,
            max_retry_delay=self.max_retry_delay,
            retry_jitter=self.jitter,
            default_visibility_timeout=self.visibility_timeout,
            max_pending=self.max_pending,
            retention={
                TaskState.COMPLETED: self.retention_completed,
                TaskState.CANCELLED: self.retention_cancelled,
                TaskState.DISCARDED: self.retention_discarded,
            },
            poll_interval=self.poll_interval,
            sqlite_synchronous=self.sqlite_synchronous,
        )


class _Environment(Settings, BaseSettings):
    """The settings as variables such as QUEUECTL_MAX_RETRIES; an empty one says nothing."""

    model_config = SettingsConfigDict(env_prefix=_PREFIX, env_ignore_empty=True)


@dataclass(frozen=True)
class Found:
    """The settings, and where each that was set comes from: flag, environment or file."""

    settings: Settings
    origins: Mapping[str, str]


def keys() -> dict[str, str]:
    """Return the names of the settings as people write them, each with its field."""
    return {field.replace("_", "-"): field for field in Settings.model_fields}


def field_of(key: str, place: str = "") -> str:
    """Return the field that a key names; raises BadSetting naming those that there are."""
    field = keys().get(key)
    if field is None:
        raise BadSetting(place or key, f"there is no such setting: known are {', '.join(keys())}")
    return field


def check(values: Mapping[str, Any], place: Callable[[str], str] = str) -> Settings:
    """Check values by field; raises BadSetting for the first that is wrong, under the name that its place gives it."""
    try:
        return Settings(**values)
    except ValidationError as error:
        field, reason = refusal(error)
        raise BadSetting(place(field.replace("_", "-")), reason) from error


def look_up(file: Path, flags: Mapping[str, Any], variables: Mapping[str, Any]) -> Found:
    """Read the file and the environment, and lay over them what options say, or variables that stand for options."""
    _check_variables()
    layers: list[tuple[str, Mapping[str, Any], Callable[[str], str]]] = [
        ("file", _in_file(file), lambda key: f"{key} in {file}"),
        ("environment", EnvSettingsSource(_Environment)(), _variable),
        ("environment", variables, lambda _: "QUEUECTL_DATABASE"),
        ("flag", flags, lambda _: "--database"),
    ]
    for _, values, place in layers:
        check(values, place)
    merged = {field: value for _, values, _ in layers for field, value in values.items()}
    origins = {field: origin for origin, values, _ in layers for field in values}
    return Found(check(merged), origins)


def _variable(key: str) -> str:
    return _PREFIX + key.replace("-", "_").upper()


def _check_variables() -> None:
    """Refuse a mistyped name, which would say nothing in silence."""
    known = {_variable(key) for key in keys()} | _NO_SETTINGS
    for name in sorted(os.environ):
        if name.upper().startswith(_PREFIX) and name.upper() not in known:
            raise BadSetting(name, f"there is no such setting: {_meant(name.upper(), known)}")


def _meant(name: str, known: Collection[str]) -> str:
    said, others = name.removeprefix(_PREFIX), [each.removeprefix(_PREFIX) for each in known]
    alike = get_close_matches(said, others, 1)
    return f"{_PREFIX}{alike[0]} perhaps?" if alike else f"known are {', '.join(sorted(known))}"


def _in_file(file: Path) -> dict[str, Any]:
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(str(file), f"is no TOML: {error}") from error
    return {field_of(key, f"{key} in {file}"): value for key, value in written.items()}
