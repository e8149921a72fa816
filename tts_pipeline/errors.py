"""What can go wrong on the way from a document to a book, and does trying again help?

PipelineError
├── UnreadableDocument     a file can't be read as what it claims to be
├── UnusableVoice          an engine, or a voice of it, is not there or can't speak this language
├── SpeechFailed           an engine failed at one text
├── BadClip                what an engine gave is no recording of the text
├── MissingClip            the store lacks a clip that a chapter needs
├── NotStored              the store has nothing under a key
├── StoreFailed            the store can't be read or written
├── DamagedFile            a stored file is not what was stored
└── BadSetting             a setting is unknown, or has a value that it can't have
"""

from __future__ import annotations

from typing import ClassVar


class PipelineError(Exception):
    """The root of everything that the pipeline raises on purpose."""

    can_retry: ClassVar[bool] = False
    """Whether the same step may succeed later, with nothing changed."""


class UnreadableDocument(PipelineError):
    """A file can't be read as what it claims to be."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


class UnusableVoice(PipelineError):
    """An engine, or a voice of it, is not there or can't speak this language."""

    def __init__(self, voice: str, reason: str) -> None:
        super().__init__(f"voice {voice}: {reason}")
        self.voice, self.reason = voice, reason


class SpeechFailed(PipelineError):
    """An engine failed at one text."""

    can_retry = True

    def __init__(self, engine: str, text: str, reason: str) -> None:
        super().__init__(f"{engine} failed at {text!r:.80}: {reason}")
        self.engine, self.text, self.reason = engine, text, reason


class BadClip(PipelineError):
    """What an engine gave is no recording of the text."""

    can_retry = True

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"the clip of {text!r:.80} is no good: {reason}")
        self.text, self.reason = text, reason


class MissingClip(PipelineError):
    """The store lacks a clip that a chapter needs."""

    can_retry = True

    def __init__(self, number: int, key: str) -> None:
        super().__init__(f"item {number} has no clip under {key}")
        self.number, self.key = number, key


class NotStored(PipelineError):
    """The store has nothing under a key."""

    can_retry = True

    def __init__(self, key: str) -> None:
        super().__init__(f"nothing is stored under {key}")
        self.key = key


class StoreFailed(PipelineError):
    """The store can't be read or written: a full disk, a folder without permission, a network."""

    can_retry = True

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key, self.reason = key, reason


class DamagedFile(PipelineError):
    """A stored file is not what was stored."""

    can_retry = True

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name, self.reason = name, reason


class BadSetting(PipelineError):
    """A setting is unknown, or has a value that it can't have."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key, self.reason = key, reason
