"""Types that arguments have, and what becomes of arguments of these types."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from pydantic import BaseModel, Field, Json, computed_field
from typing_extensions import TypedDict

from queue_core import Task, TaskExecutionError, TaskItem
from queue_core.arguments import Arguments

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
ID = UUID("12345678-1234-5678-1234-567812345678")


class Colour(Enum):
    RED = "red"


class Shape(Enum):
    FLAT = (1, 2)


class Book(BaseModel):
    title: str
    blob: bytes = b""
    at: datetime | None = None


class Renamed(BaseModel):
    page_count: int = Field(alias="pageCount")

    @computed_field
    def is_long(self) -> bool:
        return self.page_count > 500


class Raw(BaseModel):
    numbers: Json[list[int]]


class Weighted(BaseModel):
    weight: float
    other: float | None = None


@dataclass
class Point:
    x: int
    blob: bytes = b""


class Pair(NamedTuple):
    left: bytes
    right: int


class Fields(TypedDict):
    blob: bytes


def of(hint: Any, default: Any = ...) -> Arguments:
    """The arguments of a function with one parameter."""

    def function(x=default): ...

    if default is ...:
        function.__defaults__ = None
    function.__annotations__ = {"x": hint}
    return Arguments("f", function)


def read(arguments: Arguments, item: TaskItem) -> dict[str, Any]:
    """What a worker gets, from what the store keeps."""
    return arguments.read(Task(items=[TaskItem.model_validate_json(item.model_dump_json())]))


def reasons(arguments: Arguments, **given: Any) -> dict[str, str]:
    with pytest.raises(TaskExecutionError) as caught:
        arguments.written(given)
    return caught.value.reasons
