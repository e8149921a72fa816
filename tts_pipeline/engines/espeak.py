"""How does espeak-ng speak, called directly?

It keeps things from one text to the next, all of which would make the same sentence sound
otherwise each time. What we found, and how each is kept out:

- the flutter of the pitch goes on where it was: voices are loaded with flutter 0;
- so does the count by which every second to fourth cycle is softened: roughness 8 softens none;
- the speed that some voices set (be, uk, jbo) stays for the next: every voice begins with speed 100;
- the gain that was lowered for a peak rises only while something is said: so we say something, unheard;
- breath and the like are noise: its seed is set.
"""

from __future__ import annotations

import ctypes
import math
import re
import sys
import tempfile
from bisect import bisect_right
from functools import cache
from threading import Lock
from typing import IO, Any

import numpy as np

from tts_pipeline.engines import libespeak
from tts_pipeline.engines.base import Clip, Voice, VoiceSettings, Word
from tts_pipeline.engines.espeak_voices import Catalogue, Chosen, catalogue
from tts_pipeline.engines.japanese import in_kana, reader
from tts_pipeline.engines.plain import plain
from tts_pipeline.engines.samples import Samples
from tts_pipeline.errors import SpeechFailed, UnusableVoice

WORDS_PER_MINUTE = 175
_BUFFER_MS = 500
_NEAR_PEAK = 32_000
_DEPENDS_ON_LANGUAGE = re.compile(r"^(name|language|gender)\b.*$", re.MULTILINE)
_BEFORE = "speed 100\n"
_AFTER = "\nflutter 0\nroughness 8\n"


class EspeakEngine:
    """The voices of espeak-ng."""

    name = "espeak"
    # Windows can't give a name to an open file, by which a voice that is not in the data gets loaded.
    deterministic = sys.platform != "win32"

    def __init__(self) -> None:
        """Load nothing yet; raises UnusableVoice where there is nothing to load."""
        self._catalogue = _voices()

    @property
    def languages(self) -> frozenset[str]:
        return self._catalogue.languages

    def voices(self) -> tuple[Voice, ...]:
        return self._catalogue.voices(self.name)

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        chosen = self._catalogue.choose(settings.language, settings.voice)
        said = in_kana(plain(text), settings.language)
        samples, events = _library().speak(said, chosen, settings)
        if not samples.any():
            raise SpeechFailed(self.name, text, "there is nothing to say", can_retry=False)
        return Clip(samples, _library().rate, words_at(text, said, events))

    def fingerprint_for(self, settings: VoiceSettings) -> str:
        return self.fingerprint() + reader(settings.language)

    def fingerprint(self) -> str:
        return f"espeak-ng {_library().version}, data {libespeak.data_hash()}, steady 1"


def pitch_value(pitch: float) -> int:
    """Return the library's number for a pitch: 50 is the voice's own, 0 and 100 an octave from it."""
    return min(99, round(50 + 50 * math.log2(pitch)))


def words_at(text: str, said: str, events: list[tuple[int, int]]) -> tuple[Word, ...]:
    """Return when the words of a text begin, from (sample, place) of what the library took for words of what was said.

    It has as many words as the text, which may be written otherwise.
    """
    words = re.findall(r"\S+", plain(text))
    starts = [match.start() for match in re.finditer(r"\S+", said)]
    firsts: dict[int, int] = {}
    for sample, place in events:
        # Its words are not ours: some lie within one of ours, some begin in the space before it.
        number = bisect_right(starts, place) - 1
        if number >= 0:
            firsts.setdefault(number, sample)
    return tuple(Word(first, words[number]) for number, first in sorted(firsts.items()))


def _voices() -> Catalogue:
    return catalogue(libespeak.data_path())


@cache
def _library() -> _Library:
    return _Library()


