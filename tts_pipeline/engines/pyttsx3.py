"""How does pyttsx3 speak without its traps?

Each of these was measured, and is kept out here:

- it finds no espeak-ng of its own, and without the data the library ends the process: both are put in its way;
- the library works in a thread of its own, while the driver sleeps for 10 ms and then leaves, whether the file
  is written or not; two threads at once hang, a fork loses the thread: the library is told to work at once, in ours;
- several files before one run come out as the last alone: one file a run;
- what goes wrong when it writes is swallowed, and the error shown on stderr: it becomes SpeechFailed;
- an empty text raises AssertionError, and it prints a line for each file: neither gets out;
- voices that set a speed of their own leave it to the next: it is set back between two voices.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from threading import Lock, get_ident
from types import SimpleNamespace
from typing import IO, Any

from tts_pipeline.engines import libespeak
from tts_pipeline.engines.base import ANY_LANGUAGE, Clip, Voice, VoiceSettings, primary, speaks
from tts_pipeline.engines.espeak import WORDS_PER_MINUTE, pitch_value
from tts_pipeline.engines.espeak_voices import catalogue
from tts_pipeline.engines.japanese import in_kana, reader
from tts_pipeline.engines.plain import plain
from tts_pipeline.engines.recording import recording
from tts_pipeline.errors import SpeechFailed, UnusableVoice

_NAME = "pyttsx3"
_MOST_NAMED = 4
_SETS_SPEED_BACK = "iro/chr"
"""A voice whose file says `speed 100`."""
_ENDED = (SimpleNamespace(type=6), SimpleNamespace(type=0))
"""The events by which a driver learns that the library came to the end of a text, and of the events."""


class Pyttsx3Engine:
    """The system's own voices on macOS and Windows, those of espeak-ng elsewhere."""

    name = _NAME
    deterministic = False

    def __init__(self) -> None:
        """Open the driver; raises UnusableVoice where there is none."""
        self._speaker = _speaker()

    @property
    def languages(self) -> frozenset[str]:
        spoken = frozenset(primary(tag) for voice in self.voices() for tag in voice.languages)
        return spoken or frozenset({ANY_LANGUAGE})

    def voices(self) -> tuple[Voice, ...]:
        return self._speaker.voices()

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        said = plain(text)
        if not said.strip():
            raise SpeechFailed(_NAME, text, "there is nothing to say", can_retry=False)
        clip = self._speaker.speak(said, settings)
        if not clip.samples.any():
            raise SpeechFailed(_NAME, text, "there is nothing to say", can_retry=False)
        return clip

    def fingerprint_for(self, settings: VoiceSettings) -> str:
        return self._speaker.fingerprint_for(settings)

    def fingerprint(self) -> str:
        return self._speaker.fingerprint()


@cache
def _speaker() -> _SystemSpeaker:
    """Open the one driver of this process: closing one silences those that were opened after it."""
    try:
        return _SystemSpeaker() if sys.platform in {"darwin", "win32"} else _EspeakSpeaker()
    except (ImportError, RuntimeError, OSError) as error:
        raise UnusableVoice(_NAME, f"its driver can't be opened: {error}") from error


class _SystemSpeaker:
    """A driver of pyttsx3, and one text at a time."""

    def __init__(self) -> None:
        self._engine = self._opened()
        self._driver = sys.modules[f"pyttsx3.drivers.{self._engine}"]
        vars(self._driver)["print"] = lambda *_: None
        self._engine.connect("error", lambda name, exception: self._problems.append(exception))  # noqa: ARG005
        self._problems: list[BaseException] = []
        self._lock = Lock()
        self._thread = get_ident()

    def speak(self, text: str, settings: VoiceSettings) -> Clip:
        """Return what the driver wrote to a file."""
        with self._lock:
            self._check(text)
            self._problems = []
            with _unraisable(self._problems):
                self._set(settings)
                written = self._written(text)
            if self._problems:
                raise SpeechFailed(_NAME, text, str(self._problems[0])) from self._problems[0]
            return recording(written, _NAME, text)

    def voices(self) -> tuple[Voice, ...]:
        """Return what the driver lists."""
        found = self._engine.getProperty("voices") or []
        return tuple(
            Voice(
                name=str(voice.id),
                languages=tuple(_tag(language) for language in voice.languages or ()),
                engine=_NAME,
                gender=voice.gender,
                description=str(voice.name),
            )
            for voice in found
        )

    def fingerprint_for(self, settings: VoiceSettings) -> str:  # noqa: ARG002
        """Return the fingerprint for what is spoken so."""
        return self.fingerprint()

    def fingerprint(self) -> str:
        """Return the version, and that of the system, whose voices come with it."""
        import platform

        return f"{_version()}, {platform.platform()}"

    def _opened(self) -> Any:
        import pyttsx3

        return pyttsx3.init()

    def _check(self, text: str) -> None:
        if self._thread != get_ident():
            raise SpeechFailed(_NAME, text, "its driver speaks only in the thread that opened it")

    def _written(self, text: str) -> bytes:
        with tempfile.TemporaryDirectory(prefix="pyttsx3-") as folder:
            path = Path(folder, "clip.wav")
            self._save(text, str(path))
            return path.read_bytes() if path.exists() else b""

    def _save(self, text: str, path: str) -> None:
        self._engine.save_to_file(text, path)
        self._engine.runAndWait()

    def _set(self, settings: VoiceSettings) -> None:
        if settings.pitch != 1:
            raise UnusableVoice(_NAME, "the system's voices have no pitch that can be set")
        if (voice := self._chosen(settings)) is not None:
            self._engine.setProperty("voice", voice)
        self._engine.setProperty("rate", round(WORDS_PER_MINUTE * settings.rate))
        self._engine.setProperty("volume", settings.volume)

    def _chosen(self, settings: VoiceSettings) -> str | None:
        voices = self.voices()
        if settings.voice is not None:
            names = {known: voice.name for voice in voices for known in (voice.description, voice.name)}
            if settings.voice not in names:
                alike = get_close_matches(settings.voice, names, _MOST_NAMED) or list(names)[:_MOST_NAMED]
                raise UnusableVoice(settings.voice, f"the system has no such voice: {', '.join(alike)} perhaps?")
            return names[settings.voice]
        able = [voice.name for voice in voices if speaks(map(primary, voice.languages), settings.language)]
        if not able and any(voice.languages for voice in voices):
            raise UnusableVoice(_NAME, f"the system has no voice for {settings.language!r}")
        return able[0] if able else None


