"""Which words are shown when, as .vtt and .srt?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tts_pipeline.graphemes import clusters, columns

LINE_COLUMNS = 42
"""What broadcasters allow in a line."""

_WORD_JOINER = "\u2060"
_SRT_MARKUP = re.compile(r"(<|\{)(?=[/\\a-zA-Z])")


class Cue(NamedTuple):
    """A text, and when it is shown, in milliseconds."""

    start: int
    end: int
    text: str


def cues(items: Iterable[tuple[int, int, str]], rate: int) -> Iterator[Cue]:
    """Give a cue for each item (first sample, sample after its last, text) that says something; none overlaps."""
    free = 0
    for first, end, text in items:
        words = " ".join(text.split())
        if not words or end <= first:
            continue
        start = max(free, first * 1000 // rate)
        free = max(start + 1, end * 1000 // rate)
        yield Cue(start, free, words)


def vtt(shown: Iterable[Cue]) -> Iterator[str]:
    """Give a WebVTT file piece by piece."""
    yield "WEBVTT\n"
    for cue in shown:
        text = "\n".join(wrapped(cue.text)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        yield f"\n{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}\n{text}\n"


def srt(shown: Iterable[Cue]) -> Iterator[str]:
    """Give a SubRip file piece by piece.

    It knows no escapes: what would be taken for markup is broken up by a joiner that nobody sees.
    """
    for number, cue in enumerate(shown, start=1):
        text = "\n".join(wrapped(cue.text)).replace("-->", "→")
        text = _SRT_MARKUP.sub(rf"\1{_WORD_JOINER}", text)
        yield f"{number}\n{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}\n{text}\n\n"


def wrapped(text: str) -> list[str]:
    """Return a text in as few lines as it needs, about equally long."""
    lines = _filled(text, LINE_COLUMNS)
    fewest = len(lines)
    shortest = max(1, columns(text) // fewest)
    for width in range(shortest, LINE_COLUMNS):
        narrower = _filled(text, width)
        if len(narrower) == fewest:
            return narrower
    return lines


def _filled(text: str, width: int) -> list[str]:
    lines, used = [""], 0
    for word in _pieces(text, width):
        size = columns(word)
        if used and used + size > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
            used, word = 0, word.lstrip()  # noqa: PLW2901
        lines[-1] += word
        used += columns(word)
    return lines


def _pieces(text: str, width: int) -> Iterator[str]:
    """Give words with the space before them; one that no line has room for comes character by character."""
    for word in re.findall(r"\s*\S+", text):
        if columns(word.strip()) <= width:
            yield word
        else:
            yield from clusters(word)


def _clock(milliseconds: int, point: str) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{rest:03}"