class _Library:
    """The one library of this process. It can do one thing at a time."""

    def __init__(self) -> None:
        self._c = libespeak.private()
        self.version = self._c.espeak_Info(None).decode()
        data = str(libespeak.data_path()).encode()
        self.rate = int(self._c.espeak_Initialize(libespeak.SYNCHRONOUS, _BUFFER_MS, data, 0))
        if self.rate <= 0:
            raise UnusableVoice("espeak-ng", "its library can't read its data")
        self._callback = libespeak.Callback(self._take)
        self._c.espeak_SetSynthCallback(self._callback)
        self._lock = Lock()
        self._files: dict[str, IO[bytes]] = {}
        self._chunks: list[bytes] = []
        self._events: list[tuple[int, int]] = []
        self._problem: BaseException | None = None

    def speak(self, text: str, voice: Chosen, settings: VoiceSettings) -> tuple[Samples, list[tuple[int, int]]]:
        """Return the samples, and (sample, place in the text) of each word."""
        with self._lock:
            samples = self._speak(text, voice, settings)
            events = list(self._events)
            if len(samples) and max(int(samples.max()), -int(samples.min())) > _NEAR_PEAK:
                self._speak("ah", _voices().choose("en", None), VoiceSettings(volume=0.1))
            return samples, events

    def _speak(self, text: str, voice: Chosen, settings: VoiceSettings) -> Samples:
        self._chunks, self._events, self._problem = [], [], None
        self._set(voice, settings)
        said = text.encode()
        error = self._c.espeak_Synth(said, len(said) + 1, 0, 1, 0, libespeak.UTF8_ENDPAUSE, None, None)
        if self._problem is not None:
            raise self._problem
        if error:
            raise SpeechFailed("espeak", text, f"espeak-ng's error {error}")
        return np.frombuffer(b"".join(self._chunks), np.int16)

    def _set(self, voice: Chosen, settings: VoiceSettings) -> None:
        # Loaded anew for each text, or an echo would be heard in the next.
        error = self._load(voice)
        if error:
            raise UnusableVoice(voice.identifier, f"espeak-ng can't load it: error {error}")
        self._c.espeak_ng_SetRandSeed(settings.take + 1)
        self._c.espeak_SetParameter(libespeak.RATE, round(WORDS_PER_MINUTE * settings.rate), 0)
        self._c.espeak_SetParameter(libespeak.PITCH, pitch_value(settings.pitch), 0)
        self._c.espeak_SetParameter(libespeak.VOLUME, round(100 * settings.volume), 0)

    def _load(self, voice: Chosen) -> int:
        if not EspeakEngine.deterministic:
            return int(self._c.espeak_SetVoiceByName(voice.identifier.encode()))
        file = self._files.get(voice.identifier)
        if file is None:
            file = self._files[voice.identifier] = _written(voice)
        file.seek(0)
        # The library takes no path longer than 59 characters, nor one with capitals.
        return int(self._c.espeak_ng_SetVoiceByFile(f"/dev/fd/{file.fileno()}".encode()))

    def _take(self, samples: Any, count: int, events: Any) -> int:
        try:
            self._keep(samples, count, events)
        except BaseException as error:  # noqa: BLE001 (lost on its way through C, an interrupt would cost a piece of sound)
            self._problem = error
        return int(self._problem is not None)

    def _keep(self, samples: Any, count: int, events: Any) -> None:
        if samples and count:
            self._chunks.append(ctypes.string_at(samples, 2 * count))
        number = 0
        while events[number].type:
            if events[number].type == libespeak.WORD:
                self._events.append((events[number].sample, events[number].text_position - 1))
            number += 1


def _written(voice: Chosen) -> IO[bytes]:
    """Write a voice, made steady, to a file without a name."""
    parts = [voice.base.path.read_text(encoding="utf-8")]
    if voice.variant:
        parts.append(_DEPENDS_ON_LANGUAGE.sub("", voice.variant.path.read_text(encoding="utf-8", errors="replace")))
    file = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process)
    file.write((_BEFORE + "\n".join(parts) + _AFTER).encode())
    file.flush()
    return file
