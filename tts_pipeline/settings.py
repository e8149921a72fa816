"""What can be set for tts-pipeline?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from queue_core import QueueConfig
from queue_core.console.layers import Layers
from queue_core.console.spans import Wait
from queue_core.console.urls import QueueUrl
from tts_pipeline.audio import codec
from tts_pipeline.audio.formats import parse_formats
from tts_pipeline.book_settings import AUTO, BookSettings, Publishing, Speech
from tts_pipeline.documents.language import tag_of
from tts_pipeline.documents.options import Notes
from tts_pipeline.errors import BadSetting
from tts_pipeline.lexicon import Lexicon, read_lexicon
from tts_pipeline.orders import Effort, Terms
from tts_pipeline.text.options import PauseOptions, SplittingOptions
from tts_pipeline.written_paths import settled, written

_PAUSE = 60_000


def _tag(written: str) -> str:
    found = tag_of(written)
    if found is None:
        raise ValueError(f"{written!r} is no language: write en, pt-BR or a name such as French")
    return found


def _formats(written: object) -> object:
    """Bring a list of formats into one form, however it was written."""
    text = ",".join(written) if isinstance(written, list) and all(isinstance(one, str) for one in written) else written
    if not isinstance(text, str):
        return written
    try:
        return ",".join(known.name for known in parse_formats(text))
    except BadSetting as error:
        raise ValueError(error.reason) from error


Formats = Annotated[str, BeforeValidator(_formats)]
"""Names of formats, with commas between them."""
Language = Annotated[str, AfterValidator(_tag)]
"""A BCP 47 tag, or the English name of a language."""


class Settings(BaseModel):
    """The settings of tts-pipeline; times are in seconds or written as 30s, pauses in milliseconds."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, allow_inf_nan=False)

    database: QueueUrl = Field("sqlite:///data/queue.db", description="where books and tasks are kept")
    store: str = Field("data/store", min_length=1, description="where clips and chapters are kept: a folder, or a URL")
    outputs: Path = Field(Path("outputs"), description="where audiobooks are published")

    engine: str = Field(AUTO, min_length=1, description="who speaks; auto: the best that is installed")
    voice: str | None = Field(None, min_length=1, description="one of the engine's voices; else its best")
    rate: float = Field(1.0, ge=0.5, le=2.0, description="how fast: 2 is twice as fast")
    pitch: float = Field(1.0, ge=0.5, le=2.0, description="how high: 2 is an octave above")
    volume: float = Field(1.0, ge=0.1, le=1.0, description="how loud the voice speaks")
    fallback_engine: str | None = Field(None, min_length=1, description="speaks what the engine can't")
    sample_rate: int = Field(24_000, ge=8_000, le=48_000, description="samples a second of clips and books")

    language: Language | None = Field(None, description="counts more than the document's own")
    notes: Notes = Field(Notes.SKIP, description="what becomes of footnotes")
    verse: Literal["line", "couplet"] = Field("line", description="how much of a poem is spoken in one go")
    longest: int = Field(300, ge=20, le=10_000, description="characters that are spoken in one go at most")
    pause_clause: int = Field(120, ge=0, le=_PAUSE, description="inside of a sentence that was too long")
    pause_sentence: int = Field(300, ge=0, le=_PAUSE, description="after a sentence")
    pause_line: int = Field(350, ge=0, le=_PAUSE, description="after a line of verse or code, or a row")
    pause_paragraph: int = Field(650, ge=0, le=_PAUSE, description="after a paragraph")
    pause_heading: int = Field(1_100, ge=0, le=_PAUSE, description="after a heading")
    pause_scene: int = Field(1_500, ge=0, le=_PAUSE, description="for a change of scene, besides the paragraph's")
    pause_chapter: int = Field(2_500, ge=0, le=_PAUSE, description="after a chapter")

    format: Formats = Field("m4b", description="what a book becomes: one of docs/formats.md, or several")
    bit_rate: int | None = Field(None, ge=8_000, le=320_000, description="bits a second; else what the codec needs")
    encoding: codec.Effort = Field(codec.Effort.QUICK, description="whether encoders take their time")
    normalize: bool = Field(True, description="whether every chapter is equally loud")

    workers: int | None = Field(None, ge=1, le=1000, description="worker processes; else one for each core")
    size: int = Field(5, ge=1, le=1000, description="how many tasks a worker claims at a time")
    settle: Wait = Field(2, description="how long a file in a watched folder must not change before it is read")
    on_publish: str | None = Field(None, min_length=1, description="a command, when a watched book is published")
    on_failure: str | None = Field(None, min_length=1, description="a command, when a watched book can't be")
    lexicon: Path = Field(Path("lexicon.toml"), description="how words are spoken; it need not be there")
    batch: int = Field(24, ge=1, le=500, description="sentences in a task at most")
    attempts: int = Field(3, ge=1, le=100, description="how often a task is tried")
    sentence_timeout: Wait = Field(30, description="how long one sentence may take to be spoken")
    outage_timeout: Wait = Field(20, description="how long nothing may move because the store or a disk is away")
    retry_delay: Wait = Field(2, description="how long a failed task waits; twice as long each further time")

    @model_validator(mode="after")
    def _formats_have_bit_rate(self) -> Self:
        """Refuse before anything is made what an encoder would refuse."""
        if self.bit_rate is not None:
            for known in parse_formats(self.format):
                codec.check_bit_rate(known.codec, self.bit_rate)
        return self

    def book_settings(
        self, title: str | None = None, author: str | None = None, *, as_one: bool = False
    ) -> BookSettings:
        """Return what makes a book what it is."""
        return BookSettings(
            as_one=as_one,
            notes=self.notes,
            language=self.language,
            title=title,
            author=author,
            splitting=self._splitting(),
            speech=self.speech(),
            outputs=written(settled(self.outputs)),
        )

    def speech(self) -> Speech:
        """Return who speaks, and how."""
        return Speech(**{name: getattr(self, name) for name in Speech.model_fields})

    def _splitting(self) -> SplittingOptions:
        pauses = PauseOptions(**{name: getattr(self, f"pause_{name}") for name in PauseOptions.model_fields})
        return SplittingOptions(pauses=pauses, longest=self.longest, verse=self.verse)

    def publishings(self) -> list[Publishing]:
        """Return how its files are made."""
        how = {"bit_rate": self.bit_rate, "effort": self.encoding, "normalize": self.normalize}
        return [Publishing(format=name, **how) for name in self.format.split(",")]

    def pronunciations(self) -> Lexicon:
        """Return how words are spoken, as the file says now; raises BadLexicon."""
        return read_lexicon(self.lexicon) if self.lexicon.exists() else Lexicon()

    def terms(self, priority: str = "normal") -> Terms:
        """Return what holds for the tasks of a book."""
        return Terms(priority=priority, attempts=self.attempts)

    def effort(self) -> Effort:
        """Return how hard workers try."""
        return Effort(
            attempts=self.attempts, sentence_seconds=self.sentence_timeout, fallback_engine=self.fallback_engine
        )

    def queue_config(self) -> QueueConfig:
        """Return how the queue behaves: a shelf always waits long, so waiting lifts nothing."""
        return QueueConfig(
            database_url=self.database,
            default_max_attempts=self.attempts,
            retry_base_delay=self.retry_delay,
            max_retry_delay=max(self.retry_delay, 300),
            promotions=(),
        )


LAYERS = Layers(Settings, prefix="TTS_PIPELINE_", other_variables=frozenset({"TTS_PIPELINE_CONFIG"}))
