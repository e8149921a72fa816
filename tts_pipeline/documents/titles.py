"""Is this what somebody called a document, or what a program put there?"""

from __future__ import annotations

import re

_PREFIX = re.compile(
    r"(?:Microsoft (?:Office )?(?:Word|PowerPoint)|OpenOffice|LibreOffice|Print)\s*[-:–]\s*", re.IGNORECASE
)
_JUNK = re.compile(
    r"(?:untitled|unnamed|unknown|anonymous|none|null|n/?a|title|author|user|admin(?:istrator)?|owner|document|doc|"
    r"(?:new )?(?:microsoft )?(?:word )?document|normal|default|test|python-docx|calibre|(?:the )?author)"
    r"[\s_-]*\d*(?:\.\w{1,5})?|[\W\d_]*",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"(?:[A-Za-z]:\\|/|file:).*|.*\.(?:docx?|pdf|rtf|odt|indd|tex|dvi|txt|html?|qxd|pmd|fm|wpd|ps|eps)", re.IGNORECASE
)


def sensible(text: str | None) -> str | None:
    """Return a title or a name as it was meant; None for what is none, such as "untitled" or a file's name."""
    said = _PREFIX.sub("", " ".join((text or "").split()), count=1)
    if not said or _JUNK.fullmatch(said) or _FILE.fullmatch(said):
        return None
    return said
