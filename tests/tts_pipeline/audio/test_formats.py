"""A book comes in every format with the same chapters, tags, cover and length, and from the same clips."""

import base64
import hashlib
import io
import struct

import av
import mutagen
import mutagen.flac
import mutagen.wave
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tts_pipeline.audio import wav
from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.codec import CodecName, CodecSettings
from tts_pipeline.audio.encode import Piece
from tts_pipeline.audio.formats import FORMATS, parse_formats
from tts_pipeline.audio.mux import ChapterAudio, publish
from tts_pipeline.audio.ogg import Pages, checksum
from tts_pipeline.audio.playlist import PLAYLIST, track_names, track_paths
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import chapter_marks, placed, sample_count
from tts_pipeline.audio.verify import verify
from tts_pipeline.audio.wav import write_wav
from tts_pipeline.errors import BadSetting, DamagedFile, NotStored

from .sounds import (
    EVERY_FORMAT,
    FLAC,
    MP3,
    ONE_FILE,
    OPUS,
    RATE,
    chapter,
    heard,
    jpeg,
    murmur,
    murmurs,
    png,
    published,
)
from .test_timeline import lag

TAGS = BookTags(
    "Les Misérables",
    author="Victor Hugo",
    narrator="Éva",
    language="fr-CA",
    year="1862",
    description="Un livre.",
    cover=png(),
)
LOSSLESS = pytest.mark.parametrize("name", ["flac", "wav"])


def book(as_format, count: int = 3) -> list[ChapterAudio]:
    return [murmurs(seed, settings=as_format.settings(RATE)) for seed in range(count)]


def records(chapters):
    return [audio.record for audio in chapters]


def exact(chapters, as_format) -> int:
    """Return how many samples a decoder is to give."""
    settings = chapters[0].record.settings
    if as_format.is_folder:
        return sum(audio.record.duration - audio.record.priming for audio in chapters)
    return sample_count(records(chapters)) * settings.decoded_rate // settings.rate


@EVERY_FORMAT
def test_a_decoder_gives_exactly_the_samples_of_the_timeline(as_format, tmp_path):
    chapters = book(as_format)
    path = published(tmp_path, chapters, TAGS, as_format)
    count = 0
    for file in track_paths(path) if as_format.is_folder else [path]:
        with av.open(str(file)) as container:
            count += sum(frame.samples for frame in container.decode(audio=0))
    assert count == exact(chapters, as_format)


@ONE_FILE
def test_every_reader_finds_length_title_cover_and_chapters(as_format, tmp_path):
    chapters = book(as_format)
    path = published(tmp_path, chapters, TAGS, as_format)
    seconds = sample_count(records(chapters)) / RATE
    with av.open(str(path)) as container:
        shown = container.metadata | container.streams.audio[0].metadata
        assert {key: shown[key] for key in ("title", "album", "artist", "album_artist", "composer", "date")} == {
            "title": "Les Misérables",
            "album": "Les Misérables",
            "artist": "Victor Hugo",
            "album_artist": "Victor Hugo",
            "composer": "Éva",
            "date": "1862",
        }
        found = [float(mark["start"] * mark["time_base"]) for mark in container.chapters()]
        assert found == pytest.approx([start / RATE for start, _ in chapter_marks(records(chapters))], abs=0.001)
        assert [mark["metadata"]["title"] for mark in container.chapters()] == [audio.title for audio in chapters]
        assert container.duration / 1_000_000 == pytest.approx(seconds, abs=0.030)
    file = mutagen.File(path)
    assert file.info.length == pytest.approx(seconds, abs=0.050)
    assert cover_of(file) == TAGS.cover


def cover_of(file) -> bytes:
    if isinstance(file, mutagen.flac.FLAC):
        return file.pictures[0].data
    tags = file.tags
    if "covr" in tags:
        return bytes(tags["covr"][0])
    if "metadata_block_picture" in tags:
        return mutagen.flac.Picture(base64.b64decode(tags["metadata_block_picture"][0])).data
    return tags.getall("APIC")[0].data


