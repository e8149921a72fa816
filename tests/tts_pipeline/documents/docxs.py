"""Word documents for tests, made of their parts."""

import zipfile
from dataclasses import dataclass, field
from pathlib import Path

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = """<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/></Types>"""
RELATIONSHIPS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
MAIN = f'<Relationship Id="r1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/>'
STYLES = """Title Heading1:heading_1 Heading2:heading_2 Heading3:heading_3 Quote Verse Code TOC1:toc_1
ListBullet:List_Bullet Subtitle"""


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs: str, style: str = "", properties: str = "") -> str:
    said = f'<w:pStyle w:val="{style}"/>' if style else ""
    inner = "".join(each if each.startswith("<") else run(each) for each in runs)
    return f"<w:p><w:pPr>{said}{properties}</w:pPr>{inner}</w:p>"


def item(text: str, level: int = 0) -> str:
    return paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>')


def table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def note_ref(number: int, kind: str = "footnote") -> str:
    return f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:{kind}Reference w:id="{number}"/></w:r>'


def notes(*texts: str, kind: str = "footnote") -> str:
    made = (f'<w:{kind} w:id="{n}">{paragraph(text)}</w:{kind}>' for n, text in enumerate(texts, 2))
    return part(f"{kind}s", "".join(made))


def part(name: str, inner: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{name} xmlns:w="{WORD}" xmlns:r="{OFFICE}">{inner}</w:{name}>'


def styles() -> str:
    made = (each.partition(":") for each in STYLES.split())
    inner = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{(name or key).replace("_", " ")}"/></w:style>'
        for key, _, name in made
    )
    defaults = '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="it-IT"/></w:rPr></w:rPrDefault></w:docDefaults>'
    return part("styles", defaults + inner)


NUMBERING = part(
    "numbering",
    '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
)


def core(title: str = "", creator: str = "", language: str = "") -> str:
    return f"""<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title><dc:creator>{creator}</dc:creator>
<dc:language>{language}</dc:language></cp:coreProperties>"""


@dataclass
class Docx:
    """What goes into one."""

    body: str = ""
    footnotes: str = ""
    endnotes: str = ""
    core: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    """Whatever else lies in the archive, or replaces what would."""

    def contents(self) -> dict[str, bytes]:
        parts = {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": RELATIONSHIPS.format(MAIN),
            "word/document.xml": part("document", f"<w:body>{self.body}</w:body>"),
            "word/styles.xml": styles(),
            "word/numbering.xml": NUMBERING,
            "word/footnotes.xml": self.footnotes,
            "word/endnotes.xml": self.endnotes,
            "docProps/core.xml": self.core,
        }
        return {name: text.encode() for name, text in parts.items() if text} | self.files

    def write(self, path: Path, *, without: tuple[str, ...] = ()) -> Path:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.contents().items():
                if name not in without:
                    archive.writestr(name, data)
        return path
