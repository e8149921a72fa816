"""How does a book become an mp3 for each chapter, with a list to play them by?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tts_pipeline.audio.containers import write_track
from tts_pipeline.audio.playlist import PLAYLIST, track_names, track_paths
from tts_pipeline.audio.records import EncodedChapter
from tts_pipeline.audio.stored import ChapterAudio
from tts_pipeline.audio.tags import BookTags, chapter_title
from tts_pipeline.audio.timeline import track_marks
from tts_pipeline.durable import whole, write_whole


def publish_tracks(folder: Path, chapters: Sequence[ChapterAudio], tags: BookTags) -> None:
    """Write a file for each chapter into a folder, and the list last; then what only the former list had goes."""
    former = track_paths(folder)
    names = track_names([chapter.title for chapter in chapters])
    for number, (chapter, name) in enumerate(zip(chapters, names, strict=True), start=1):
        track = {"title": chapter_title(chapter.title, number), "track": f"{number}/{len(chapters)}"}
        with whole(folder / name) as partial:
            write_track(partial, chapter, tags, track)
    write_whole(folder / PLAYLIST, _playlist(chapters, names, tags))
    for path in former:
        if path.name not in names:
            path.unlink(missing_ok=True)


def seconds(record: EncodedChapter) -> float:
    """Return how long the file of a chapter plays."""
    ((_, end),) = track_marks([record])
    return end / record.settings.rate


def _playlist(chapters: Sequence[ChapterAudio], names: Sequence[str], tags: BookTags) -> Iterator[str]:
    yield f"#EXTM3U\n#PLAYLIST:{_line(tags.title)}\n"
    for number, (chapter, name) in enumerate(zip(chapters, names, strict=True), start=1):
        yield f"#EXTINF:{round(seconds(chapter.record))},{chapter_title(chapter.title, number)}\n{name}\n"


def _line(text: str) -> str:
    return " ".join(text.encode(errors="replace").decode().split())