@ONE_FILE
def test_each_item_is_heard_where_the_timeline_says(as_format, tmp_path):
    chapters = book(as_format)
    found = heard(published(tmp_path, chapters, TAGS, as_format))
    for item in placed(records(chapters)):
        clip = murmur(item.chapter * 100 + item.item, 0.7 + 0.013 * item.item + 0.007 * item.chapter).samples
        assert abs(lag(found, clip, item.first)) <= 1


@LOSSLESS
def test_nothing_is_lost_of_the_clips(name, tmp_path):
    clips = [murmur(n, 0.3 + n / 100) for n in range(6)]
    chapters = [chapter([Piece(clip, 100) for clip in clips[n : n + 2]], FLAC) for n in (0, 2, 4)]
    found = np.round(heard(published(tmp_path, chapters, TAGS, FORMATS[name])) * 32768).astype(np.int16)
    gap = np.zeros(RATE // 10, np.int16)
    assert np.array_equal(found, np.concatenate([part for clip in clips for part in (clip.samples, gap)]))


@EVERY_FORMAT
def test_publishing_again_gives_the_same_bytes(as_format, tmp_path):
    def contents(path):
        return [file.read_bytes() for file in (sorted(path.iterdir()) if path.is_dir() else [path])]

    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
    first, second = (published(tmp_path / folder, book(as_format), TAGS, as_format) for folder in ("first", "second"))
    assert contents(first) == contents(second)


@pytest.mark.parametrize("as_format", [FORMATS["flac"], FORMATS["wav"]], ids=lambda known: known.name)
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"x" * 99])
def test_a_damaged_lossless_chapter_is_never_published(as_format, damage, tmp_path):
    chapters = book(as_format)
    chapters[1] = ChapterAudio("chapters/ab", "Damaged", chapters[1].record, [damage(chapters[1].chunks[0])])
    with pytest.raises(DamagedFile, match="chapters/ab"):
        publish(tmp_path / "book", chapters, TAGS, as_format)
    assert list(tmp_path.iterdir()) == []


@EVERY_FORMAT
def test_a_chapter_that_is_gone_is_named(as_format, tmp_path):
    def gone():
        raise NotStored("chapters/gone")
        yield b""

    chapters = book(as_format)
    chapters[1] = ChapterAudio("chapters/gone", "Gone", chapters[1].record, gone())
    with pytest.raises(NotStored, match="chapters/gone"):
        published(tmp_path, chapters, TAGS, as_format)


@EVERY_FORMAT
def test_a_chapter_in_which_nothing_is_said_is_published(as_format, tmp_path):
    settings = as_format.settings(RATE)
    chapters = [chapter([], settings), chapter([Piece(murmur(1, 0.5), 0)], settings), chapter([], settings)]
    assert verify(published(tmp_path, chapters, TAGS, as_format), records(chapters), as_format) == []


def test_one_chapter_serves_both_lossless_formats(tmp_path):
    chapters = book(FORMATS["flac"])
    for name in ("flac", "wav"):
        path = published(tmp_path, chapters, TAGS, FORMATS[name])
        assert verify(path, records(chapters), FORMATS[name]) == []


def test_chapters_are_not_published_as_what_they_are_not(tmp_path):
    with pytest.raises(ValueError, match="encoded as mp3 can't be published as opus"):
        publish(tmp_path / "book", [murmurs(1, 1, MP3)], TAGS, FORMATS["opus"])


# Opus


def test_an_opus_file_says_once_what_to_leave_out(tmp_path):
    data = published(tmp_path, book(FORMATS["opus"])).read_bytes()
    assert data.count(b"OpusHead") == 1
    at = data.index(b"OpusHead")
    pre_skip, rate = struct.unpack_from("<HI", data, at + 10)
    assert (pre_skip, rate) == (312, RATE), "in samples of 48 kHz, whatever the encoder was fed"


def test_an_opus_file_ends_with_the_last_sample(tmp_path):
    chapters = book(FORMATS["opus"])
    last = chapters[-1].record
    assert last.duration - last.priming != last.sample_count
    found = heard(published(tmp_path, chapters))
    assert len(found) == chapter_marks(records(chapters))[-1][0] + last.sample_count


