"""How is the sample EPUB in inputs/ made from the sample text? `python -m tests.sample_book` writes it.

Nothing in it depends on the day or on the machine: it is the same in every byte, so a test can see
whether it is up to date. For the same reason nothing is compressed.
"""

from __future__ import annotations

import html
import re
import struct
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

INPUTS = Path(__file__).parent.parent / "inputs"
TEXT = INPUTS / "the-clockmakers-daughter.txt"
EPUB = TEXT.with_suffix(".epub")
TITLE, AUTHOR = "The Clockmaker's Daughter", "The tts-pipeline authors"

_PAGE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>{title}</title></head>
<body>
{body}
</body>
</html>
"""
_CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:tts-pipeline:sample</dc:identifier>
<dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator>
<dc:language>en</dc:language>
<meta property="dcterms:modified">2000-01-01T00:00:00Z</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>
<item id="titlepage" href="titlepage.xhtml" media-type="application/xhtml+xml"/>
{items}
</manifest>
<spine><itemref idref="titlepage"/>{refs}</spine>
</package>
"""


def chapters(text: str) -> list[tuple[str, str, list[str]]]:
    """Return the number, the title and the paragraphs of each chapter."""
    parts = re.split(r"^(CHAPTER [IVX]+\.)\n(.+)\n", text, flags=re.MULTILINE)[1:]
    bodies = [[each for each in body.split("\n\n") if each.strip()] for body in parts[2::3]]
    return list(zip(parts[::3], parts[1::3], bodies, strict=True))


def chapter_page(number: str, title: str, paragraphs: list[str]) -> str:
    """Return one chapter as XHTML."""
    body = "\n".join(block(paragraph.strip("\n")) for paragraph in paragraphs)
    heading = f"<h1>{html.escape(number)}<br/>{html.escape(title)}</h1>"
    return _PAGE.format(title=html.escape(title), body=f'<section epub:type="chapter">\n{heading}\n{body}\n</section>')


def block(paragraph: str) -> str:
    """Return a paragraph, a stanza, a note or a change of scene as XHTML."""
    if paragraph == "* * *":
        return "<hr/>"
    text = html.escape(paragraph, quote=False)
    if paragraph.startswith("    "):
        lines = "<br/>\n".join(line.strip() for line in text.splitlines())
        return f'<div class="poem"><p>{lines}</p></div>'
    text = re.sub(r"_(\w+)_", r"<em>\1</em>", text)
    note = re.match(r"\[(\d+)\] ", text)
    if note:
        text = text[note.end() :]
        return f'<aside epub:type="footnote" role="doc-footnote" id="note{note[1]}"><p>{text}</p></aside>'
    ref = r'<a epub:type="noteref" role="doc-noteref" href="#note\1">\1</a>'
    text = re.sub(r"\[(\d+)\]", ref, text)
    return f"<p>{text}</p>"


def files() -> dict[str, bytes]:
    """Return everything that is in the archive, in order."""
    found = chapters(TEXT.read_text(encoding="utf-8"))
    names = [f"chapter{number}.xhtml" for number in range(1, len(found) + 1)]
    items = "\n".join(
        f'<item id="c{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(names, 1)
    )
    refs = "".join(f'<itemref idref="c{n}"/>' for n in range(1, len(names) + 1))
    entries = "\n".join(
        f'<li><a href="{name}">{html.escape(f"{number} {title}")}</a></li>'
        for name, (number, title, _) in zip(names, found, strict=True)
    )
    nav = f'<nav epub:type="toc" id="toc">\n<h1>Contents</h1>\n<ol>\n{entries}\n</ol>\n</nav>'
    title_page = f'<section epub:type="titlepage">\n<h1>{TITLE}</h1>\n<p>by {AUTHOR}</p>\n</section>'
    texts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "EPUB/package.opf": _PACKAGE.format(title=TITLE, author=AUTHOR, items=items, refs=refs),
        "EPUB/nav.xhtml": _PAGE.format(title="Contents", body=nav),
        "EPUB/titlepage.xhtml": _PAGE.format(title=TITLE, body=title_page),
        **{f"EPUB/{name}": chapter_page(*chapter) for name, chapter in zip(names, found, strict=True)},
    }
    return {name: text.encode() for name, text in texts.items()} | {"EPUB/cover.png": cover()}


def cover(width: int = 400, height: int = 600) -> bytes:
    """Draw a clock over the roofs of a town, as a PNG of four colours."""
    rows = [[colour(x, y, width, height) for x in range(width)] for y in range(height)]
    data = b"".join(b"\0" + packed(row) for row in rows)
    palette = bytes.fromhex("1b2440f0c45a0d1224f7efd8")
    header = struct.pack(">IIBBBBB", width, height, 2, 3, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"PLTE", palette) + chunk(b"IDAT", stored(data)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def colour(x: int, y: int, width: int, height: int) -> int:
    """Return 0 for the sky, 1 for gold, 2 for the roofs, 3 for the clock's face."""
    dx, dy = x - width // 2, y - height * 2 // 5
    distance = dx * dx + dy * dy
    if distance < 140**2:
        is_hand = (abs(dx) < 5 and -95 < dy < 12) or (abs(dx - dy * 7 // 10) < 7 and 0 <= dy < 60)
        return 1 if is_hand or distance > 126**2 else 3
    roof = height - 90 - abs((x * 3) % 200 - 100) * (1 + (x * 3 // 200) % 3) // 3
    if y > roof:
        is_window = (x % 24) in range(9, 15) and (y % 36) in range(12, 22) and (x // 24 * 7 + y // 36 * 5) % 3 == 0
        return 1 if is_window and y > roof + 20 else 2
    return 1 if (x * 7919 + y * 104729) % 4001 == 0 else 0


def packed(row: list[int]) -> bytes:
    """Put four pixels into a byte."""
    return bytes(a << 6 | b << 4 | c << 2 | d for a, b, c, d in zip(*[iter(row)] * 4, strict=True))


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def stored(data: bytes) -> bytes:
    """Return a zlib stream that is not compressed: zlibs differ in how they compress."""
    blocks = [data[at : at + 65535] for at in range(0, len(data), 65535)]
    body = b"".join(
        struct.pack("<BHH", number == len(blocks), len(block), len(block) ^ 0xFFFF) + block
        for number, block in enumerate(blocks, 1)
    )
    return b"\x78\x01" + body + struct.pack(">I", zlib.adler32(data))


def epub() -> bytes:
    """Return the whole archive."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files().items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3
            archive.writestr(info, data)
    return target.getvalue()


if __name__ == "__main__":
    EPUB.write_bytes(epub())
