"""Clips in a store become a book, and whatever is missing or damaged on the way is named."""

from itertools import pairwise
from tempfile import SpooledTemporaryFile

import av
import pytest

from tts_pipeline.audio.captions import cues, vtt
from tts_pipeline.audio.clips import from_flac, to_flac
from tts_pipeline.audio.encode import Piece, chapter_key, encode_chapter
from tts_pipeline.audio.mux import ChapterAudio, publish
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import placed
from tts_pipeline.audio.verify import verify
from tts_pipeline.durable import write_whole
from tts_pipeline.errors import DamagedFile, NotStored
from tts_pipeline.store import Store, address

from .sounds import AAC, murmur

PAUSE_MS = 250


@pytest.fixture
def store(tmp_path) -> Store:
    return Store.open(tmp_path / "store")


def stored_clips(store: Store, chapter: int) -> list[tuple[str, str]]:
    """Render a chapter: return the key and the checksum of each of its clips."""
    clips = []
    for number in range(3):
        sound = murmur(chapter * 10 + number, 0.5 + 0.011 * number)
        key = address("clips", sound.checksum, ".flac")
        store.put(key, to_flac(sound))
        clips.append((key, sound.checksum))
    return clips


def encoded(store: Store, chapter: int) -> ChapterAudio:
    """Encode a chapter from the store to the store."""
    clips = stored_clips(store, chapter)
    pieces = (Piece(from_flac(store.get(key), checksum, key), PAUSE_MS) for key, checksum in clips)
    key = chapter_key([(checksum, PAUSE_MS) for _, checksum in clips], AAC)
    with SpooledTemporaryFile(max_size=1 << 20) as file:
        record = encode_chapter(pieces, AAC, file)
        file.seek(0)
        store.put(key, file)
    store.sync([key])
    return ChapterAudio(key, f"Chapter {chapter}", record, store.chunks(key))


def test_a_book_is_made_from_what_is_stored(store, tmp_path):
    chapters = [encoded(store, number) for number in range(3)]
    records = [chapter.record for chapter in chapters]
    book = tmp_path / "outputs" / "An author" / "A title" / "A title.m4b"
    publish(book, chapters, BookTags("A title", author="An author"))
    assert verify(book, records) == []
    items = [(item.first, item.end, f"Sentence {n}.") for n, item in enumerate(placed(records))]
    write_whole(book.with_suffix(".vtt"), vtt(cues(items, AAC.rate)))
    assert sorted(path.name for path in book.parent.iterdir()) == ["A title.m4b", "A title.vtt"]


def test_captions_read_back_in_step_with_the_sound(store, tmp_path):
    records = [encoded(store, number).record for number in range(2)]
    items = [(item.first, item.end, f"Sentence {n} & <i>.") for n, item in enumerate(placed(records))]
    path = tmp_path / "book.vtt"
    write_whole(path, vtt(cues(items, AAC.rate)))
    with av.open(str(path)) as container:
        shown = [(packet.pts, packet.pts + packet.duration) for packet in container.demux() if packet.size]
    assert shown == [(first // 24, end // 24) for first, end, _ in items]
    assert all(one[1] <= other[0] for one, other in pairwise(shown))


def test_a_chapter_that_was_damaged_in_the_store_is_named(store, tmp_path):
    chapter = encoded(store, 0)
    data = bytearray(store.get(chapter.key))
    data[len(data) // 2] ^= 1
    store.put(chapter.key, bytes(data))
    with pytest.raises(DamagedFile, match=chapter.key):
        publish(tmp_path / "book.m4b", [chapter], BookTags("A title"))
    assert not (tmp_path / "book.m4b").exists()


def test_a_chapter_that_is_gone_is_named(store, tmp_path):
    chapters = [encoded(store, 0), encoded(store, 1)]
    store.delete(chapters[1].key)
    with pytest.raises(NotStored, match=chapters[1].key):
        publish(tmp_path / "book.m4b", chapters, BookTags("A title"))
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_a_damaged_clip_stops_the_encoder(store):
    key, checksum = stored_clips(store, 0)[1]
    store.put(key, to_flac(murmur(99, 0.5)))
    with pytest.raises(DamagedFile, match=key):
        from_flac(store.get(key), checksum, key)
