"""How do encoded chapters become a book that players open?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tts_pipeline.audio.containers import write_m4b, write_mp3
from tts_pipeline.audio.flac import write_flac
from tts_pipeline.audio.formats import Format, usual_format
from tts_pipeline.audio.opus import write_opus
from tts_pipeline.audio.stored import ChapterAudio
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import common_settings
from tts_pipeline.audio.tracks import publish_tracks
from tts_pipeline.audio.wav import write_wav
from tts_pipeline.durable import whole

__all__ = ["ChapterAudio", "publish"]

_WRITERS: dict[str, Callable[[Path, Sequence[ChapterAudio], BookTags], None]] = {
    "m4b": write_m4b,
    "mp3": write_mp3,
    "opus": write_opus,
    "flac": write_flac,
    "wav": write_wav,
}


def publish(path: Path, chapters: Sequence[ChapterAudio], tags: BookTags, as_format: Format | None = None) -> None:
    """Write a book, whole or not at all; as its chapters are encoded where no format is given.

    DamagedFile where a chapter is not what its record says. Memory holds one chunk at a time, and of an m4b the index.
    A format of many files makes a folder of them; there each file is whole, and the list of them comes last.
    """
    settings = common_settings([chapter.record for chapter in chapters])
    chosen = as_format or usual_format(settings.codec)
    if chosen.codec is not settings.codec:
        raise ValueError(f"chapters encoded as {settings.codec} can't be published as {chosen.name}")
    if chosen.is_folder:
        publish_tracks(path, chapters, tags)
        return
    with whole(path) as partial:
        _WRITERS[chosen.name](partial, chapters, tags)
