"""Whatever a book is read from, it comes out as every format: one command makes them all from the same clips."""

from pathlib import Path

import av
import mutagen
import numpy as np
import pytest

from tests.acceptance.reader import TONE, Reader
from tests.acceptance.test_run import times
from tests.tts_pipeline.audio.meter import reading
from tests.tts_pipeline.audio.sounds import png
from tests.tts_pipeline.audio.test_formats import cover_of
from tests.tts_pipeline.documents.docxs import Docx, core, paragraph
from tests.tts_pipeline.documents.epubs import Epub, nav, page
from tests.tts_pipeline.documents.pdfs import Pdf
from tts_pipeline.audio.formats import FORMATS
from tts_pipeline.audio.playlist import track_paths
from tts_pipeline.report.proof import prove
from tts_pipeline.report.published import read_report

CHAPTERS = {
    "The Kettle": [
        "It was a quiet morning, and the kettle sang as if somebody had asked it to.",
        "Nobody had put it on, as far as anybody in the house could remember at this hour.",
        "The cat looked at it for a while, and then at the door, which was still closed.",
    ],
    "The Cup": [
        "Then a cup was heard, which nobody had moved from its shelf since the summer.",
        "It was cold, and it had been cold for so long that the spoon had forgotten tea.",
        "Somebody laughed behind the wall, where there had never been a room before today.",
    ],
}
AUTHOR = "Ada Example"
NAMES = tuple(FORMATS)
COVER = png()


def txt(folder: Path, title: str) -> Path:
    body = "\n".join(f"CHAPTER {n}. {name}\n\n{' '.join(said)}\n" for n, (name, said) in enumerate(CHAPTERS.items(), 1))
    return written(folder / "book.txt", f"{title.upper()}\n\nby {AUTHOR}\n\n{body}")


def markdown(folder: Path, title: str) -> Path:
    body = "\n\n".join(f"# {name}\n\n{' '.join(said)}" for name, said in CHAPTERS.items())
    return written(folder / "book.md", f"---\ntitle: {title}\nauthor: {AUTHOR}\nlang: en\n---\n\n{body}\n")


def html(folder: Path, title: str) -> Path:
    body = "".join(f"<h2>{name}</h2><p>{' '.join(said)}</p>" for name, said in CHAPTERS.items())
    head = f'<title>{title}</title><meta name="author" content="{AUTHOR}">'
    menu = '<nav><a href="/">Home</a> <a href="/all">All pages</a></nav>'
    text = f'<html lang="en"><head>{head}</head><body>{menu}<article>{body}</article></body></html>'
    return written(folder / "book.html", text)


def epub(folder: Path, title: str) -> Path:
    pages = {
        f"c{n}.xhtml": page(f"<h1>{name}</h1><p>{' '.join(said)}</p>")
        for n, (name, said) in enumerate(CHAPTERS.items())
    }
    entries = "".join(f'<li><a href="c{n}.xhtml">{name}</a></li>' for n, name in enumerate(CHAPTERS))
    about = f"<dc:title>{title}</dc:title><dc:creator>{AUTHOR}</dc:creator><dc:language>en</dc:language>"
    cover = '<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>'
    made = Epub(pages, nav=nav(entries), metadata=about, manifest=cover, files={"OEBPS/cover.png": COVER})
    return made.write(folder / "book.epub")


def docx(folder: Path, title: str) -> Path:
    body = "".join(paragraph(name, style="Heading1") + paragraph(" ".join(said)) for name, said in CHAPTERS.items())
    return Docx(body, core=core(title, AUTHOR, "en")).write(folder / "book.docx")


def pdf(folder: Path, title: str) -> Path:
    made = Pdf(folder / "book.pdf", title=title, author=AUTHOR)
    for name, said in CHAPTERS.items():
        made.heading(name).text(" ".join(said)).next_page()
    return made.save()


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


FAMILIES = {made.__name__: made for made in (txt, markdown, html, epub, docx, pdf)}
TITLES = {family: f"The {family.title()} Walk" for family in FAMILIES} | {"several as one": "The Whole Walk"}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Reader:
    """Somebody who took every kind of document to every format at once, and two files as one book."""
    reader = Reader(tmp_path_factory.mktemp("formats"))
    sources = [write(reader.folder, TITLES[family]) for family, write in FAMILIES.items()]
    reader.types("run", *sources, *TONE, "--format", ",".join(NAMES))
    parts = []
    for number, (name, said) in enumerate(CHAPTERS.items(), 1):
        text = f"# {name}\n\n{' '.join(said)}\n" if number == 1 else f"<h1>{name}</h1><p>{' '.join(said)}</p>"
        parts.append(reader.writes(f"part {number}.{'md' if number == 1 else 'html'}", text))
    about = ("--as-one", "--title", TITLES["several as one"], "--author", AUTHOR, "--language", "en")
    reader.types("run", *parts, *about, *TONE, "--format", ",".join(NAMES))
    return reader


