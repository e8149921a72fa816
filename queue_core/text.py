"""Which text can every store keep?"""

from __future__ import annotations


def flaw(text: str) -> str | None:
    """Say why a text can't be stored; None where it can."""
    if "\0" in text:
        return "a NUL character can't be stored"
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            return "half of a surrogate pair can't be stored"
    return None


def clean(text: str, most_chars: int) -> str:
    """Return text that can be stored, its middle left out where it is too long."""
    if len(text) > most_chars:
        half = (most_chars - 40) // 2
        text = f"{text[:half]} … {len(text) - 2 * half} characters left out … {text[-half:]}"
    return text.replace("\0", "�").encode(errors="replace").decode()
