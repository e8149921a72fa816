"""A published book opens in every player: one file, marks, tags and cover where they are looked for."""

import struct

import av
import mutagen
import mutagen.mp3
import mutagen.mp4
import pytest

from tts_pipeline.audio.cover import usable_cover
from tts_pipeline.audio.languages import three_letters
from tts_pipeline.audio.mux import ChapterAudio, publish
from tts_pipeline.audio.tags import BookTags
from tts_pipeline.audio.timeline import chapter_marks, sample_count
from tts_pipeline.errors import DamagedFile

from .mp4 import atoms, nero_marks, quicktime_marks
from .sounds import AAC, EVERY_CODEC, LOSSY, MP3, gif, jpeg, murmurs, png, published

TAGS = BookTags(
    "Les Misérables",
    author="Victor Hugo",
    narrator="Éva",
    language="fr-CA",
    year="1862",
    description="Un livre.",
    cover=png(),
)


def three(settings) -> list[ChapterAudio]:
    return [murmurs(seed, 1, settings) for seed in range(3)]


def records(chapters):
    return [audio.record for audio in chapters]


def many(settings, count: int) -> list[ChapterAudio]:
    kinds = [murmurs(seed, 1, settings) for seed in range(5)]
    return [
        ChapterAudio(audio.key, f"Chapter {n} é", audio.record, audio.chunks)
        for n, audio in enumerate((kinds * count)[:count])
    ]


@LOSSY
def test_the_packets_are_those_that_were_encoded(settings, tmp_path):
    chapters = three(settings)
    with av.open(str(published(tmp_path, chapters, TAGS))) as container:
        packets = [packet for packet in container.demux(audio=0) if packet.size]
    assert len(packets) == sum(audio.record.packet_count for audio in chapters)
    lasts = chapters[0].record.frame_size * packets[0].time_base.denominator // 24000
    assert {packet.duration for packet in packets[:-1]} == {lasts}
    assert packets[-1].duration <= lasts, "an Ogg file may end within a packet"


@EVERY_CODEC
def test_a_player_shows_its_duration(settings, tmp_path):
    chapters = three(settings)
    path, expected = published(tmp_path, chapters, TAGS), sample_count(records(chapters)) / 24000
    with av.open(str(path)) as container:
        assert container.duration / 1_000_000 == pytest.approx(expected, abs=0.030)
    assert mutagen.File(path).info.length == pytest.approx(expected, abs=0.050)


@EVERY_CODEC
def test_marks_stand_within_20_ms_over_200_chapters(settings, tmp_path):
    chapters = many(settings, 200)
    with av.open(str(published(tmp_path, chapters))) as container:
        marks = container.chapters()
    assert [mark["metadata"]["title"] for mark in marks] == [audio.title for audio in chapters]
    for mark, (start, _) in zip(marks, chapter_marks(records(chapters)), strict=True):
        assert float(mark["start"] * mark["time_base"]) == pytest.approx(start / 24000, abs=0.020)


def test_an_m4b_has_marks_for_apple_and_for_all_others(tmp_path):
    chapters = many(AAC, 300)
    data = published(tmp_path, chapters).read_bytes()
    expected = [start / 24000 for start, _ in chapter_marks(records(chapters))]
    quicktime, nero = quicktime_marks(data), nero_marks(data)
    assert [title for _, title in quicktime] == [audio.title for audio in chapters]
    assert [start for start, _ in quicktime] == pytest.approx(expected, abs=0.020)
    assert len(nero) == 255, "its count has one byte"
    assert [start for start, _ in nero] == pytest.approx(expected[:255], abs=0.020)


def test_an_mp3_has_marks_as_id3_has_them(tmp_path):
    chapters = many(MP3, 30)
    tags = mutagen.File(published(tmp_path, chapters)).tags
    found = [(tags[f"CHAP:{name}"].start_time, tags[f"CHAP:{name}"]) for name in tags["CTOC:toc"].child_element_ids]
    assert [frame.sub_frames["TIT2"].text[0] for _, frame in found] == [audio.title for audio in chapters]
    expected = [start / 24 for start, _ in chapter_marks(records(chapters))]
    assert [start for start, _ in found] == pytest.approx(expected, abs=20)


