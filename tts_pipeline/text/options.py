"""What may be chosen about splitting, and how long are the pauses?"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class PauseOptions(BaseModel):
    """Silence after what was spoken, in milliseconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    clause: int = Field(default=120, ge=0, le=60_000)
    """Inside of a sentence that was too long."""
    sentence: int = Field(default=300, ge=0, le=60_000)
    line: int = Field(default=350, ge=0, le=60_000)
    """After a line of verse or code, or a row of a table."""
    paragraph: int = Field(default=650, ge=0, le=60_000)
    heading: int = Field(default=1_100, ge=0, le=60_000)
    scene: int = Field(default=1_500, ge=0, le=60_000)
    """For a change of scene, besides the pause of the paragraph before it."""
    chapter: int = Field(default=2_500, ge=0, le=60_000)


class SplittingOptions(BaseModel):
    """What may be chosen about splitting."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pauses: PauseOptions = PauseOptions()
    longest: int = Field(default=300, ge=20, le=10_000)
    """How many characters are spoken in one go at most."""
    verse: Literal["line", "couplet"] = "line"
    """How much of a poem is spoken in one go."""
    language: str = "en"
    """For documents that don't say theirs."""


DEFAULT = SplittingOptions()