@given(st.integers(1, 2000))
def test_the_last_sample_of_an_opus_file_is_in_its_last_packet(count):
    """A player leaves out the end of one packet, and no more than that."""
    record = chapter([Piece(Sound(np.full(count, 900, np.int16), RATE), 0)], OPUS).record
    assert 0 <= record.duration - record.priming - record.sample_count < record.frame_size


def test_every_page_of_an_ogg_file_is_whole(tmp_path):
    data = published(tmp_path, book(FORMATS["opus"]), BookTags("A title", cover=png(900, 900) * 3)).read_bytes()
    at, number, flags = 0, 0, []
    while at < len(data):
        _, _, kind, _, _, found, summed, count = struct.unpack_from("<4sBBqIIIB", data, at)
        end = at + 27 + count + sum(data[at + 27 : at + 27 + count])
        page = data[at : at + 22] + bytes(4) + data[at + 26 : end]
        assert (found, summed) == (number, slow_checksum(page))
        flags.append(kind)
        at, number = end, number + 1
    assert (flags[0], flags[-1]) == (2, 4)
    assert set(flags[1:-1]) <= {0, 1}


def slow_checksum(data: bytes) -> int:
    """Ogg's checksum as its specification has it, bit by bit."""
    register = 0
    for byte in data:
        register ^= byte << 24
        for _ in range(8):
            register = (register << 1 ^ (0x04C11DB7 if register >> 31 else 0)) & 0xFFFFFFFF
    return register


@given(st.binary(max_size=200))
def test_the_fast_checksum_is_that_of_the_specification(data):
    assert checksum(data) == slow_checksum(data)


@given(st.lists(st.integers(0, 140_000), min_size=1, max_size=5))
def test_packets_of_every_size_come_out_of_their_pages(sizes):
    file, sent = io.BytesIO(), [bytes([n + 1]) * size for n, size in enumerate(sizes)]
    pages = Pages(file)
    for packet in sent:
        pages.put(packet, 0)
    pages.close()
    data, at, found, part = file.getvalue(), 0, [], b""
    while at < len(data):
        count = data[at + 26]
        assert bool(data[at + 5] & 1) == bool(part)
        body = at + 27 + count
        for size in data[at + 27 : body]:
            part += data[body : body + size]
            body += size
            if size < 255:
                found.append(part)
                part = b""
        at = body
    assert found == sent


# FLAC


def test_a_player_finds_any_place_of_a_flac_at_once(tmp_path):
    clip = murmur(1, 3)
    chapters = [chapter([Piece(clip, 0) for _ in range(15)], FLAC)] * 2  # 90 seconds
    path = published(tmp_path, chapters)
    points = mutagen.flac.FLAC(path).seektable.seekpoints
    data = path.read_bytes()
    start = data.index(b"\xff\xf8", data.index(TAGS.genre.encode()))
    assert len(points) == 10
    for number, (sample, offset, size) in enumerate(points):
        assert sample == number * points[1][0]
        assert size == 2304
        assert data[start + offset : start + offset + 2] == b"\xff\xf8"
    assert points[1][0] == pytest.approx(10 * RATE, abs=2304)


def test_a_flac_has_the_md5_of_its_samples(tmp_path):
    path = published(tmp_path, book(FORMATS["flac"]))
    samples = np.round(heard(path) * 32768).astype("<i2")
    info = mutagen.flac.FLAC(path).info
    assert info.md5_signature == int.from_bytes(hashlib.md5(samples.tobytes(), usedforsecurity=False).digest())
    assert info.total_samples == len(samples)


# WAV


def test_a_wav_beyond_4_gb_says_so_in_its_head():
    count = 3 << 30
    found = wav.head(RATE, count, b"")
    assert found[:12] == b"RF64\xff\xff\xff\xffWAVE"
    assert found[12:20] == b"ds64\x1c\0\0\0"
    riff, data, samples, table = struct.unpack_from("<QQQI", found, 20)
    assert (data, samples, table) == (count * 2, count, 0)
    assert riff == len(found) + data - 8
    assert found[-8:] == b"data\xff\xff\xff\xff"


