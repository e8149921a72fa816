"""What does one entry of a lexicon say?"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from tts_pipeline.lexicon.forms import composed, one_line, plain
from tts_pipeline.lexicon.languages import canonical
from tts_pipeline.lexicon.patterns import check_pattern

LONGEST_WORD = 200
LONGEST_PATTERN = 1000
LONGEST_SAID = 1000


class Case(StrEnum):
    """Which capitals an entry stands for."""

    EXACT = "exact"
    """Only as it is written."""
    IGNORE = "ignore"
    """Any."""


class Entry(BaseModel):
    """A word or pattern, and how it is said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    written: str
    """A word, or several; or a regular expression."""
    say: str
    """Empty: it is not said. Of a pattern \\1 and \\g<name> are its groups."""
    language: str | None = None
    """As a BCP 47 tag in small letters; None: in every one."""
    pattern: bool = False
    """Whether it is a regular expression."""
    case: Case | None = None
    """None: a word in small letters stands for any case; one with capitals, and a pattern, for that alone."""
    whole: Annotated[bool, Field(strict=True)] = True
    """Whether it has to begin and end where words do."""

    @property
    def ignores_case(self) -> bool:
        """Whether capitals make no difference."""
        if self.case is None:
            return not self.pattern and self.written == self.written.lower()
        return self.case is Case.IGNORE

    @field_validator("say")
    @classmethod
    def _spoken_form(cls, said: str) -> str:
        said = one_line(said)
        if len(said) > LONGEST_SAID:
            raise ValueError(f"what is said has more than {LONGEST_SAID} characters")
        return said

    @field_validator("language")
    @classmethod
    def _one_form(cls, tag: str | None) -> str | None:
        return tag and canonical(tag)

    @model_validator(mode="before")
    @classmethod
    def _comparable(cls, said: object) -> object:
        if not isinstance(said, dict) or not isinstance(said.get("written"), str):
            return said
        written = composed(said["written"]) if said.get("pattern") else plain(one_line(said["written"]))
        return said | {"written": written}

    @model_validator(mode="after")
    def _usable(self) -> Self:
        longest = LONGEST_PATTERN if self.pattern else LONGEST_WORD
        if not self.written:
            raise ValueError("there is nothing to look for")
        if len(self.written) > longest:
            raise ValueError(f"it has more than {longest} characters")
        if self.pattern:
            check_pattern(self.written, self.say)
        return self
