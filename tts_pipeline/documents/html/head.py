"""What does a page of HTML say of itself?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tts_pipeline.documents.language import normalised_tag
from tts_pipeline.documents.markup.meaning import language_of, name_of
from tts_pipeline.documents.markup.parse import Element, line_of

_TITLES = ("citation_title", "dc.title", "dcterms.title", "og:title", "twitter:title")
_AUTHORS = ("author", "citation_author", "dc.creator", "dcterms.creator", "article:author", "og:article:author")
_LANGUAGES = ("content-language", "dc.language", "dcterms.language", "og:locale")


class Head(NamedTuple):
    """What a page is called, who wrote it, and in which language."""

    title: str | None
    author: str | None
    language: str | None


def head(root: Element) -> Head:
    """Read what is meant for machines, and the chief heading."""
    said: dict[str, list[str]] = {}
    for meta in _all(root, "meta"):
        name = meta.get("name") or meta.get("property") or meta.get("http-equiv") or ""
        content = " ".join(meta.get("content", "").split())
        if content:
            said.setdefault(name.lower(), []).append(content)
    authors = next((said[name] for name in _AUTHORS if name in said), [])
    names = [author for author in dict.fromkeys(authors) if "://" not in author]
    return Head(_title(root, said), ", ".join(names) or None, _language(root, said))


def _title(root: Element, said: dict[str, list[str]]) -> str | None:
    """Return the title without the name of the site, which the chief heading or what is meant for machines tells."""
    title = next(filter(None, (line_of(each) for each in _all(root, "title"))), None)
    heading = next(filter(None, (line_of(each) for each in _all(root, "h1"))), None)
    if heading and title and heading.casefold() in title.casefold():
        return heading
    return next((said[name][0] for name in _TITLES if name in said), None) or title


def _language(root: Element, said: dict[str, list[str]]) -> str | None:
    bodies = _all(root, "body")
    tags = [language_of(root), *map(language_of, bodies), *(said[name][0] for name in _LANGUAGES if name in said)]
    return next(filter(None, map(normalised_tag, tags)), None)


def _all(root: Element, name: str) -> Iterator[Element]:
    return (element for element in root.iter("*") if name_of(element) == name)