@pytest.mark.parametrize("more", [0, 1])
def test_the_head_changes_exactly_where_the_sizes_no_longer_fit(more):
    room = ((1 << 32) - 1 - 36) // 2
    found = wav.head(RATE, room + more, b"")
    assert found[:4] == (b"RF64" if more else b"RIFF")
    if not more:
        assert struct.unpack_from("<I", found, 4)[0] == len(found) - 8 + room * 2


def test_a_long_wav_is_opened_like_a_short_one(tmp_path):
    chapters = book(FORMATS["wav"])
    path = tmp_path / "book.wav"
    write_wav(path, chapters, TAGS, most_riff_bytes=1000)
    assert path.read_bytes()[:4] == b"RF64"
    assert verify(path, records(chapters), FORMATS["wav"]) == []
    with av.open(str(path)) as container:
        assert container.metadata["title"] == "Les Misérables"
        assert container.duration / 1_000_000 == pytest.approx(sample_count(records(chapters)) / RATE, abs=0.001)


def test_the_sizes_in_a_wav_are_those_of_its_blocks(tmp_path):
    data = published(tmp_path, book(FORMATS["wav"]), BookTags("Odd", cover=jpeg()), FORMATS["wav"]).read_bytes()
    names, at = [], 12
    while at < len(data):
        names.append(data[at : at + 4])
        size = struct.unpack_from("<I", data, at + 4)[0]
        at += 8 + size + size % 2
    assert names == [b"fmt ", b"LIST", b"cue ", b"LIST", b"id3 ", b"data"]
    assert at == len(data) == struct.unpack_from("<I", data, 4)[0] + 8


# One file per chapter


def test_each_chapter_is_a_track_of_the_album(tmp_path):
    chapters = book(FORMATS["mp3-chapters"])
    folder = published(tmp_path, chapters, TAGS, FORMATS["mp3-chapters"])
    paths = track_paths(folder)
    assert [path.name for path in paths] == ["01 - Chapter 0.mp3", "02 - Chapter 1.mp3", "03 - Chapter 2.mp3"]
    for number, (path, audio) in enumerate(zip(paths, chapters, strict=True), start=1):
        file = mutagen.File(path)
        assert {key: str(file.tags[key].text[0]) for key in ("TIT2", "TALB", "TPE1", "TRCK")} == {
            "TIT2": audio.title,
            "TALB": "Les Misérables",
            "TPE1": "Victor Hugo",
            "TRCK": f"{number}/3",
        }
        assert file.tags.getall("APIC")[0].data == TAGS.cover
        assert file.info.length == pytest.approx(audio.record.seconds, abs=0.001)
        assert path.read_bytes().count(b"Info") == 1


def test_the_playlist_names_every_track_with_its_length(tmp_path):
    folder = published(tmp_path, book(FORMATS["mp3-chapters"], 2), TAGS, FORMATS["mp3-chapters"])
    assert (folder / PLAYLIST).read_text(encoding="utf-8").splitlines() == [
        "#EXTM3U",
        "#PLAYLIST:Les Misérables",
        "#EXTINF:3,Chapter 0",
        "01 - Chapter 0.mp3",
        "#EXTINF:3,Chapter 1",
        "02 - Chapter 1.mp3",
    ]


def test_tracks_that_a_new_publication_lacks_are_gone(tmp_path):
    as_format = FORMATS["mp3-chapters"]
    folder = published(tmp_path, book(as_format, 3), TAGS, as_format)
    (folder / "notes.txt").write_text("mine")
    (folder / "04 - Mine.mp3").write_text("mine")
    again = book(as_format, 2)
    again[1] = ChapterAudio(again[1].key, "Renamed", again[1].record, again[1].chunks)
    publish(folder, again, TAGS, as_format)
    assert sorted(path.name for path in folder.iterdir()) == [
        "01 - Chapter 0.mp3",
        "02 - Renamed.mp3",
        "04 - Mine.mp3",
        "notes.txt",
        PLAYLIST,
    ]