@pytest.fixture(params=list(TITLES))
def folder(request, made) -> Path:
    return made.outputs / AUTHOR / TITLES[request.param]


@pytest.fixture(params=NAMES)
def one(request, folder):
    """Return a format with its report and its sounds: one, or one for each chapter."""
    as_format = FORMATS[request.param]
    report = read_report(folder / ("report.json" if request.param == NAMES[0] else f"report.{request.param}.json"))
    path = as_format.path(folder, folder.name)
    return as_format, report, track_paths(path) if as_format.is_folder else [path]


def decoded(path: Path) -> np.ndarray:
    with av.open(str(path)) as container:
        return np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])


def test_every_sentence_is_in_every_format(one, folder):
    as_format, report, _ = one
    assert report.file.format == as_format.name
    assert [chapter.title.split(". ")[-1] for chapter in report.chapters] == list(CHAPTERS)
    spoken = [line for line in report.sentences if line.chapter == 1]
    assert len(spoken) == 1 + len(CHAPTERS["The Cup"]), "its heading and its sentences"
    name = "report.json" if as_format.name == NAMES[0] else f"report.{as_format.name}.json"
    assert prove(folder / name).flaws == ()


def test_players_find_title_author_and_chapters(one, folder):
    as_format, report, paths = one
    for number, path in enumerate(paths):
        with av.open(str(path)) as container:
            shown = container.metadata | container.streams.audio[0].metadata
            marks = container.chapters()
        chapter = report.chapters[number]
        assert shown["artist"] == AUTHOR
        assert shown["album"] == folder.name
        assert shown["title"] == (chapter.title if as_format.is_folder else folder.name)
        if as_format.is_folder:
            assert shown["track"] == f"{number + 1}/{len(CHAPTERS)}"
            continue
        assert [mark["metadata"]["title"] for mark in marks] == [each.title for each in report.chapters]
        starts = [float(mark["start"] * mark["time_base"]) for mark in marks]
        assert starts == pytest.approx([each.first / report.file.codec.rate for each in report.chapters], abs=0.020)


def test_its_length_is_exactly_that_of_its_report(one):
    _, report, paths = one
    codec = report.file.codec
    sounds = [decoded(path) for path in paths]
    assert sum(map(len, sounds)) == report.totals.samples * codec.decoded_rate // codec.rate
    told = sum(mutagen.File(path).info.length for path in paths)
    assert told == pytest.approx(report.totals.seconds, abs=0.060 * len(paths))


def test_a_cover_is_in_every_file(one, folder):
    for path in one[2]:
        if folder.name == TITLES["epub"]:
            assert cover_of(mutagen.File(path)) == COVER


def test_captions_are_in_step_with_each_file(one, folder):
    as_format, report, paths = one
    rate = report.file.codec.rate
    for number, path in enumerate(paths):
        inner = "" if as_format.is_folder or as_format.name == NAMES[0] else f".{as_format.name}"
        captions = path.with_name(f"{path.stem}{inner}.vtt").read_text(encoding="utf-8")
        start = report.chapters[number].first if as_format.is_folder else 0
        lines = [line for line in report.sentences if not as_format.is_folder or line.chapter == number]
        spans = [((line.first - start) / rate, (line.end - start) / rate) for line in lines]
        assert np.array(times(captions)) == pytest.approx(np.array(spans), abs=0.0011)


def test_all_formats_are_equally_loud(folder):
    for name in NAMES:
        path = FORMATS[name].path(folder, folder.name)
        if FORMATS[name].is_folder:
            continue
        with av.open(str(path)) as container:
            rate = container.streams.audio[0].rate
        sound = decoded(path)
        found = reading(sound / 32768 if sound.dtype == np.int16 else sound, rate)
        assert found.lufs == pytest.approx(-19, abs=0.5), name
        assert found.true_peak <= -3, name


def test_all_formats_are_made_of_the_same_clips(made):
    books = made.told("status")
    assert {len(each["files"]) for each in books} == {len(NAMES)}
    distinct = {text for said in CHAPTERS.values() for text in said}
    headings = 2 * len(CHAPTERS)
    most = len(distinct) + headings + 2 * len(TITLES)  # some documents begin with their title and author
    assert len(made.stored("clips")) <= most
