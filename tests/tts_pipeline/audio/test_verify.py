"""Whatever is wrong with a published file is found, and where."""

import numpy as np
import pytest

from tts_pipeline.audio.clips import Sound
from tts_pipeline.audio.encode import Piece
from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.playlist import PLAYLIST, track_paths
from tts_pipeline.audio.verify import Flaw, verify

from .sounds import AAC, EVERY_CODEC, EVERY_FORMAT, MP3, chapter, murmur, murmurs, published


def book(settings, count: int = 4):
    chapters = [murmurs(seed, settings=settings) for seed in range(count)]
    return chapters, [audio.record for audio in chapters]


def flaws(findings):
    return {finding.flaw for finding in findings}


@EVERY_FORMAT
def test_a_good_book_has_no_findings(as_format, tmp_path):
    chapters, records = book(as_format.settings(24000))
    assert verify(published(tmp_path, chapters, as_format=as_format), records, as_format) == []


@EVERY_CODEC
def test_a_book_that_was_cut_off_lacks_its_last_chapters(settings, tmp_path):
    chapters, records = book(settings)
    path = published(tmp_path, chapters)
    path.write_bytes(path.read_bytes()[: -path.stat().st_size // 3])
    findings = verify(path, records)
    assert {Flaw.PACKETS, Flaw.SAMPLES, Flaw.SILENT} <= flaws(findings)
    assert {finding.chapter for finding in findings if finding.flaw is Flaw.PACKETS} == {2, 3}
    assert (3, 2) in {(finding.chapter, finding.item) for finding in findings if finding.flaw is Flaw.SILENT}


@pytest.mark.parametrize("settings", [AAC, MP3], ids=lambda settings: settings.codec)
def test_one_changed_byte_is_found_in_its_chapter(settings, tmp_path):
    chapters, records = book(settings)
    path = published(tmp_path, chapters)
    data = bytearray(path.read_bytes())
    stored = bytes(chapters[2].chunks[0])
    part = stored[len(stored) // 2 :][100:116]
    data[data.index(part) + 8] ^= 0x10
    path.write_bytes(bytes(data))
    findings = verify(path, records)
    assert {finding.chapter for finding in findings if finding.flaw is Flaw.PACKETS} == {2}


@pytest.mark.parametrize("as_format", [FORMATS["opus"], FORMATS["flac"], FORMATS["wav"]], ids=lambda known: known.name)
def test_one_changed_byte_is_found_from_its_chapter_on(as_format, tmp_path):
    """A page or a frame goes with it, so that what follows no longer stands at its place."""
    chapters, records = book(as_format.settings(24000))
    path = published(tmp_path, chapters, as_format=as_format)
    data = bytearray(path.read_bytes())
    data[len(data) * 5 // 8] ^= 0x10
    path.write_bytes(bytes(data))
    found = {finding.chapter for finding in verify(path, records, as_format) if finding.flaw is Flaw.PACKETS}
    assert min(found) == 2


def test_a_track_that_is_gone_or_another_is_found(tmp_path):
    as_format = FORMATS["mp3-chapters"]
    chapters, records = book(MP3)
    path = published(tmp_path, chapters, as_format=as_format)
    tracks = track_paths(path)
    tracks[1].write_bytes(tracks[2].read_bytes())
    tracks[3].unlink()
    findings = verify(path, records, as_format)
    assert (Flaw.PACKETS, 1) in {(finding.flaw, finding.chapter) for finding in findings}
    assert [finding.chapter for finding in findings if finding.flaw is Flaw.UNREADABLE] == [3]
    (path / PLAYLIST).unlink()
    assert flaws(verify(path, records, as_format)) == {Flaw.UNREADABLE}


@EVERY_CODEC
def test_chapters_in_another_order_are_found(settings, tmp_path):
    chapters, records = book(settings)
    path = published(tmp_path, [chapters[0], chapters[2], chapters[1], chapters[3]])
    findings = verify(path, records)
    assert {finding.chapter for finding in findings if finding.flaw is Flaw.PACKETS} == {1, 2}


def test_a_mark_at_the_wrong_place_is_found(tmp_path):
    chapters, records = book(AAC, 2)
    longer = murmurs(0, 4)
    findings = verify(published(tmp_path, [longer, chapters[1]]), records)
    assert [finding.chapter for finding in findings if finding.flaw is Flaw.MARKS] == [1]


def test_a_missing_chapter_is_found(tmp_path):
    chapters, records = book(AAC, 3)
    findings = verify(published(tmp_path, chapters[:2]), records)
    assert {Flaw.MARKS, Flaw.PACKETS, Flaw.SAMPLES} <= flaws(findings)


def test_a_chapter_too_many_is_found(tmp_path):
    chapters, records = book(AAC, 3)
    findings = verify(published(tmp_path, chapters), records[:2])
    assert Flaw.PACKETS in flaws(findings)
    assert any("belong to no chapter" in finding.reason for finding in findings)


@EVERY_CODEC
def test_a_sentence_that_is_not_heard_is_found(settings, tmp_path):
    clips = [murmur(n, 0.6) for n in range(3)]
    spoken = chapter([Piece(clip, 200) for clip in clips], settings)
    clips[1] = Sound(np.zeros_like(clips[1].samples), 24000)
    silent = chapter([Piece(clip, 200) for clip in clips], settings)
    pretended = silent.record.model_copy(update={"items": spoken.record.items})
    findings = verify(published(tmp_path, [silent]), [pretended])
    assert [(finding.flaw, finding.chapter, finding.item) for finding in findings] == [(Flaw.SILENT, 0, 1)]
    assert [finding.item for finding in verify(published(tmp_path, [silent]), [silent.record])] == [1]


@EVERY_CODEC
def test_a_sentence_that_is_far_too_soft_is_found(settings, tmp_path):
    loud = chapter([Piece(murmur(1, 0.6), 200)], settings)
    soft = chapter([Piece(Sound(murmur(1, 0.6).samples // 10, 24000), 200)], settings)
    pretended = soft.record.model_copy(update={"items": loud.record.items})
    assert flaws(verify(published(tmp_path, [soft]), [pretended])) == {Flaw.SILENT}


def test_an_item_with_nothing_to_say_is_no_hole(tmp_path):
    audio = chapter([Piece(murmur(1, 0.5), 100), Piece(None, 800), Piece(murmur(2, 0.5), 100)])
    assert verify(published(tmp_path, [audio]), [audio.record]) == []


@pytest.mark.parametrize("content", [b"", b"no book", bytes(5000)])
@EVERY_CODEC
def test_what_is_no_book_is_unreadable(settings, content, tmp_path):
    (tmp_path / "book").write_bytes(content)
    assert flaws(verify(tmp_path / "book", book(settings, 1)[1])) == {Flaw.UNREADABLE}


def test_a_book_that_is_gone_is_unreadable(tmp_path):
    assert flaws(verify(tmp_path / "gone", book(AAC, 1)[1])) == {Flaw.UNREADABLE}
