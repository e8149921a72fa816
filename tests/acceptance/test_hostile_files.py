"""A folder of broken files is refused one by one, in a line each, and keeps no good one from being published."""

import os

from reportlab.lib.pdfencrypt import StandardEncryption

from tests.acceptance.reader import TONE, book
from tests.tts_pipeline.audio.sounds import png
from tests.tts_pipeline.documents.docxs import Docx, paragraph
from tests.tts_pipeline.documents.epubs import Epub, page
from tests.tts_pipeline.documents.pdfs import Pdf
from tests.tts_pipeline.documents.test_refused import encryption

TEXT = "Nothing here can be read, however often anybody tries to read it."
REASONS = {
    "empty.txt": "it is empty",
    "blank.md": "no text",
    "binary.txt": "not text",
    "wordless.html": "no text",
    "truncated.epub": "broken",
    "protected.epub": "protected",
    "truncated.docx": "broken",
    "picture.pdf": "",
    "protected.pdf": "protected by a password",
    "truncated.pdf": "",
    "folder": "it is a folder",
    "absent.txt": "there is no such file",
    "letter.xyz": "a .xyz file",
    "pipe.txt": "no ordinary file",
}


def write_all(folder) -> None:
    epub = Epub({"one.xhtml": page(f"<p>{TEXT}</p>")}).write(folder / "truncated.epub").read_bytes()
    docx = Docx(paragraph(TEXT)).write(folder / "truncated.docx").read_bytes()
    pdf = Pdf(folder / "truncated.pdf").text(TEXT).save().read_bytes()
    written = {
        "empty.txt": b"",
        "blank.md": b"---\n---\n\n![](picture.png)\n",
        "binary.txt": bytes(range(256)) * 40,
        "wordless.html": b"<!doctype html><html><body><script>alert(1)</script><p> </p></body></html>",
        "truncated.epub": epub[: len(epub) // 2],
        "truncated.docx": docx[: len(docx) // 2],
        "truncated.pdf": pdf[:40],
        "picture.pdf": png(),
        "letter.xyz": TEXT.encode(),
    }
    for name, data in written.items():
        (folder / name).write_bytes(data)
    aes = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
    files = {"META-INF/encryption.xml": encryption(aes, "OEBPS/one.xhtml")}
    Epub({"one.xhtml": page(f"<p>{TEXT}</p>")}, files=files).write(folder / "protected.epub")
    locked = Pdf(folder / "protected.pdf")
    locked.canvas._doc.encrypt = StandardEncryption("secret", canPrint=0)
    locked.text(TEXT).save()
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe.txt")


def test_each_is_refused_in_a_line_and_the_good_one_is_published(reader):
    write_all(reader.folder)
    reader.writes("walk.txt", book(1, 3))
    names = [*REASONS]
    run = reader.types("run", *names[:7], "walk.txt", *names[7:], *TONE, exit_code=1)
    assert "The Walk.m4b" in run.stdout
    told = [line for line in run.stderr.splitlines() if "The Walk" not in line]
    assert len(told) == len(REASONS)
    for (name, reason), line in zip(REASONS.items(), told, strict=True):
        assert line.startswith(f"tts-pipeline: {name}: "), line
        assert reason in line
    reader.types("verify")
