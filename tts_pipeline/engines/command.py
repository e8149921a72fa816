"""How does any program speak: text in, a sound file out?

The text comes on its standard input, or in place of {text}; the file goes to its standard output,
or to the path in place of {out}. {language}, {voice}, {rate}, {pitch}, {volume} and {take} stand for
the settings. There is no shell, so nothing in a text can be a command.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from queue_core import own_group
from tts_pipeline.engines.base import ANY_LANGUAGE, Clip, Voice, VoiceSettings
from tts_pipeline.engines.plain import plain
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
            values = {"text": said, "out": str(out), **_values(settings)}
            printed = self._run(said, [_filled(part, values) for part in self.command[1:]])
            if not self._has("out"):
                return recording(printed, _NAME, text)
            return recording(out.read_bytes() if out.exists() else b"", _NAME, text)

    def fingerprint(self) -> str:
        return _fingerprint(self.command, str(self._program))

    def _has(self, place: str) -> bool:
        return any(f"{{{place}}}" in part for part in self.command)

    def _check(self, settings: VoiceSettings) -> None:
        for name in _CHANGED:
            if getattr(settings, name) != getattr(_USUAL, name) and not self._has(name):
                raise UnusableVoice(_NAME, f"{self.command[0]} takes no {name}: put {{{name}}} among its arguments")

    def _run(self, text: str, arguments: list[str]) -> bytes:
        given = b"" if self._has("text") else text.encode()
        try:
            process = subprocess.Popen(  # noqa: S603 (what the user named, without a shell)
                [str(self._program), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise SpeechFailed(_NAME, text, f"it can't be started: {error}") from error
        with process, _owned(process):
            printed, told = process.communicate(given)
        if process.returncode:
            said = told.decode(errors="replace").strip()[-_TAIL_CHARS:]
            raise SpeechFailed(_NAME, text, f"{_ended(process.returncode)}{said and ': ' + said}")
        return printed


@contextmanager
def _owned(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Let a program die with the worker that it speaks for: one that hangs would stay for ever."""
    own_group(process.pid)
    try:
        yield
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        own_group(None)


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


def _ended(code: int) -> str:
    return f"exit code {code}" if code > 0 else f"killed by {signal.Signals(-code).name}"


@cache
def _fingerprint(command: tuple[str, ...], program: str) -> str:
    """Return the command, and what is in its program and in the files among its arguments: a model, a script."""
    total = hashlib.blake2b(json.dumps(command).encode(), digest_size=16)
    for path in (Path(program), *map(Path, command[1:])):
        if path.is_file():
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "blake2b").digest())
    return f"{' '.join(command)}, {total.hexdigest()}"