def test_a_playlist_can_point_nowhere_else(tmp_path):
    (tmp_path / PLAYLIST).write_text("#EXTM3U\n../../secret.mp3\n/etc/passwd\n01 - Good.mp3\n", encoding="utf-8")
    assert [path.name for path in track_paths(tmp_path)] == ["01 - Good.mp3"]


def test_a_damaged_chapter_leaves_the_former_list(tmp_path):
    as_format = FORMATS["mp3-chapters"]
    folder = published(tmp_path, book(as_format), TAGS, as_format)
    before = (folder / PLAYLIST).read_bytes()
    chapters = book(as_format)
    chapters[2] = ChapterAudio("chapters/ab", "Other", chapters[2].record, [b"no packet"])
    with pytest.raises(DamagedFile):
        publish(folder, chapters, TAGS, as_format)
    assert (folder / PLAYLIST).read_bytes() == before
    assert all(path.exists() for path in track_paths(folder))


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["One", ""], ["01 - One.mp3", "02.mp3"]),
        (["a/b: c?", "CON"], ["01 - a-b - c.mp3", "02 - CON.mp3"]),
        (["Same", "Same"], ["01 - Same.mp3", "02 - Same.mp3"]),
    ],
)
def test_names_of_tracks_are_safe_and_differ(titles, names):
    assert track_names(titles) == names


def test_names_of_many_tracks_sort_as_they_are_played():
    names = track_names([f"Chapter {n}" for n in range(1000)])
    assert names == sorted(names)
    assert names[0].startswith("0001 - ")


# The list of formats


def test_formats_are_asked_for_by_name():
    assert [known.name for known in parse_formats("m4b, MP3,.opus,m4b")] == ["m4b", "mp3", "opus"]


@pytest.mark.parametrize("text", ["ogg", "m4b,,mp3", ""])
def test_an_unknown_format_is_refused_with_those_that_are_known(text):
    with pytest.raises(BadSetting, match="m4b, mp3, mp3-chapters, opus, flac, wav"):
        parse_formats(text)


def test_formats_share_the_clips_and_those_of_one_codec_the_chapters():
    settings = {name: known.settings(22050) for name, known in FORMATS.items()}
    assert settings["mp3"] == settings["mp3-chapters"]
    assert settings["flac"] == settings["wav"]
    assert settings["opus"].rate == 24000, "Opus has no 22050"


def test_a_lossless_codec_has_no_bit_rate_and_others_their_own():
    assert [FORMATS[name].settings(RATE).bit_rate for name in ("m4b", "opus", "flac")] == [64000, 32000, 0]
    assert FORMATS["flac"].settings(RATE, bit_rate=64000) == FORMATS["flac"].settings(RATE)
    assert FORMATS["opus"].settings(RATE, bit_rate=24000).bit_rate == 24000
    for wrong in (0, 500, 999_000):
        with pytest.raises(ValueError, match="bit rate"):
            CodecSettings(codec=CodecName.AAC, bit_rate=wrong)


@pytest.mark.parametrize("name", ["opus", "flac", "wav"])
def test_a_book_of_a_thousand_chapters_is_marked_as_far_as_its_marks_go(name, tmp_path):
    audio = chapter([Piece(murmur(1, 0.05), 0)], FORMATS[name].settings(RATE))
    path = published(tmp_path, [audio] * 1001, TAGS, FORMATS[name])
    with av.open(str(path)) as container:
        assert len(container.chapters()) == (1001 if name == "wav" else 999)
    assert verify(path, [audio.record] * 1001, FORMATS[name]) == []


def test_a_wav_marks_what_32_bits_can_point_to():
    assert FORMATS["wav"].mark_count([0, 1 << 31, (1 << 32) - 1, 1 << 32]) == 3


def test_opus_is_marked_and_placed_by_the_clock_of_its_clips():
    record = chapter([Piece(murmur(1, 0.5), 0)], OPUS).record
    assert (record.frame_size, record.priming, record.items[0].end) == (480, 156, 12000)
