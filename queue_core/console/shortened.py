"""How is much said in a few words?"""

from __future__ import annotations

MOST_WORDS = 200


def cut(text: str, most: int) -> str:
    """Return text of at most so many characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def last_line(text: str, most: int = MOST_WORDS) -> str:
    """Return the last line that says something: of an error's output, that is mostly the reason."""
    said = [line for line in text.splitlines() if line.strip()]
    return cut(said[-1].strip(), most) if said else ""
