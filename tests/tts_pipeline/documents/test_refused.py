"""What can't be read is refused in one sentence."""

import zipfile
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.tts_pipeline.documents.epubs import Epub, page
from tts_pipeline.documents import Limits, ReadingOptions, read
from tts_pipeline.errors import UnreadableDocument

BOOK = Epub({"c1.xhtml": page("<h1>One</h1><p>Text.</p>")})


def refused(path: Path, **limits: float) -> str:
    with pytest.raises(UnreadableDocument) as caught:
        read(path, ReadingOptions(limits=Limits(**limits)))
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in caught.value.reason
    return caught.value.reason


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.txt", b"", "it is empty"),
        ("a.epub", b"", "it is empty"),
        ("a.txt", b" \n\n \n", "no text"),
        ("a.txt", b"***\n", "no text"),
        ("a.txt", b"Some text\0with a NUL", "not text"),
        ("a.txt", bytes(range(256)) * 20, "not text"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
        ("a.txt", b"%PDF-1.7\n%text", "no PDF can be read"),
        ("a.md", b"%PDF-1.7\n%text", "no PDF can be read"),
        ("a.html", b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
        ("a.pdf", b"No PDF at all.", "no PDF can be read"),
        ("a.txt", b"\x01\x02\x03\x04 text" * 20, "not text"),
        ("a.docx", b"no zip", "broken"),
        ("a.xyz", b"text", "a .xyz file"),
        ("a.mobi", b"\0" * 60 + b"BOOKMOBI", "a Kindle book"),
        ("a.epub", b"no zip", "broken"),
        ("a.epub", b"PK\x03\x04 not really", "broken"),
    ],
)
def test_files_that_are_not_what_they_seem(tmp_path, name, data, reason):
    path = tmp_path / name
    path.write_bytes(data)
    assert reason in refused(path)


def test_missing_files_and_folders(tmp_path):
    assert refused(tmp_path) == "it is a folder, not a file"
    assert refused(tmp_path / "absent.epub") == "there is no such file"
    assert "can't be opened" in refused(Path("a\0b.txt")) or "no such file" in refused(Path("a\0b.txt"))


def test_an_epub_is_told_by_its_content(tmp_path):
    assert read(BOOK.write(tmp_path / "book.txt")).title == "A Book"


def test_too_much_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("word " * 100)
    assert "500 characters" in refused(path, text_chars=400)
    assert "500 bytes" in refused(path, file_bytes=400)
    assert "at most 100 are read" in refused(BOOK.write(tmp_path / "a.epub"), text_chars=100)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.txt", "a\n" * 2_100, "2,000 lines"),
        ("a.md", "a\n" * 2_100, "2,000 lines"),
        ("a.html", "<p>a" * 1_100, "1,000 elements"),
        ("a.html", f"<html><p {' '.join(f'a{n}' for n in range(21_000))}>Text.</p>", "20,000 attributes"),
    ],
)
def test_too_much_of_little(tmp_path, name, text, reason):
    path = tmp_path / name
    path.write_text(text)
    assert reason in refused(path, elements=1_000)


def test_too_much_in_all_files_of_an_epub(tmp_path):
    pages = {f"c{number}.xhtml": page("<p>a</p>" * 100) for number in range(6)}
    assert "500 elements" in refused(Epub(pages).write(tmp_path / "a.epub"), elements=500)
    items = "".join(f'<item id="i{number}" href="{number * 7919:x}"/>' for number in range(100_001))
    assert "its lists" in refused(Epub(BOOK.pages, manifest=items).write(tmp_path / "b.epub"))


def test_a_huge_cover_is_not_opened(tmp_path):
    item = '<item id="c" href="cover.png" media-type="image/png" properties="cover-image"/>'
    files = {"OEBPS/cover.png": b"\x89PNG\r\n\x1a\n" + Random(1).randbytes(1 << 20) * 33}
    assert read(Epub(BOOK.pages, manifest=item, files=files).write(tmp_path / "a.epub")).cover is None


def test_links_to_one_place_are_looked_at_a_few_times(tmp_path):
    links = '<sup><a href="#n">1</a></sup>' * 5_000
    path = tmp_path / "a.html"
    path.write_text(f"<html><p>Text{links}</p><div id=n>{'<a href=#x>y</a>' * 4_000}</div>")
    assert read(path).chapters


def test_every_truncation_is_refused_or_read(tmp_path):
    """No cut of an archive ends in anything but a document or a refusal."""
    whole = BOOK.write(tmp_path / "whole.epub").read_bytes()
    path = tmp_path / "cut.epub"
    for length in range(1, len(whole) - 1, 7):
        path.write_bytes(whole[:length])
        refused(path)


