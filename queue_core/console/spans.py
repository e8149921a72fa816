"""What type has a setting that is a span of time?"""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import BaseModel, BeforeValidator, Field

from queue_core.bounds import LONGEST
from queue_core.console.durations import seconds

_IN_SECONDS = BeforeValidator(seconds)

Span = Annotated[float, _IN_SECONDS]
"""Seconds, or a text such as 5m."""
Age = Annotated[Span, Field(ge=0, le=LONGEST)]
Wait = Annotated[Span, Field(gt=0, le=LONGEST)]


def is_span(model: type[BaseModel], field: str) -> bool:
    """Return whether a field is one, or may be."""
    info = model.model_fields[field]
    parts = [info.metadata, *(getattr(part, "__metadata__", ()) for part in get_args(info.annotation))]
    return any(_IN_SECONDS in part for part in parts)