@pytest.mark.parametrize("count", [255, 256, 300])
def test_an_mp3_of_many_chapters_has_marks_for_all_of_them(count, tmp_path):
    path = published(tmp_path, many(MP3, count), TAGS)
    tags = mutagen.File(path).tags
    assert len(tags.getall("CHAP")) == count
    assert [len(table.child_element_ids) for table in tags.getall("CTOC")] == ([255] if count == 255 else [])
    assert tags.getall("APIC")[0].data == TAGS.cover
    with av.open(str(path)) as container:
        assert len(container.chapters()) == count


def test_the_tags_of_an_m4b_are_where_players_look(tmp_path):
    tags = mutagen.mp4.MP4(published(tmp_path, three(AAC), TAGS)).tags
    assert {key: tags[key][0] for key in tags if key != "covr"} == {
        "©nam": "Les Misérables",
        "©alb": "Les Misérables",
        "©ART": "Victor Hugo",
        "aART": "Victor Hugo",
        "©wrt": "Éva",
        "©nrt": "Éva",
        "©gen": "Audiobook",
        "©day": "1862",
        "desc": "Un livre.",
        "stik": 2,
    }
    assert (bytes(tags["covr"][0]), tags["covr"][0].imageformat) == (TAGS.cover, mutagen.mp4.MP4Cover.FORMAT_PNG)


def test_an_m4b_is_an_audiobook_with_its_index_in_front(tmp_path):
    data = published(tmp_path, three(AAC), TAGS).read_bytes()
    top = [atom for atom in atoms(data) if len(atom.path) == 1]
    assert [atom.name for atom in top if atom.name != b"free"] == [b"ftyp", b"moov", b"mdat"]
    assert top[0].body[:4] == b"M4B "


def test_players_are_told_once_to_leave_out_the_priming(tmp_path):
    data = published(tmp_path, three(AAC)).read_bytes()
    edits = [
        struct.unpack(">II", atom.body[:8]) + struct.unpack(">Ii", atom.body[8:16])
        for atom in atoms(data)
        if atom.name == b"elst"
    ]
    assert [edit[1] for edit in edits] == [1, 1]
    assert edits[0][3] == 1024


def test_the_language_is_that_of_the_sound(tmp_path):
    for settings in (AAC, MP3):
        with av.open(str(published(tmp_path, three(settings), TAGS))) as container:
            found = container.streams.audio[0].metadata.get("language") or container.metadata["language"]
            assert found == "fra"


def test_the_tags_of_an_mp3_are_where_players_look(tmp_path):
    tags = mutagen.mp3.MP3(published(tmp_path, three(MP3), TAGS)).tags
    expected = {
        "TIT2": "Les Misérables",
        "TALB": "Les Misérables",
        "TPE1": "Victor Hugo",
        "TPE2": "Victor Hugo",
        "TCOM": "Éva",
        "TLAN": "fra",
        "TCON": "Audiobook",
        "TDRC": "1862",
    }
    assert {key: str(tags[key].text[0]) for key in expected} == expected
    cover = tags.getall("APIC")[0]
    assert (cover.data, cover.mime, cover.type) == (TAGS.cover, "image/png", 3)
    assert tags.version[:2] == (2, 3)


def test_the_head_of_an_mp3_says_once_how_long_it_is_and_what_to_leave_out(tmp_path):
    chapters = three(MP3)
    data = published(tmp_path, chapters, TAGS).read_bytes()
    assert data.count(b"Info") + data.count(b"Xing") == 1
    head = data.index(b"Info")
    packets, size = struct.unpack_from(">II", data, head + 8)
    assert packets == sum(audio.record.packet_count for audio in chapters)
    assert size == len(data) - data.index(b"\xff\xf3", head - 64)
    delay = int.from_bytes(data[head + 120 + 21 : head + 120 + 24]) >> 12
    assert delay + 529 == chapters[0].record.priming


