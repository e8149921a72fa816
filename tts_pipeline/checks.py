"""Is this machine fit to make audiobooks?"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path

import numpy as np

from queue_core import Queue, QueueError
from queue_core.console.urls import missing_file
from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecName, CodecSettings
from tts_pipeline.audio.encode import Piece, encode_chapter
from tts_pipeline.audio.quality import check as check_clip
from tts_pipeline.book_settings import Publishing
from tts_pipeline.disks import file_system, is_remote
from tts_pipeline.engines import japanese
from tts_pipeline.engines.base import VoiceSettings, speaks
from tts_pipeline.engines.registry import available, engine
from tts_pipeline.room import Room, room_for
from tts_pipeline.settings import Settings
from tts_pipeline.shelf import Shelf
from tts_pipeline.shelf.standing import Standing, standings

_SAFE_SQLITE = ((3, 51, 3), (3, 50, 7), (3, 44, 6))
"""From which on a defect is mended that could damage a database in WAL mode: in general, and in two older lines."""
_LEAST_BYTES = 200 << 20
"""Below this hardly any book can be made."""
_MS_PER_HOUR = 3_600_000
_FIRST_YEAR = 2024
_MOST_SECONDS_APART = 60


class Verdict(StrEnum):
    """How a check ended."""

    GOOD = "good"
    DOUBTFUL = "doubtful"
    """It works, and may not under some conditions."""
    BAD = "bad"


@dataclass(frozen=True)
class Check:
    """What was looked at, and what was found."""

    name: str
    verdict: Verdict
    words: str


def checks(settings: Settings) -> Iterator[Check]:
    """Look at everything that a book needs."""
    yield _python()
    yield from _engines()
    yield from _codecs()
    yield _sqlite(sqlite3.sqlite_version_info)
    needed = yield from _database(settings)
    for name, folder in _folders(settings):
        yield _writable(name, folder)
        yield _room(f"{name} space", shutil.disk_usage(_existing(folder)).free, needed._asdict().get(name, 0))
        yield from _disk(name, folder)


def _python() -> Check:
    return Check("python", Verdict.GOOD, f"{sys.version.split()[0]}, {os.cpu_count()} cores")


def _engines() -> Iterator[Check]:
    """Let every engine say something; one that is not installed is no harm as long as another is."""
    spoken = False
    for name, reason in available():
        if reason is not None:
            yield Check(f"engine {name}", Verdict.DOUBTFUL, reason)
            continue
        found = _tried(f"engine {name}", partial(_said, name))
        spoken = spoken or (found.verdict is Verdict.GOOD and name != "tone")
        yield found
    yield _japanese()
    if not spoken:
        yield Check("voices", Verdict.BAD, "no engine here can speak")


def _said(name: str) -> str:
    found = engine(name)
    language = "en" if speaks(found.languages, "en") else min(found.languages)
    text = "This is a test."
    clip = found.synthesize(text, VoiceSettings(language=language))
    check_clip(clip, text)
    count = len(found.voices())
    return f"spoke for {clip.seconds:.1f} s; {count} voice{'' if count == 1 else 's'}"


def _japanese() -> Check:
    if not japanese.is_there():
        return Check("japanese", Verdict.DOUBTFUL, japanese.MISSING)
    return _tried("japanese", _kanji)


def _kanji() -> str:
    return f"kanji are read: {japanese.in_kana('東京', 'ja')}"


def _codecs() -> Iterator[Check]:
    for codec in CodecName:
        yield _tried(f"codec {codec}", partial(_encoded, codec))


def _encoded(codec: CodecName) -> str:
    settings = CodecSettings(codec=codec)
    tone = (np.sin(np.arange(settings.rate) / 10) * 8000).astype(np.int16)
    with tempfile.TemporaryFile() as file:
        record = encode_chapter([Piece(Sound(tone, settings.rate), 0)], settings, file)
        return f"{settings.encoder} encoded {record.sample_count / settings.rate:g} s"


def _sqlite(version: tuple[int, int, int]) -> Check:
    words = ".".join(map(str, version))
    if any(version >= safe and (safe is _SAFE_SQLITE[0] or version[:2] == safe[:2]) for safe in _SAFE_SQLITE):
        return Check("sqlite", Verdict.GOOD, words)
    rare = "it has a rare defect in WAL mode, mended in 3.51.3, 3.50.7 and 3.44.6; keep copies of what you can't lose"
    return Check("sqlite", Verdict.DOUBTFUL, f"{words}: {rare}")


def _database(settings: Settings) -> Generator[Check, None, Room]:
    """Look into the database, where there is one already; return how much room its books will take."""
    found: list[Standing] = []
    if missing_file(settings.database) is not None:
        yield _clock(time.time(), time.time())
        return Room()
    yield _tried("database", lambda: _shelf(settings, found))
    yield _tried_clock(settings)
    rooms = [_room_for(each, settings) for each in found if not each.is_published]
    return Room(sum(each.store for each in rooms), sum(each.outputs for each in rooms))


def _room_for(one: Standing, settings: Settings) -> Room:
    wanted = [Publishing.model_validate_json(each.wanted) for each in one.publications]
    return room_for(one.book.expected_ms / _MS_PER_HOUR, wanted, settings.sample_rate)


def _shelf(settings: Settings, found: list[Standing]) -> str:
    with Queue.open(settings.database, config=settings.queue_config()) as queue:
        shelf = Shelf.open(queue)
        found += standings(shelf, shelf.books())
        return "1 book" if len(found) == 1 else f"{len(found):,} books"


def _tried_clock(settings: Settings) -> Check:
    """Compare this machine's clock with the database's, by which tasks become due."""
    try:
        with Queue.open(settings.database, config=settings.queue_config()) as queue:
            return _clock(time.time(), queue.clock.now_ms() / 1000)
    except QueueError as error:
        return Check("clock", Verdict.BAD, str(error))


def _clock(here: float, there: float) -> Check:
    now = datetime.fromtimestamp(here, tz=UTC)
    if now.year < _FIRST_YEAR:
        return Check("clock", Verdict.BAD, f"it says {now:%Y-%m-%d}: set it")
    if abs(here - there) > _MOST_SECONDS_APART:
        words = f"it is {abs(here - there):.0f} s from the database's: nothing is lost, but times look odd"
        return Check("clock", Verdict.DOUBTFUL, words)
    return Check("clock", Verdict.GOOD, f"{now:%Y-%m-%d %H:%M} UTC")


def _folders(settings: Settings) -> Iterator[tuple[str, Path]]:
    if settings.database.startswith("sqlite"):
        yield "database", Path(settings.database.partition(":///")[2]).absolute().parent
    if "://" not in settings.store:
        yield "store", Path(settings.store).absolute()
    yield "outputs", settings.outputs.absolute()


def _writable(name: str, folder: Path) -> Check:
    """Try to write into a folder or, where it is not there yet, into the one that it would be made in."""
    place = _existing(folder)
    try:
        with tempfile.NamedTemporaryFile(dir=place, prefix=".doctor-"):
            return Check(f"{name} folder", Verdict.GOOD, str(folder))
    except OSError as error:
        return Check(f"{name} folder", Verdict.BAD, f"{place} can't be written to: {error.strerror}")


def _room(name: str, free: int, needed: int) -> Check:
    """Compare what is free with what the books that are to be made will take."""
    words = f"{free / (1 << 30):.1f} GiB free"
    if needed:
        words += f", and the books to be made take at most {needed / (1 << 30):.1f}"
    if free < _LEAST_BYTES:
        return Check(name, Verdict.BAD, words)
    return Check(name, Verdict.GOOD if free >= _LEAST_BYTES + needed else Verdict.DOUBTFUL, words)


def _disk(name: str, folder: Path) -> Iterator[Check]:
    place = _existing(folder)
    kind = file_system(place)
    if name == "database" and is_remote(place):
        words = f"{folder} is on a network file system ({kind}), where SQLite is not safe: use a local folder"
        yield Check(f"{name} disk", Verdict.DOUBTFUL, words)
    elif kind is not None:
        yield Check(f"{name} disk", Verdict.GOOD, kind)


def _existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def _tried(name: str, attempt: Callable[[], str]) -> Check:
    try:
        return Check(name, Verdict.GOOD, attempt())
    except Exception as error:  # noqa: BLE001 (what a driver or a voice raises is what is to be found out)
        return Check(name, Verdict.BAD, str(error) or type(error).__name__)
