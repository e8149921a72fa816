"""What may a file be called, whatever the title and wherever it is copied to?

Safe on Linux, macOS, Windows, FAT and network shares, and the same on all of them: a name
that a system would refuse, change, or hide does not come out of here.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from tts_pipeline.graphemes import fit

MOST_BYTES = 120
"""Room for an ending, and for systems that encrypt names (143 bytes) or count a whole path (260 characters)."""

_INSTEAD = str.maketrans({"/": "-", "\\": "-", "|": "-", ":": "-", '"': "'", "<": "(", ">": ")", "?": "", "*": ""})
_COLON_BEFORE_SUBTITLE = re.compile(r"\s*:\s+")
_JOINERS = "\u200c\u200d"
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\s*(\.|$))", re.IGNORECASE)


def safe_name(text: str, *, fallback: str = "Untitled", suffix: str = "") -> str:
    """Return a name as close to the text as every file system allows; the suffix is kept when it is cut."""
    room = MOST_BYTES - len(suffix.encode()) - 1
    name = _trimmed(fit(_trimmed(_allowed(text)), room)) or fallback
    return _RESERVED.sub(r"\1_", name + suffix, count=1) if _RESERVED.match(name + suffix) else name + suffix


def book_folder(outputs: Path, author: str | None, title: str, *, number: int = 1) -> Path:
    """Return where a book belongs; the second of one author and title has the number 2."""
    suffix = f" ({number})" if number > 1 else ""
    return outputs / safe_name(author or "", fallback="Unknown author") / safe_name(title, suffix=suffix)


def _allowed(text: str) -> str:
    """Return it composed, without what is forbidden or not seen; joiners stay, as emoji and scripts need them."""
    text = _COLON_BEFORE_SUBTITLE.sub(" - ", unicodedata.normalize("NFC", text)).translate(_INSTEAD)
    spaced = (" " if character.isspace() else character for character in text)
    seen = (character for character in spaced if unicodedata.category(character)[0] != "C" or character in _JOINERS)
    return " ".join(unicodedata.normalize("NFC", "".join(seen)).split())


def _trimmed(text: str) -> str:
    """Return it without what a system drops from the ends, or hides."""
    return text.strip(" ." + _JOINERS)
