"""A voice that fails where it is told to, and never says the same twice in the same way unless told to."""

from __future__ import annotations

import errno
from typing import ClassVar

from tts_pipeline.engines import ANY_LANGUAGE, Clip, Voice, VoiceSettings
from tts_pipeline.engines.tone import ToneEngine
from tts_pipeline.errors import SpeechFailed, UnusableVoice

TRIAL = "One."
"""What every voice is asked before a book is left to it."""
TARGET = "tests.tts_pipeline.moody:MoodyEngine"


class MoodyEngine:
    name = "moody"
    deterministic = False
    languages = frozenset({ANY_LANGUAGE})

    fails: ClassVar[set[str]] = set()
    """What it fails at, and may not the next time."""
    refuses: ClassVar[set[str]] = set()
    """What it fails at for good."""
    fills_the_disk: ClassVar[set[str]] = set()
    """Of what it can't write a file that it needs."""
    asked: ClassVar[list[str]] = []
    """Beside the word of trial."""

    @classmethod
    def calm_down(cls) -> None:
        cls.fails.clear()
        cls.refuses.clear()
        cls.fills_the_disk.clear()
        cls.asked.clear()

    def voices(self) -> tuple[Voice, ...]:
        return ()

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        if text != TRIAL:
            self.asked.append(text)
        if text in self.fails:
            raise SpeechFailed(self.name, text, "not in the mood")
        if text in self.refuses:
            raise UnusableVoice(self.name, "never")
        if text in self.fills_the_disk:
            raise OSError(errno.ENOSPC, "No space left on device")
        take = len(self.asked)
        return ToneEngine().synthesize(text, settings.model_copy(update={"take": take, "voice": None}))

    def fingerprint(self) -> str:
        return "moody 1"
