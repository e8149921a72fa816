"""What does a text of Markdown say of itself before it begins?"""

from __future__ import annotations

import re
from typing import NamedTuple

from tts_pipeline.documents.language import normalised_tag, tag_of

_FENCED = re.compile(
    r"\A(?P<fence>---|\+\+\+)[ \t]*(?:\r\n?|\n)(?P<fields>.*?)(?<=[\r\n])(?:(?P=fence)|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)",
    re.DOTALL,
)
_FIELD = re.compile(
    r"(?:^|(?<=\r))(?P<name>[\w-]+)[ \t]*[:=][ \t]*(?P<value>[^\r\n]*(?:(?:\r\n?|\n)(?:[ \t]+|- )[^\r\n]*)*)",
    re.MULTILINE,
)
_PERCENT = re.compile(r"\A%[ \t]*(?P<title>[^\r\n]*)(?:\r\n?|\n)(?:%[ \t]*(?P<author>[^\r\n]*)(?:\r\n?|\n))?")
_ITEM = re.compile(r"(?:^|[\[,]|\n)[ \t]*(?:- )?[ \t]*(?:name:[ \t]*)?(?P<name>\"[^\"]*\"|'[^']*'|[^,\n\[\]{}]+)")
_NAMES = {"title": "title", "author": "author", "authors": "author", "lang": "language", "language": "language"}
_WORDS = re.compile(r"[^\r\n]")


class Front(NamedTuple):
    """What it is called, who wrote it, and in which language."""

    length: int = 0
    """How many characters of the text say so."""
    title: str | None = None
    author: str | None = None
    language: str | None = None


def front(text: str) -> Front:
    """Read front matter as YAML or TOML write simple fields, or the lines with % of Pandoc."""
    percent = _PERCENT.match(text)
    if percent:
        return Front(percent.end(), percent["title"].strip() or None, (percent["author"] or "").strip() or None)
    fenced = _FENCED.match(text)
    if not fenced or not (_FIELD.search(fenced["fields"]) or not fenced["fields"].strip()):
        return Front()
    said = {
        _NAMES[name]: match["value"]
        for match in reversed(list(_FIELD.finditer(fenced["fields"])))
        if (name := match["name"].lower()) in _NAMES
    }
    language = _unquoted(said.get("language", ""))
    return Front(
        fenced.end(),
        _unquoted(said.get("title", "")) or None,
        ", ".join(_items(said.get("author", ""))) or None,
        normalised_tag(language) or tag_of(language),
    )


def without_front(text: str, length: int) -> str:
    """Blank out what stands before the text, so that everything else stays where it is."""
    return _WORDS.sub(" ", text[:length]) + text[length:] if length else text


def _unquoted(value: str) -> str:
    value = " ".join(value.split())
    return (
        value[1:-1].strip() if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value.lstrip(">| ")
    )


def _items(value: str) -> list[str]:
    if not value.startswith("[") and "\n" not in value:
        return [_unquoted(value)] if value.strip() else []
    items = (_unquoted(match["name"]) for match in _ITEM.finditer(value))
    return [item for item in items if item and ":" not in item]
