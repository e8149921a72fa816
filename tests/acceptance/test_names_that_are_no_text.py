"""Files and folders whose names are no text go through everything that ordinary ones do."""

import os
import sys

import pytest

from tests.acceptance.reader import TONE, book
from tts_pipeline.report.published import read_report
from tts_pipeline.written_paths import path_of, written

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere every name is text")
STRICT = {"PYTHONIOENCODING": "utf-8:strict"}


@pytest.mark.parametrize("name", [b"/shelf/walk.txt", b"/shelf/caf\xe9 %E9.txt", "/shelf/café.txt".encode()])
def test_a_written_path_is_text_and_leads_back_to_its_file(name):
    path = path_of(os.fsdecode(name))
    written(path).encode()
    assert os.fsencode(path_of(written(path))) == name


def test_they_are_read_published_listed_and_proved(reader):
    sources = [os.fsdecode(name) for name in (b"walk \xe9.txt", b"one day \xe9.txt", b"none \xe9.pdf")]
    first, second, broken = [reader.folder / name for name in sources]
    first.write_text(book(1, 3), encoding="utf-8")
    second.write_text("It was a day. And a night.\n\nThen nothing came of it.\n", encoding="utf-8")
    broken.write_text("no PDF at all", encoding="utf-8")
    outputs = os.fsdecode(b"out \xff")
    options = ("--outputs", outputs, *TONE, "--format", "m4b,mp3-chapters")
    run = reader.types("run", *sources, *options, exit_code=1, variables=STRICT)
    assert len(run.stdout.splitlines()) == 4
    assert "Traceback" not in run.stderr
    (refused,) = [line for line in run.stderr.splitlines() if "none " in line]
    assert "PDF" in refused
    assert "known already" in reader.types("ingest", *sources[:2], *options, variables=STRICT).stdout
    told = reader.told("status", first.name, variables=STRICT)
    assert path_of(told["source"]) == first
    files = [path_of(each["path"]) for each in told["files"]]
    assert all(file.exists() for file in files)
    assert read_report(files[0].with_name("report.json")).source.path == told["source"]
    assert (files[1] / "playlist.m3u8").read_text(encoding="utf-8")
    assert [each["is_good"] for each in reader.told("verify", variables=STRICT)] == [True] * 4
    for words in (["status"], ["status", second.name], ["verify"]):
        reader.types(*words, variables=STRICT)
    reader.types("run", *sources[:2], "--as-one", *options, variables=STRICT)
