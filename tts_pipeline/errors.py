"""What can go wrong on the way from a document to a book, and does trying again help?

PipelineError
├── UnreadableDocument     a file can't be read as what it claims to be
│   └── StillWritten       a file changed while it was read
├── UnusableVoice          an engine, or a voice of it, is not there or can't speak this language
│   └── UnknownEngine      no engine has that name
├── SpeechFailed           an engine failed at one text
├── BadClip                what an engine gave is no recording of the text
├── MissingClip            the store lacks a clip that a chapter needs
├── NotStored              the store has nothing under a key
├── StoreFailed            the store can't be read or written
├── DamagedFile            a stored file is not what was stored
├── NotAlike               chapters were encoded in different ways
├── SentencesFailed        some sentences of a batch could not be rendered
├── DeadlySentence         workers died or hung at a sentence
├── SentencesMissing       a chapter or a book is to be whole, and is not
├── Superseded             a book has moved on to another revision
├── Overtaken              a file was published, or is wanted, otherwise meanwhile
├── BookNotFound           no book is known by that name
├── NoSuchPart             a book has no such chapter or sentence
├── AmbiguousBook          more than one book is known by that name
├── ShelfTooNew            the books were written by a newer version
└── BadSetting             a setting is unknown, or has a value that it can't have

Sentences and chapters count from 0 in what an error knows, and from 1 in what it says.
"""

from __future__ import annotations

from collections.abc import Sequence

from tts_pipeline.written_paths import legible


class PipelineError(Exception):
    """The root of everything that the pipeline raises on purpose."""

    can_retry = False
    """Whether the same step may succeed later, with nothing changed."""


class UnreadableDocument(PipelineError):
    """A file can't be read as what it claims to be."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{legible(path)}: {reason}")
        self.path, self.reason = path, reason


class StillWritten(UnreadableDocument):
    """A file changed while it was read."""

    can_retry = True

    def __init__(self, path: str) -> None:
        super().__init__(path, "it is being written just now: try again when it is whole")


class UnusableVoice(PipelineError):
    """An engine, or a voice of it, is not there or can't speak this language."""

    def __init__(self, voice: str, reason: str) -> None:
        super().__init__(f"voice {voice}: {reason}")
        self.voice, self.reason = voice, reason


class UnknownEngine(UnusableVoice):
    """No engine has that name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        PipelineError.__init__(self, f"there is no engine {name!r:.80}: known are {', '.join(known)}")
        self.voice, self.reason = name, str(self)


class SpeechFailed(PipelineError):
    """An engine failed at one text."""

    can_retry = True

    def __init__(self, engine: str, text: str, reason: str, *, can_retry: bool = True) -> None:
        super().__init__(f"{engine} failed at {text!r:.80}: {reason}")
        self.engine, self.text, self.reason, self.can_retry = engine, text, reason, can_retry


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
        super().__init__(f"sentence {number + 1} has no clip under {key}")
        self.number, self.key = number, key


class NotStored(PipelineError):
    """The store has nothing under a key."""

    can_retry = True

    def __init__(self, key: str, place: str = "the store") -> None:
        super().__init__(f"nothing is stored under {key} in {place}")
        self.key, self.place = key, place


class StoreFailed(PipelineError):
    """The store can't be read or written: a full disk, a folder without permission, a network."""

    can_retry = True

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place, self.reason = place, reason


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


class BookNotFound(PipelineError):
    """No book is known by that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no book {name!r:.200}")
        self.name = name


class NoSuchPart(PipelineError):
    """A book has no such chapter or sentence."""

    def __init__(self, title: str, part: str, reason: str) -> None:
        super().__init__(f"{title} has no {part}: {reason}")
        self.title, self.part, self.reason = title, part, reason


class ShelfTooNew(PipelineError):
    """The books were written by a newer version of this code."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"the shelf has version {found}, this code knows {known}: upgrade tts-pipeline")
        self.found, self.known = found, known


class SentencesFailed(PipelineError):
    """Some sentences of a batch could not be rendered; the others are kept."""

    def __init__(self, failures: Sequence[tuple[int, str, str, bool]], total: int) -> None:
        number, text, reason, _ = failures[0]
        super().__init__(f"{len(failures)} of {total} sentences failed; sentence {number + 1}, {text!r:.80}: {reason}")
        self.failures, self.total = tuple(failures), total
        self.can_retry = any(can_retry for *_, can_retry in failures)


class DeadlySentence(PipelineError):
    """Workers died or hung at a sentence, so that it is not tried any more."""

    def __init__(self, number: int, deaths: int, last: str) -> None:
        super().__init__(f"{deaths} workers ended at it, the last: {last}")
        self.number, self.deaths, self.last = number, deaths, last


class SentencesMissing(PipelineError):
    """A chapter or a book is to be whole, and is not."""

    can_retry = True

    def __init__(self, chapter: int, numbers: Sequence[int]) -> None:
        listed = ", ".join(str(number + 1) for number in numbers[:10]) + (", …" if len(numbers) > 10 else "")
        super().__init__(f"chapter {chapter + 1} lacks {len(numbers)} of its sentences: {listed}")
        self.chapter, self.numbers = chapter, tuple(numbers)


class Superseded(PipelineError):
    """The book has moved on to another revision."""

    def __init__(self, book_id: str, revision: int) -> None:
        super().__init__(f"book {book_id}: revision {revision} was superseded")
        self.book_id, self.revision = book_id, revision


class Overtaken(PipelineError):
    """A file was published, or is wanted, otherwise meanwhile."""

    def __init__(self, book_id: str, name: str) -> None:
        super().__init__(f"book {book_id}: its {name} is there whole, or wanted otherwise, by now")
        self.book_id, self.name = book_id, name


class AmbiguousBook(PipelineError):
    """More than one book is known by that name."""

    def __init__(self, name: str, found: Sequence[str]) -> None:
        super().__init__(f"{name!r:.200} could be {', '.join(found[:5])}{' and others' if len(found) > 5 else ''}")
        self.name, self.found = name, tuple(found)


class NotAlike(PipelineError, ValueError):
    """Chapters were encoded in different ways, and can't be joined."""

    def __init__(self, ways: int) -> None:
        super().__init__(f"chapters encoded in {ways} ways can't be joined")
        self.ways = ways