class _EspeakSpeaker(_SystemSpeaker):
    """The driver of espeak-ng, whose voices we know better than it does."""

    def __init__(self) -> None:
        self._catalogue = catalogue(libespeak.data_path())
        self._set_to: tuple[str, VoiceSettings] | None = None
        super().__init__()
        libespeak.work_at_once(libespeak.shared())
        # Working at once, the library does not say when it has ended. Where the driver would sleep, it has.
        vars(self._driver)["time"] = SimpleNamespace(sleep=lambda _: self._end())

    def voices(self) -> tuple[Voice, ...]:
        return self._catalogue.voices(_NAME)

    def speak(self, text: str, settings: VoiceSettings) -> Clip:
        return super().speak(in_kana(text, settings.language), settings)

    def fingerprint_for(self, settings: VoiceSettings) -> str:
        return self.fingerprint() + reader(settings.language)

    def fingerprint(self) -> str:
        return f"{_version()}, espeak-ng data {libespeak.data_hash()}"

    def _opened(self) -> Any:
        with _variable("ESPEAK_DATA_PATH", str(libespeak.data_path())):
            libespeak.shared()
            import pyttsx3

            return pyttsx3.init("espeak")

    def _check(self, text: str) -> None:
        """Let it speak in any thread, one after another."""

    def _written(self, text: str) -> bytes:
        with _unnamed() as file:
            self._save(text, f"/dev/fd/{file.fileno()}")
            file.seek(0)
            return file.read()

    def _save(self, text: str, path: str) -> None:
        try:
            super()._save(text, path)
        finally:
            self._engine.proxy.setBusy(False)  # or what comes next waits until there is something to say

    def _end(self) -> None:
        try:
            self._engine.proxy._driver._onSynth(None, 0, _ENDED)  # noqa: SLF001 (what the library calls back)
        except RuntimeError as error:
            self._problems.append(RuntimeError(str(error)))  # a copy: the error holds the open file
            self._engine.proxy.endLoop(True)

    def _set(self, settings: VoiceSettings) -> None:
        voice = self._catalogue.choose(settings.language, settings.voice).identifier
        if (voice, settings) == self._set_to:
            return
        self._engine.proxy.setBusy(False)
        self._engine.setProperty("voice", _SETS_SPEED_BACK)
        self._engine.setProperty("voice", voice)
        self._engine.setProperty("rate", round(WORDS_PER_MINUTE * settings.rate))
        self._engine.setProperty("pitch", pitch_value(settings.pitch))
        self._engine.setProperty("volume", settings.volume)
        self._set_to = (voice, settings)


def _unnamed() -> IO[bytes]:
    """Open a file without a name, which is never left behind: in memory, as a disk would take longer than the voice."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("pyttsx3"), "r+b", buffering=0)
    return tempfile.TemporaryFile(buffering=0)


def _version() -> str:
    from importlib.metadata import version

    return f"pyttsx3 {version('pyttsx3')}"


def _tag(language: Any) -> str:
    """Return a language as a tag, which some drivers give as bytes behind a number."""
    text = language.decode(errors="ignore") if isinstance(language, bytes) else str(language)
    return plain(text).strip().replace("_", "-")


@contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    """Set a variable of the environment for a while: programs that we start shall not get it."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


@contextmanager
def _unraisable(problems: list[BaseException]) -> Iterator[None]:
    """Note what goes wrong where nobody can be told, in what a library in C calls back; an interrupt goes on."""
    before = sys.unraisablehook
    sys.unraisablehook = lambda found: problems.append(found.exc_value or RuntimeError(f"{found.err_msg}"))
    try:
        yield
    finally:
        sys.unraisablehook = before
    for problem in problems:
        if not isinstance(problem, Exception):
            raise problem
