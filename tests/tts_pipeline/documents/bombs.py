"""Small PDFs that ask for much, set by hand."""

import zlib
from pathlib import Path
from random import Random

_TEXT = b"BT /F1 11 Tf 50 500 Td (Long ago.) Tj ET\n"
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>"
_FONTS = b"/Font << /F1 5 0 R >>"


def stream(data: bytes, entries: bytes = b"") -> bytes:
    packed = zlib.compress(data, 9)
    head = b"<< /Length %d /Filter /FlateDecode %s >>" % (len(packed), entries)
    return head + b"\nstream\n" + packed + b"\nendstream"


def page(content: bytes, resources: bytes = b"", *more: bytes) -> bytes:
    """Return a document of one page."""
    entries = b"/MediaBox [0 0 420 595] /Contents 4 0 R /Resources << %s >>" % (_FONTS + resources)
    return document(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R %s >>" % entries,
        stream(content),
        _FONT,
        *more,
    )


def document(*objects: bytes) -> bytes:
    whole = bytearray(b"%PDF-1.5\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(whole))
        whole += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(whole))
    return bytes(whole) + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def forms(depth: int, times: int) -> bytes:
    """Return a page that shows a form many times, which shows another one many times, and so on."""
    shown = [
        stream(
            b"/X Do\n" * times,
            b"/Type /XObject /Subtype /Form /BBox [0 0 420 595] /Resources << /XObject << /X %d 0 R >> >>" % number,
        )
        for number in range(7, 7 + depth)
    ]
    last = stream(_TEXT, b"/Type /XObject /Subtype /Form /BBox [0 0 420 595] /Resources << %s >>" % _FONTS)
    return page(b"/X Do\n", b"/XObject << /X 6 0 R >>", *shown, last)


def pictures(count: int) -> bytes:
    """Return pages that are scanned: each has a picture of four megabytes, and text."""
    noise = Random(1).randbytes(4 << 20)
    shape = b"/Type /XObject /Subtype /Image /Width 2048 /Height 2048 /BitsPerComponent 8 /ColorSpace /DeviceGray"
    picture = b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(noise), shape, noise)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % (6 + 3 * n) for n in range(count)), count),
        b"null",
        b"null",
        _FONT,
    ]
    for number in range(count):
        at = 6 + 3 * number
        resources = _FONTS + b"/XObject << /I %d 0 R >>" % (at + 2)
        entries = b"/MediaBox [0 0 420 595] /Contents %d 0 R /Resources << %s >>" % (at + 1, resources)
        text = b"/I Do BT /F1 11 Tf 50 %d Td (Page %c it is.) Tj ET\n" % (500 - 20 * number, 97 + number)
        objects += [b"<< /Type /Page /Parent 2 0 R %s >>" % entries, stream(text), picture]
    return document(*objects)


def written(path: Path, kind: str) -> Path:
    made = {
        "a page": lambda: page(_TEXT),
        "spaces": lambda: page(b" " * 300_000_000),
        "words": lambda: page(_TEXT * 1_000_000),
        "lines": lambda: page(b"0 0 m 1 1 l S\n" * 2_000_000),
        "states": lambda: page(b"q " * 10_000_000),
        "forms": lambda: forms(8, 30),
    }
    path.write_bytes(made[kind]())
    return path
