"""What does an engine have to offer, whoever makes the sound?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from tts_pipeline.engines.samples import Samples  # who only asks which voices there are needs no numpy

ANY_LANGUAGE = "*"
"""Among the languages of an engine that speaks all of them."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Voice(_Frozen):
    """One of the voices that an engine has on this machine."""

    name: str
    """What to ask for it by."""
    languages: tuple[str, ...]
    """As BCP 47 tags, the best first."""
    engine: str
    gender: str | None = None
    description: str = ""


class VoiceSettings(_Frozen):
    """How a text is spoken."""

    voice: str | None = None
    """None: the engine's best for the language."""
    language: str = "en"
    """As a BCP 47 tag."""
    rate: float = Field(default=1.0, ge=0.5, le=2.0)
    """1 is the engine's own pace, 2 is twice as fast."""
    pitch: float = Field(default=1.0, ge=0.5, le=2.0)
    """1 is the voice's own, 2 an octave above."""
    volume: float = Field(default=1.0, ge=0.1, le=1)
    take: int = Field(default=0, ge=0, lt=2**31)
    """Raised to hear the same once more, said otherwise: the seed of engines that have one."""


class Word(NamedTuple):
    """When a word begins."""

    first: int
    """Its first sample."""
    text: str


@dataclass(frozen=True, eq=False)
class Clip:
    """What an engine made of one text: mono samples, and how many there are to a second."""

    samples: Samples
    rate: int
    words: tuple[Word, ...] = ()
    """In the order in which they are said; empty where the engine does not tell."""

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return len(self.samples) / self.rate


class Engine(Protocol):
    """One family of voices. It is made once in a process, and used from one thread.

    It may have two more methods. `fingerprint_for(settings)` is asked in the place of `fingerprint()`, and can tell of
    what matters for some languages or voices only. `usual_voice(language)` names the voice that is taken where none is
    asked for: a book keeps it, whatever later versions of the engine take.
    """

    name: str
    """As it is registered."""

    @property
    def deterministic(self) -> bool:
        """Whether the same text with the same settings gives the same samples: again, later, in another process."""

    @property
    def languages(self) -> frozenset[str]:
        """The languages that it speaks, as the first part of their tags; or ANY_LANGUAGE."""

    def voices(self) -> tuple[Voice, ...]:
        """Return the voices that can be used on this machine, without fetching any."""

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        """Speak a text of any kind: never empty or silent, nothing printed, nothing left behind.

        Raises UnusableVoice where no text at all could be spoken so: an unknown voice, another language,
        a setting that the engine does not have. Raises SpeechFailed where this text could not.
        """

    def fingerprint(self) -> str:
        """Return what changes whenever the same text may sound otherwise: its version and that of its voices."""


def primary(language: str) -> str:
    """Return the first part of a tag: en of en-GB."""
    return language.replace("_", "-").split("-")[0].lower()


def speaks(languages: Iterable[str], language: str) -> bool:
    """Say whether an engine of these languages speaks that one."""
    return not {ANY_LANGUAGE, primary(language)}.isdisjoint(languages)
