"""One command makes an audiobook that players can open and that holds every sentence."""

import re
from itertools import pairwise

import av
import mutagen.id3
import mutagen.mp4
import numpy as np
import pytest

from tests.acceptance.reader import TONE, book, loudness, samples
from tests.sample_book import EPUB, TEXT
from tests.tts_pipeline.audio.mp4 import nero_marks, quicktime_marks
from tests.tts_pipeline.documents.epubs import Epub, page

TITLES = [
    "CHAPTER I. The Shop in Lantern Street",
    "CHAPTER II. Eleven Minutes",
    "CHAPTER III. The Tower of St. Aldhelm",
    "CHAPTER IV. What the Bell Said",
]
FRAME = 1 / 24_000 * 1024


def times(captions: str) -> list[tuple[float, float]]:
    found = re.findall(r"(\d+):(\d+):(\d+)[.,](\d+) --> (\d+):(\d+):(\d+)[.,](\d+)", captions)
    return [(_seconds(*each[:4]), _seconds(*each[4:])) for each in found]


def _seconds(hours: str, minutes: str, seconds: str, rest: str) -> float:
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(rest) / 1000


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The sample as both formats, each from another kind of document."""
    from tests.acceptance.reader import Reader

    epub, text = Reader(tmp_path_factory.mktemp("epub")), Reader(tmp_path_factory.mktemp("text"))
    epub.types("run", EPUB, *TONE)
    text.types("run", TEXT, *TONE, "--format", "mp3")
    return epub, text


@pytest.fixture(params=["m4b from epub", "mp3 from txt"])
def one(request, made):
    """A published file of each kind, and who made it."""
    reader = made[0 if request.param.startswith("m4b") else 1]
    return reader, reader.published("." + request.param[:3])


def test_the_file_is_where_it_belongs_and_the_command_says_where(one):
    reader, file = one
    assert file.parent == reader.outputs / "The tts-pipeline authors" / "The Clockmaker's Daughter"
    again = reader.types("run", EPUB if file.suffix == ".m4b" else TEXT, *TONE, "--format", file.suffix[1:])
    assert again.stdout.startswith(str(file.relative_to(reader.folder)))
    assert "was there already" in again.stdout
    assert sorted(each.name for each in file.parent.iterdir()) == sorted(
        [file.name, f"{file.stem}.vtt", f"{file.stem}.srt", "report.json"]
    )


def test_its_length_is_that_of_its_samples_and_of_its_report(one):
    reader, file = one
    totals = reader.report()["totals"]
    sound = samples(file)
    assert len(sound) == totals["samples"]
    with av.open(str(file)) as container:
        assert container.duration / 1e6 == pytest.approx(totals["seconds"], abs=2 * FRAME)


def test_its_chapters_begin_where_their_headings_are_heard(one):
    reader, file = one
    report, sound = reader.report(), samples(file)
    with av.open(str(file)) as container:
        marks = [(float(mark["start"] * mark["time_base"]), mark["metadata"]["title"]) for mark in container.chapters()]
    assert [title for _, title in marks] == TITLES
    first_of_chapter = {}
    for line in report["sentences"]:
        first_of_chapter.setdefault(line["chapter"], line)
    for (start, _), line in zip(marks, first_of_chapter.values(), strict=True):
        assert start == pytest.approx(line["first"] / 24_000, abs=0.020)
        heard = int(line["first"] + np.argmax(np.abs(sound[line["first"] :]) > 0.02))
        assert start == pytest.approx(heard / 24_000, abs=0.060)  # the margin that a clip keeps, and a soft start


def test_every_kind_of_player_finds_the_marks_of_an_m4b(made):
    data = made[0].published().read_bytes()
    assert [title for _, title in quicktime_marks(data)] == TITLES
    nero, apple = nero_marks(data), quicktime_marks(data)
    assert [title for _, title in nero] == TITLES
    assert [start for start, _ in nero] == pytest.approx([start for start, _ in apple], abs=0.020)


def test_tags_and_cover_of_an_m4b(made):
    tags = mutagen.mp4.MP4(made[0].published())
    assert (tags["\xa9nam"], tags["\xa9alb"]) == (["The Clockmaker's Daughter"], ["The Clockmaker's Daughter"])
    assert (tags["\xa9ART"], tags["aART"]) == (["The tts-pipeline authors"], ["The tts-pipeline authors"])
    assert (tags["\xa9wrt"], tags["\xa9nrt"], tags["stik"]) == (["tone"], ["tone"], [2])
    assert tags["covr"][0].startswith(b"\x89PNG")


def test_tags_of_an_mp3(made):
    tags = mutagen.id3.ID3(made[1].published(".mp3"))
    assert (tags["TIT2"], tags["TPE1"], tags["TCOM"]) == (
        "The Clockmaker's Daughter",
        "The tts-pipeline authors",
        "tone",
    )
    assert tags["TLAN"] == "eng"
    assert [str(tags[f"CHAP:{key}"].sub_frames["TIT2"]) for key in tags["CTOC:toc"].child_element_ids] == TITLES


def test_captions_are_in_step_with_what_is_heard(one):
    reader, file = one
    sentences, sound = reader.report()["sentences"], samples(file)
    vtt, srt = (file.with_suffix(ending).read_text(encoding="utf-8") for ending in (".vtt", ".srt"))
    assert times(vtt) == times(srt)
    assert len(times(vtt)) == len(sentences)
    for (start, end), line in zip(times(vtt), sentences, strict=True):
        assert (start, end) == pytest.approx((line["first"] / 24_000, line["end"] / 24_000), abs=0.0011)
        assert loudness(sound, int(start * 24_000), int(end * 24_000)) > 0.02
    assert '"That is how you know they are alive," said Mr. Pell,' in " ".join(vtt.split())


def test_between_two_sentences_it_is_silent(one):
    reader, file = one
    sentences, sound = reader.report()["sentences"], samples(file)
    for before, after in pairwise(sentences):
        middle = (before["end"] + after["first"]) // 2
        assert after["first"] - before["end"] >= 0.1 * 24_000
        assert loudness(sound, middle - 300, middle + 300) < 0.005


def test_the_report_leads_from_every_sentence_to_its_place_in_the_source(made):
    source = TEXT.read_bytes().decode()
    lines = made[1].report()["sentences"]
    assert [line["number"] for line in lines] == sorted(line["number"] for line in lines)
    starts = [source[line["source"]["offset"] :] for line in lines]
    assert starts[0].startswith("THE CLOCKMAKER'S DAUGHTER")
    assert any(start.startswith('"That is how you know they are alive,"') for start in starts)
    assert all(start[0].isalnum() or start[0] in "\"'_“‘(" for start in starts)


def test_the_best_installed_voice_reads_by_default(reader):
    source = reader.writes("short.txt", "THE KETTLE\n\nIt was a quiet morning. Then the kettle sang.\n")
    reader.types("run", source)
    report = reader.report()
    assert {line["engine"] for line in report["sentences"]} == {"hibari"}
    assert loudness(samples(reader.published()), report["sentences"][1]["first"], report["sentences"][1]["end"]) > 0.01


def test_pyttsx3_reads_where_it_is_asked_to(reader):
    source = reader.writes("kurz.txt", "DER KESSEL\n\nEs war ein stiller Morgen. Dann sang der Kessel.\n")
    reader.types("run", source, "--engine", "pyttsx3", "--language", "de")
    report = reader.report()
    assert {line["engine"] for line in report["sentences"]} == {"pyttsx3"}
    assert report["book"]["language"] == "de"


def test_several_books_at_once_and_one_that_cannot_be_read(reader):
    first, second = (reader.writes(f"{name}.txt", book(1, 3, name)) for name in ("walk", "sail"))
    broken = reader.writes("broken.epub", "no epub at all")
    run = reader.types("run", first, broken, second, *TONE, exit_code=1)
    assert len(run.stdout.splitlines()) == 2
    (line,) = [line for line in run.stderr.splitlines() if "broken.epub" in line]
    assert line.startswith("tts-pipeline: ")
    assert {each.stem for each in reader.outputs.rglob("*.m4b")} == {"The Walk", "The Sail"}


def test_two_books_of_one_title_do_not_share_a_folder(reader):
    one, two = reader.writes("a.txt", book(1, 3)), reader.writes("b.txt", book(1, 4))
    reader.types("run", one, two, *TONE)
    assert sorted(each.parent.name for each in reader.outputs.rglob("*.m4b")) == ["The Walk", "The Walk (2)"]


def test_another_format_is_made_of_the_same_clips(reader):
    source = reader.writes("walk.txt", book())
    reader.types("run", source, *TONE)
    before = reader.stored("clips")
    reader.types("run", source, *TONE, "--format", "mp3")
    assert reader.stored("clips") == before
    assert len(samples(reader.published(".mp3"))) == reader.report("report.mp3.json")["totals"]["samples"]
    assert [each["path"].rpartition(".")[2] for each in reader.told("status", "walk")["files"]] == ["m4b", "mp3"]
    reader.types("verify")


def test_a_passage_in_another_language_has_its_own_voice(reader):
    body = '<p>He bowed.</p><p xml:lang="fr">Bonjour, mes amis.</p><p>Nobody answered.</p>'
    source = Epub({"one.xhtml": page(body)}).write(reader.folder / "polite.epub")
    reader.types("run", source, "--engine", "hibari")
    assert [line["engine"] for line in reader.report()["sentences"]] == ["hibari", "pyttsx3", "hibari"]
