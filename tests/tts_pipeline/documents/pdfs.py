"""PDFs for tests, set line by line."""

from dataclasses import dataclass, field
from pathlib import Path

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

WIDTH, HEIGHT = 420, 595
LEFT, RIGHT, TOP = 50, 370, 520
FONT, BOLD = "Times-Roman", "Times-Bold"


@dataclass
class Pdf:
    """A document on its way to a file."""

    path: Path
    size: float = 11
    title: str = ""
    author: str = ""
    y: float = field(default=TOP, init=False)
    page: int = field(default=1, init=False)

    def __post_init__(self) -> None:
        self.canvas = Canvas(str(self.path), pagesize=(WIDTH, HEIGHT), invariant=1)
        self.canvas.setTitle(self.title)
        self.canvas.setAuthor(self.author)

    def line(self, text: str, x: float = LEFT, y: float | None = None, size: float = 0, font: str = FONT) -> "Pdf":
        """Set one line; ^1^ is a raised mark."""
        size = size or self.size
        if y is None:
            y = self.y
            self.y -= size * 1.25
        drawn = self.canvas.beginText(x, y)
        for number, part in enumerate(text.split("^")):
            drawn.setFont(font, size * 0.6 if number % 2 else size)
            drawn.setRise(size * 0.4 if number % 2 else 0)
            drawn.textOut(part)
        self.canvas.drawText(drawn)
        return self

    def heading(self, text: str, size: float = 18, font: str = BOLD) -> "Pdf":
        self.y -= size
        self.line(text, size=size, font=font)
        self.y -= size / 2
        return self

    def text(self, text: str, x: float = LEFT, right: float = RIGHT, indent: float = 15, size: float = 0) -> "Pdf":
        """Set a paragraph, its first line indented."""
        for number, line in enumerate(wrapped(text, right - x, indent, size or self.size)):
            self.line(line, x + (indent if number == 0 else 0), size=size)
        return self

    def next_page(self) -> "Pdf":
        self.canvas.showPage()
        self.page += 1
        self.y = TOP
        return self

    def bookmark(self, title: str, level: int = 0) -> "Pdf":
        self.canvas.bookmarkHorizontal(title, 0, self.y)
        self.canvas.addOutlineEntry(title, title, level)
        return self

    def save(self) -> Path:
        self.canvas.save()
        return self.path


def wrapped(text: str, width: float, indent: float = 0, size: float = 11) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if stringWidth(longer.replace("^", ""), FONT, size) > width - (indent if len(lines) == 1 else 0):
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
