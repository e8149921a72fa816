"""How do packets become an m4b or an mp3, which FFmpeg writes but for what it does not know?"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np
from av.container import OutputContainer
from av.packet import PacketSideData
from av.stream import Disposition, Stream

from tts_pipeline.audio.atoms import name_narrator
from tts_pipeline.audio.codec import CodecName, CodecSettings
from tts_pipeline.audio.cover import Picture, usable_cover
from tts_pipeline.audio.encoder import open_encoder
from tts_pipeline.audio.id3 import MOST_LISTED, hide_contents
from tts_pipeline.audio.stored import ChapterAudio, marks, packets
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import common_settings

if TYPE_CHECKING:
    from av.container import Chapter  # known to type checkers only

_FORMATS = {CodecName.AAC: "mp4", CodecName.MP3: "mp3"}
_OPTIONS = {
    # The index in front, so that playing starts at once; the brand that tells an audiobook from a song.
    CodecName.AAC: {"movflags": "+faststart", "brand": "M4B ", "fflags": "+bitexact"},
    CodecName.MP3: {"id3v2_version": "3", "fflags": "+bitexact"},
}


def write_m4b(path: Path, chapters: Sequence[ChapterAudio], tags: BookTags) -> None:
    """Write a book; memory holds the index (about 80 bytes a packet), written when all sizes are known."""
    _write(path, chapters, tags, tags.for_mp4(), _marks(chapters))
    name_narrator(path)


def write_mp3(path: Path, chapters: Sequence[ChapterAudio], tags: BookTags) -> None:
    """Write a book of one file."""
    _write(path, chapters, tags, tags.for_mp3(), _marks(chapters))
    if len(chapters) > MOST_LISTED:
        hide_contents(path)


def write_track(path: Path, chapter: ChapterAudio, tags: BookTags, track: dict[str, str]) -> None:
    """Write an mp3 of one chapter, whose tags differ from the book's in some."""
    _write(path, [chapter], tags, tags.for_mp3() | track, [])


def _write(
    path: Path, chapters: Sequence[ChapterAudio], tags: BookTags, metadata: dict[str, str], named: list[Chapter]
) -> None:
    settings = common_settings([chapter.record for chapter in chapters])
    options = _OPTIONS[settings.codec]
    with ExitStack() as stack:
        container = stack.enter_context(
            av.open(str(path), "w", format=_FORMATS[settings.codec], container_options=options)
        )
        audio = _audio_stream(container, settings, tags)
        container.metadata.update(metadata)
        container.set_chapters(named)
        picture = usable_cover(tags.cover)
        if picture is not None:
            _add_cover(container, picture, stack)
        for packet in _timed(chapters, settings, audio):
            container.mux_one(packet)


def _audio_stream(container: OutputContainer, settings: CodecSettings, tags: BookTags) -> av.AudioStream:
    """Add the stream; its encoder never encodes, it only says what the container has to know of the packets."""
    stream = container.add_stream(settings.encoder, rate=settings.rate, options=settings.options)
    assert isinstance(stream, av.AudioStream)
    stream.layout, stream.bit_rate, stream.time_base = "mono", settings.bit_rate, settings.time_base
    stream.metadata["language"] = tags.language_code
    return stream


def _marks(chapters: Sequence[ChapterAudio]) -> list[Chapter]:
    time_base = chapters[0].record.settings.time_base
    return [
        {"id": number, "start": mark.start, "end": mark.end, "time_base": time_base, "metadata": {"title": mark.title}}
        for number, mark in enumerate(marks(chapters), start=1)
    ]


def _add_cover(container: OutputContainer, picture: Picture, stack: ExitStack) -> None:
    source = stack.enter_context(av.open(io.BytesIO(picture.data), "r", format=picture.format))
    template = source.streams.video[0]
    stream = container.add_stream_from_template(template)
    stream.disposition = Disposition.attached_pic
    stream.metadata.update({"title": "Cover", "comment": "Cover (front)"})
    for packet in source.demux(template):
        if packet.size:
            packet.stream, packet.pts, packet.dts = stream, 0, 0
            container.mux_one(packet)
            return


def _timed(
    chapters: Iterable[ChapterAudio], settings: CodecSettings, stream: av.AudioStream
) -> Iterator[av.Packet[Stream]]:
    """Give all packets with their times, from before 0: what a player leaves out is the first chapter's priming."""
    at, time_base = None, settings.time_base
    for chapter in chapters:
        frame_size = chapter.record.frame_size
        for data in packets(chapter):
            packet = av.Packet(data)
            if at is None:
                at = -chapter.record.priming
                packet.set_sidedata(_delay(settings))
            packet.stream, packet.time_base = stream, time_base
            packet.pts = packet.dts = at
            packet.duration = frame_size
            at += frame_size
            yield packet


def _delay(settings: CodecSettings) -> PacketSideData:
    """Return the note of its delay that an encoder leaves on its first packet; an MP3's head is made from it."""
    encoder = open_encoder(settings)
    silence = np.zeros((1, 4 * encoder.frame_size), np.float32)
    frame = av.AudioFrame.from_ndarray(silence, "fltp", "mono")
    frame.rate, frame.pts, frame.time_base = settings.rate, 0, settings.time_base
    return PacketSideData.from_packet((*encoder.encode(frame), *encoder.encode(None))[0], "skip_samples")
