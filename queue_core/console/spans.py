"""What type has a setting that is a span of time?"""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from queue_core.bounds import LONGEST
from queue_core.console.durations import seconds

Span = Annotated[float, BeforeValidator(seconds)]
"""Seconds, or a text such as 5m."""
Age = Annotated[Span, Field(ge=0, le=LONGEST)]
Wait = Annotated[Span, Field(gt=0, le=LONGEST)]