@EVERY_CODEC
def test_publishing_again_gives_the_same_file(settings, tmp_path):
    first = published(tmp_path / "first", three(settings), TAGS).read_bytes()
    assert published(tmp_path / "second", three(settings), TAGS).read_bytes() == first


@EVERY_CODEC
@pytest.mark.parametrize("place", [0, 3, 700, -3], ids=str)
def test_a_damaged_chapter_is_never_published(settings, place, tmp_path):
    chapters = three(settings)
    data = bytearray(chapters[1].chunks[0])
    data[place] ^= 0x55
    chapters[1] = ChapterAudio("chapters/ab/cd", "Damaged", chapters[1].record, [bytes(data)])
    with pytest.raises(DamagedFile, match="chapters/ab/cd"):
        publish(tmp_path / "book", chapters, TAGS)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_publication_leaves_the_old_book(tmp_path):
    path = published(tmp_path, three(AAC))
    before = path.read_bytes()
    broken = ChapterAudio("chapters/ab/cd", "Broken", three(AAC)[0].record, [b"no packet"])
    with pytest.raises(DamagedFile):
        publish(path, [broken], TAGS)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@EVERY_CODEC
def test_odd_texts_are_written_as_far_as_they_can_be(settings, tmp_path):
    odd = "Zeile\n zwei\0 \ud800 🎧 " + "é" * 400
    audio = murmurs(1, 1, settings)
    path = published(tmp_path, [ChapterAudio(audio.key, odd, audio.record, audio.chunks)], BookTags(odd, author=odd))
    with av.open(str(path)) as container:
        shown = container.metadata | container.streams.audio[0].metadata
        assert shown["title"].startswith("Zeile zwei ? 🎧 éé")
        assert container.chapters()[0]["metadata"]["title"].startswith("Zeile zwei ? 🎧 éé")


def test_a_chapter_without_a_title_has_a_number(tmp_path):
    audio = murmurs(1, 1)
    path = published(tmp_path, [ChapterAudio(audio.key, " ", audio.record, audio.chunks)] * 2)
    with av.open(str(path)) as container:
        assert [mark["metadata"]["title"] for mark in container.chapters()] == ["1", "2"]


@EVERY_CODEC
@pytest.mark.parametrize("cover", [jpeg(), gif(), png(3000, 2000)], ids=["jpeg", "gif", "large"])
def test_covers_of_all_kinds_are_shown(settings, cover, tmp_path):
    path = published(tmp_path, three(settings), BookTags("A title", cover=cover))
    with av.open(str(path)) as container:
        assert next(container.decode(video=0)).width in (8, 16, 3000)
        assert container.streams.video[0].codec_context.name in ("mjpeg", "png")


@pytest.mark.parametrize(
    "data",
    [b"", b"no picture", png()[:40], jpeg()[:30], b"#EXTM3U\nfile:///etc/hosts\n", b"RIFF????WAVE", b"BM" + bytes(60)],
    ids=["empty", "text", "half a png", "half a jpeg", "playlist", "wave", "zeros"],
)
def test_what_is_no_picture_is_left_out(data, tmp_path):
    assert usable_cover(data) is None
    published(tmp_path, three(AAC)[:1], BookTags("A title", cover=data))


def test_a_picture_as_it_is_stays_as_it_is():
    assert usable_cover(png()).data == png()
    assert usable_cover(jpeg()).data == jpeg()
    assert usable_cover(gif()).data.startswith(b"\xff\xd8\xff")


@pytest.mark.parametrize(
    ("tag", "code"),
    [("en", "eng"), ("pt-BR", "por"), ("ZH_hant", "zho"), ("gsw", "gsw"), ("xx", "und"), (None, "und"), ("", "und")],
)
def test_languages_have_three_letters(tag, code):
    assert three_letters(tag) == code
