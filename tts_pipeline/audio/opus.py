"""How do the packets of all chapters become one .opus file?

Its clock runs at 48 kHz whatever the encoder was fed. The pre-skip, in the head, is the
priming of the first chapter; a page says before which sample it ends, pre-skip included,
and the last page so says where the book ends, which may be within a packet.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from tts_pipeline.audio.cover import usable_cover
from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.ogg import Pages
from tts_pipeline.audio.stored import ChapterAudio, marks, packets
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import common_settings, sample_count
from tts_pipeline.audio.vorbis import comments


def write_opus(path: Path, chapters: Sequence[ChapterAudio], tags: BookTags) -> None:
    """Write a book; memory holds one page at a time, and the cover."""
    records = [chapter.record for chapter in chapters]
    settings = common_settings(records)
    factor = settings.decoded_rate // settings.rate
    pre_skip = records[0].priming * factor
    with path.open("wb") as file:
        pages = Pages(file)
        pages.put(_head(pre_skip, settings.rate), 0)
        pages.end_page()
        pages.put(_tags(chapters, tags, settings.rate), 0)
        pages.end_page()
        _write_sound(pages, chapters, pre_skip + sample_count(records) * factor, factor)
        pages.close()


def _write_sound(pages: Pages, chapters: Sequence[ChapterAudio], end: int, factor: int) -> None:
    at = page_end = 0
    for chapter in chapters:
        size = chapter.record.frame_size * factor
        for packet in packets(chapter):
            if at >= page_end:  # a page a second: players seek to pages
                page_end = at + chapter.record.settings.decoded_rate
                if pages.is_begun:
                    pages.end_page()
            at += size
            pages.put(packet, min(at, end))


def _head(pre_skip: int, rate: int) -> bytes:
    return struct.pack("<8sBBHIhB", b"OpusHead", 1, 1, pre_skip, rate, 0, 0)


def _tags(chapters: Sequence[ChapterAudio], tags: BookTags, rate: int) -> bytes:
    named = marks(chapters)
    count = FORMATS["opus"].mark_count([mark.start for mark in named])
    return b"OpusTags" + comments(tags, named[:count], rate, usable_cover(tags.cover))