def test_damaged_bytes_are_refused_or_read(tmp_path):
    whole = BOOK.write(tmp_path / "whole.epub").read_bytes()
    path = tmp_path / "damaged.epub"
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with suppress(UnreadableDocument):
            read(path)


@pytest.mark.parametrize(
    ("book", "without", "reason"),
    [
        (BOOK, ("OEBPS/content.opf",), "OEBPS/content.opf is missing"),
        (BOOK, ("OEBPS/c1.xhtml",), "OEBPS/c1.xhtml is missing"),
        (BOOK, ("META-INF/container.xml", "OEBPS/content.opf"), "no package document"),
        (Epub({}), (), "spine"),
        (Epub({"c1.xhtml": page("")}), (), "no text"),
        (Epub(BOOK.pages, files={"OEBPS/content.opf": b"<package"}), (), "XML is broken"),
        (Epub(BOOK.pages, files={"OEBPS/content.opf": b""}), (), "XML is broken"),
        (Epub(BOOK.pages, files={"OEBPS/c1.xhtml": b""}), (), "c1.xhtml"),
    ],
)
def test_epubs_with_something_missing(tmp_path, book, without, reason):
    assert reason in refused(book.write(tmp_path / "a.epub", without=without))


def test_a_missing_container_is_made_up_for(tmp_path):
    assert read(BOOK.write(tmp_path / "a.epub", without=("META-INF/container.xml",))).title == "A Book"


def encryption(algorithm: str, uri: str) -> bytes:
    return f"""<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"
xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="{algorithm}"/>
<enc:CipherData><enc:CipherReference URI="{uri}"/></enc:CipherData></enc:EncryptedData></encryption>""".encode()


def test_encrypted_text_is_refused_and_hidden_fonts_are_not(tmp_path):
    def with_encryption(algorithm: str, uri: str) -> Path:
        files = {"META-INF/encryption.xml": encryption(algorithm, uri)}
        return Epub(BOOK.pages, files=files).write(tmp_path / "a.epub")

    assert "DRM" in refused(with_encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/c1.xhtml"))
    assert read(with_encryption("http://www.idpf.org/2008/embedding", "font.otf")).title == "A Book"
    assert read(with_encryption("http://ns.adobe.com/pdf/enc#RC", "font.otf")).title == "A Book"


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/etc/passwd", "C:/evil", "..\\evil"])
def test_names_that_lead_outside_are_refused(tmp_path, name):
    path = BOOK.write(tmp_path / "a.epub")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, b"x")
    assert "outside" in refused(path)


def test_bombs_are_refused_before_they_are_unpacked(tmp_path):
    path = BOOK.write(tmp_path / "a.epub")
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", b"\0" * (1 << 24))
    assert "times its size" in refused(path)
    assert "unpacks to" in refused(path, archive_bytes=1 << 20)
    assert "files" in refused(path, archive_files=3)


def test_deep_folders_and_elements_are_refused(tmp_path):
    deep = Epub(BOOK.pages, files={"a/" * 50 + "b": b""}).write(tmp_path / "a.epub")
    assert "nested" in refused(deep, nesting=40)
    nested = page("<div>" * 60 + "text" + "</div>" * 60)
    assert "nested" in refused(Epub({"c.xhtml": nested}).write(tmp_path / "b.epub"), nesting=40)
    broken = page("<div>" * 5000 + "text")
    assert refused(Epub({"c.xhtml": broken}).write(tmp_path / "c.epub"))


BOMB = '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>'
EXTERNAL = '<!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize(
    ("doctype", "entity"), [(BOMB, "&c;"), (EXTERNAL, "&x;"), (EXTERNAL.replace(" x ", " % x "), "")]
)
def test_entities_are_never_expanded(tmp_path, doctype, entity):
    text = page(f"<p>Text {entity}</p>", doctype=doctype)
    assert "entities" in refused(Epub({"c.xhtml": text}).write(tmp_path / "a.epub"))
    container = f'<?xml version="1.0"?>{doctype}<container>{entity}</container>'.encode()
    assert "entities" in refused(
        Epub(BOOK.pages, files={"META-INF/container.xml": container}).write(tmp_path / "b.epub")
    )


def test_a_protected_archive_is_refused(tmp_path):
    data = bytearray(BOOK.write(tmp_path / "a.epub").read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    (tmp_path / "a.epub").write_bytes(data)
    assert "password" in refused(tmp_path / "a.epub")
