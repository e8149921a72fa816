"""How does any program speak: text in, a sound file out?

The text comes on its standard input, or in place of {text}; the file goes to its standard output,
or to the path in place of {out}. {language}, {voice}, {rate}, {pitch}, {volume} and {take} stand for
the settings. There is no shell, so nothing in a text can be a command.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tts_pipeline.engines.base import ANY_LANGUAGE, Clip, Voice, VoiceSettings
from tts_pipeline.engines.files import marks, named_files
from tts_pipeline.engines.plain import plain
from tts_pipeline.engines.program import MOST_BYTES, Ended, run_program
from tts_pipeline.engines.recording import recording
from tts_pipeline.errors import SpeechFailed, UnusableVoice

_NAME = "command"
_USUAL = VoiceSettings()
_CHANGED = ("voice", "rate", "pitch", "volume")
"""Settings that a program must have a place for once they are not the usual ones."""
_TAIL_CHARS = 500


class CommandEngine:
    """A program, started once for each text. It is given all the time it takes: the queue watches."""

    name = _NAME
    deterministic = False
    languages = frozenset({ANY_LANGUAGE})

    def __init__(self, command: Sequence[str]) -> None:
        """Take a program and its arguments; raises UnusableVoice where there is no such program."""
        if not command:
            raise UnusableVoice(_NAME, "name a program, as in command:PROGRAM ARGUMENTS")
        self.command = tuple(command)
        self._program = shutil.which(command[0])
        if self._program is None:
            raise UnusableVoice(_NAME, f"there is no program {command[0]!r}")

    def voices(self) -> tuple[Voice, ...]:
        return (Voice(name=self.command[0], languages=(ANY_LANGUAGE,), engine=_NAME, description="A program"),)

    def synthesize(self, text: str, settings: VoiceSettings) -> Clip:
        self._check(settings)
        said = plain(text)
        if not said.strip():
            raise SpeechFailed(_NAME, text, "there is nothing to say", can_retry=False)
        with tempfile.TemporaryDirectory(prefix="command-") as folder:
            out = Path(folder, "clip.wav")
            ended = self._run(said, settings, out)
            _check_end(ended, text)
            if not self._has("out"):
                return _clip(ended.printed, "it ended well, but printed no sound", ended, text)
            written = out.read_bytes() if out.exists() else b""
            return _clip(written, "it ended well, but wrote no sound to {out}", ended, text)

    def fingerprint(self) -> str:
        return self.fingerprint_for(VoiceSettings())

    def fingerprint_for(self, settings: VoiceSettings) -> str:
        """Return what changes with the command, its program and the files that its arguments name."""
        named = named_files(_filled(part, _values(settings)) for part in self.command[1:])
        parts = json.dumps([self.command, *marks([str(self._program), *named])])
        return f"command {hashlib.blake2b(parts.encode(), digest_size=16).hexdigest()}"

    def _has(self, place: str) -> bool:
        return any(f"{{{place}}}" in part for part in self.command)

    def _check(self, settings: VoiceSettings) -> None:
        for name in _CHANGED:
            if getattr(settings, name) != getattr(_USUAL, name) and not self._has(name):
                raise UnusableVoice(_NAME, f"{self.command[0]} takes no {name}: put {{{name}}} among its arguments")

    def _run(self, said: str, settings: VoiceSettings, out: Path) -> Ended:
        # Behind a space, which is not heard, no text is taken for an option.
        values = {"text": f" {said}" if said.startswith("-") else said, "out": str(out), **_values(settings)}
        command = [str(self._program), *(_filled(part, values) for part in self.command[1:])]
        try:
            return run_program(command, b"" if self._has("text") else said.encode(), out)
        except (OSError, ValueError) as error:
            raise SpeechFailed(_NAME, said, f"it can't be started: {error}") from error


def _check_end(ended: Ended, text: str) -> None:
    if ended.is_too_much:
        reason = f"it was killed when it had written more than {MOST_BYTES // 1_000_000} MB"
        raise SpeechFailed(_NAME, text, reason + _last_words(ended))
    if ended.code:
        raise SpeechFailed(_NAME, text, _how(ended.code) + _last_words(ended))


def _clip(data: bytes, without: str, ended: Ended, text: str) -> Clip:
    if not data:
        raise SpeechFailed(_NAME, text, without + _last_words(ended))
    return recording(data, _NAME, text)


def _last_words(ended: Ended) -> str:
    return f": {ended.told[-_TAIL_CHARS:]}" if ended.told else ""


def _values(settings: VoiceSettings) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in settings.model_dump().items()}


def _filled(part: str, values: Mapping[str, str]) -> str:
    """Put values in their places, in one pass: a text may hold braces of its own."""
    head, brace, rest = part.partition("{")
    if not brace:
        return part
    name, closed, tail = rest.partition("}")
    if closed and name in values:
        return head + values[name] + _filled(tail, values)
    return head + brace + _filled(rest, values)


def _how(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"killed by {signal.Signals(-code).name}"
