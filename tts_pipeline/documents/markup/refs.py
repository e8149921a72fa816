"""Which notes do the links of a document refer to?

Text that is taken for a note by mistake would not be read, so a link that does not say what it is must
lead forward, to something small that begins with the same mark, leads back, or is called a note.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple
from urllib.parse import unquote

from tts_pipeline.documents.markup.meaning import BLOCKS, classes_of, is_declared_ref, is_note, is_note_ref, name_of
from tts_pipeline.documents.markup.parse import Element, text_of
from tts_pipeline.documents.pieces import Target

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MOST_TRIES = 20
"""Links to one place that are looked at: what many lead to is no note of the last of them alone."""
_LONGEST = 20_000
"""Characters of a note."""
_NOTE_CLASS = re.compile(r"(?:foot|end|rear)?notes?\w{0,8}|fn\w{0,4}", re.IGNORECASE)
_WORD = re.compile(r"\w+|[*†‡§¶‖#]+")


class _Link(NamedTuple):
    element: Element
    file: str
    number: int
    """Its place in the order of reading."""
    target: Target


class _Named(NamedTuple):
    element: Element
    number: int


def target_of(href: str, file: str) -> Target:
    """Return where a link in a file leads, inside of the same archive."""
    path, _, fragment = href.partition("#")
    path = unquote(path)
    return (posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) if path else file), unquote(fragment)


def noted(roots: dict[str, Element]) -> dict[Target, Element]:
    """Return the notes that marks refer to: what the link leads to, or the block around it."""
    links, named = _links_and_names(roots)
    found: dict[Target, Element] = {}
    tries: Counter[Target] = Counter()
    for link in links:
        tries[link.target] += 1
        if link.target in found or tries[link.target] > _MOST_TRIES:
            continue
        target = named.get(link.target)
        body = _body(target.element) if target else None
        if target is None or body is None or any(body is around for around in link.element.iterancestors()):
            continue
        if is_declared_ref(link.element) or (link.number < target.number and _is_like_note(body, link)):
            found[link.target] = body
    return found


def _links_and_names(roots: dict[str, Element]) -> tuple[list[_Link], dict[Target, _Named]]:
    links: list[_Link] = []
    named: dict[Target, _Named] = {}
    number = 0
    for file, root in roots.items():
        for element in root.iter("*"):
            number += 1
            if name_of(element) == "a" and is_note_ref(element):
                links.append(_Link(element, file, number, target_of(element.get("href", ""), file)))
            for name in filter(None, (element.get("id"), element.get("name"))):
                named.setdefault((file, name), _Named(element, number))
    return links, named


def _body(element: Element) -> Element | None:
    """Return the block that holds a note; None for what is more than a note."""
    body: Element | None = element
    while body is not None and name_of(body) not in BLOCKS:
        body = body.getparent()
    if body is not None and name_of(body) in {"td", "th"}:  # the number and its note are beside each other
        body = body.getparent()
    return body if body is not None and _is_small(body) else None


def _is_small(body: Element) -> bool:
    if name_of(body) in {"html", "body", *_HEADINGS} or len(text_of(body)) > _LONGEST:
        return False
    return not any(name_of(inner) in _HEADINGS or is_declared_ref(inner) for inner in body.iter())


def _is_like_note(body: Element, link: _Link) -> bool:
    if is_note(body) or any(_NOTE_CLASS.fullmatch(each) for each in classes_of(body)):
        return True
    mark, label = _WORD.search(text_of(link.element)), _WORD.search(text_of(body))
    return bool(mark and label and mark[0] == label[0]) or any(_leads_back(inner, link) for inner in body.iter("*"))


def _leads_back(element: Element, link: _Link) -> bool:
    """Return whether it is a link to the mark, or to what is around the mark in its line."""
    if name_of(element) != "a":
        return False
    fragment = target_of(element.get("href", ""), link.file)[1]
    return bool(fragment) and any(each.get("id") == fragment for each in _in_line(link.element))


def _in_line(element: Element) -> Iterator[Element]:
    """Yield an element, and those around it up to its block."""
    yield element
    yield from takewhile(lambda around: name_of(around) not in BLOCKS, element.iterancestors())
