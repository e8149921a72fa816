"""EPUBs for tests, made of their parts."""

import zipfile
from dataclasses import dataclass, field
from pathlib import Path

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
XHTML = "application/xhtml+xml"


def page(body: str, *, lang: str = "", head: str = "", doctype: str = "") -> str:
    said = f' xml:lang="{lang}"' if lang else ""
    return f"""<?xml version="1.0" encoding="utf-8"?>
{doctype}<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"{said}>
<head><title>head title</title>{head}</head>
<body>{body}</body></html>"""


def nav(entries: str) -> str:
    return page(f'<nav epub:type="toc"><h1>Contents</h1><ol>{entries}</ol></nav>')


def ncx(points: str) -> str:
    return f"""<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<navMap>{points}</navMap></ncx>"""


def point(title: str, src: str, inner: str = "") -> str:
    return f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{src}"/>{inner}</navPoint>'


@dataclass
class Epub:
    """What goes into one."""

    pages: dict[str, str] = field(default_factory=dict)
    """The spine, by file name."""
    nav: str | None = None
    ncx: str | None = None
    metadata: str = "<dc:title>A Book</dc:title><dc:creator>An Author</dc:creator><dc:language>en</dc:language>"
    manifest: str = ""
    guide: str = ""
    itemrefs: str | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    """Whatever else lies in the archive, or replaces what would."""

    def opf(self) -> str:
        items = [f'<item id="p{n}" href="{name}" media-type="{XHTML}"/>' for n, name in enumerate(self.pages)]
        if self.nav is not None:
            items.append(f'<item id="nav" href="nav.xhtml" media-type="{XHTML}" properties="nav"/>')
        if self.ncx is not None:
            items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        refs = self.itemrefs or "".join(f'<itemref idref="p{n}"/>' for n in range(len(self.pages)))
        return f"""<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" xmlns:opf="http://www.idpf.org/2007/opf" version="3.0">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{self.metadata}</metadata>
<manifest>{"".join(items)}{self.manifest}</manifest>
<spine toc="ncx">{refs}</spine><guide>{self.guide}</guide></package>"""

    def contents(self) -> dict[str, bytes]:
        contents = {
            "META-INF/container.xml": CONTAINER.encode(),
            "OEBPS/content.opf": self.opf().encode(),
            **{f"OEBPS/{name}": text.encode() for name, text in self.pages.items()},
        }
        if self.nav is not None:
            contents["OEBPS/nav.xhtml"] = self.nav.encode()
        if self.ncx is not None:
            contents["OEBPS/toc.ncx"] = self.ncx.encode()
        return contents | self.files

    def write(self, path: Path, *, without: tuple[str, ...] = ()) -> Path:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
            for name, data in self.contents().items():
                if name not in without:
                    archive.writestr(name, data)
        return path
