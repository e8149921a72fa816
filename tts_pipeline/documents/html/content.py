"""Which part of a page of HTML is its text, and what around and within it is furniture?

By names, roles and classes where those tell, else by how much of a list is links. What holds most of
the text is never furniture, whatever it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tts_pipeline.documents.markup.meaning import is_note, is_note_list, is_skipped, name_of, types_of, words
from tts_pipeline.documents.markup.parse import Element, line_of
from tts_pipeline.documents.plain.words import CONTENTS

_NAMES = frozenset({"nav", "aside", "dialog", "menu"})
_OF_THE_PAGE = frozenset({"header", "footer"})
"""Furniture where they are those of the page, and not of an article."""
_SECTIONS = frozenset({"article", "section", "main", "blockquote"})
_ROLES = words(
    "navigation banner contentinfo search complementary dialog alertdialog alert menu menubar toolbar tablist "
    "directory doc-toc"
)
_WORDS = words(
    "cookie cookies consent gdpr share sharing sharebar social related recommended recommendations newsletter "
    "subscribe sidebar breadcrumb breadcrumbs comments disqus ads advert advertisement advertisements promo popup "
    "modal navbar navigation pagination pager menu toolbar navbox editsection headerlink noprint skiplink"
)
_MAIN_WORDS = re.compile(
    r"(?:main|post|entry|article|story|page)[-_]?(?:content|body|text)|(?:main|content|article|bodycontent)"
    r"|mw-(?:parser-output|content-text)|markdown-body",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[^\W_]+")
_MOST = 0.4
"""The share of a page's text above which nothing is furniture."""
_LEAST_OF_MAIN, _LEAST_OF_OTHERS = 0.25, 0.5
_FEWEST_LINKS = 3
_SHARE_OF_LINKS = 0.75
_LISTS = frozenset({"ul", "ol", "dl", "table", "div", "section", "p"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "p", "div"})


class _Weight(NamedTuple):
    """What is in an element."""

    text: int = 0
    """Characters that are no white space."""
    linked: int = 0
    """Those of them in links."""
    links: int = 0

    def plus(self, other: _Weight) -> _Weight:
        return _Weight(self.text + other.text, self.linked + other.linked, self.links + other.links)


class Content(NamedTuple):
    """What is read of a page."""

    root: Element
    path: str
    unread: frozenset[Element]


def content_of(root: Element, notes: Iterable[Element]) -> Content:
    """Find the text of a page; notes that it refers to are part of it wherever they stand."""
    body = next((element for element in root.iter("*") if name_of(element) == "body"), root)
    weights = _weights(body)
    kept = {around for note in notes for around in (note, *note.iterancestors())}
    unread = {each for each in _furniture(body, weights) if each not in kept}
    main = _main(body, weights, unread, kept)
    unread |= {each for each in _link_lists(main, weights) if each not in kept}
    unread |= set(_lone_headings(unread))
    return Content(main, _path(main), frozenset(unread)) if _has_text(main, unread) else Content(root, "", frozenset())


def _weights(body: Element) -> dict[Element, _Weight]:
    """Weigh each element, the innermost first."""
    weights: dict[Element, _Weight] = {}
    for element in reversed(list(body.iter("*"))):
        inner = weights.get(element, _Weight())
        own = len("".join((element.text or "").split()))
        if name_of(element) == "a":
            weight = _Weight(inner.text + own, inner.text + own, inner.links + 1)
        else:
            weight = inner.plus(_Weight(own))
        weights[element] = weight = _Weight() if is_skipped(element) else weight
        parent = element.getparent()
        if parent is not None and element is not body:
            tail = _Weight(len("".join((element.tail or "").split())))
            weights[parent] = weights.get(parent, _Weight()).plus(weight).plus(tail)
    return weights


def _furniture(body: Element, weights: dict[Element, _Weight]) -> Iterator[Element]:
    most = weights[body].text * _MOST
    for element in body.iterdescendants("*"):
        if weights[element].text <= most and _is_furniture(element):
            yield element


def _is_furniture(element: Element) -> bool:
    name = name_of(element)
    if not element.keys() and name not in _NAMES | _OF_THE_PAGE:
        return False
    if is_note(element) or is_note_list(element):
        return False
    if name in _NAMES or types_of(element) & _ROLES:
        return True
    if name in _OF_THE_PAGE:
        return not any(name_of(around) in _SECTIONS for around in element.iterancestors())
    said = f"{element.get('class', '')} {element.get('id', '')}".lower()
    return not _WORDS.isdisjoint(_PARTS.findall(said))


def _main(body: Element, weights: dict[Element, _Weight], unread: set[Element], kept: set[Element]) -> Element:
    """Return the smallest element that says that it is the text, holds much of it, and all notes that are kept."""
    lost = sum(weights[each].text for each in unread if not any(up in unread for up in each.iterancestors()))
    total = weights[body].text - lost
    chosen, least = body, weights[body].text
    for element in body.iterdescendants("*"):
        share = _least_share(element)
        text = weights[element].text
        if share is None or element in unread or not share * total <= text <= least or not text:
            continue
        if not kept or element in kept:
            chosen, least = element, text
    return chosen


def _least_share(element: Element) -> float | None:
    """Return how much of the text must be in an element that says it is the text; None for others."""
    if not element.keys() and name_of(element) not in {"main", "article"}:
        return None
    if name_of(element) == "main" or "main" in types_of(element) or element.get("itemprop") == "articleBody":
        return _LEAST_OF_MAIN
    said = [*element.get("class", "").split(), element.get("id", "")]
    is_named = name_of(element) == "article" or any(_MAIN_WORDS.fullmatch(each) for each in said)
    return _LEAST_OF_OTHERS if is_named else None


def _link_lists(main: Element, weights: dict[Element, _Weight]) -> Iterator[Element]:
    """Yield what is hardly more than links: menus, tables of contents, what else there is to read."""
    most = weights[main].text * _MOST
    for element in main.iterdescendants("*"):
        text, linked, links = weights[element]
        if name_of(element) in _LISTS and links >= _FEWEST_LINKS and _SHARE_OF_LINKS * text <= linked and text <= most:
            yield element


def _lone_headings(unread: set[Element]) -> Iterator[Element]:
    """Yield the headings of what is left out, where nothing else is under them."""
    for element in unread:
        heading, following = element.getprevious(), element.getnext()
        if heading is None or name_of(heading) not in _HEADINGS:
            continue
        is_announcement = line_of(heading).strip(" .:").casefold() in CONTENTS
        is_alone = following is None or _is_heading(following)
        if is_announcement or (_is_heading(heading) and is_alone and name_of(element) in _LISTS):
            yield heading


def _is_heading(element: Element) -> bool:
    name = name_of(element)
    return len(name) == 2 and name in _HEADINGS


def _has_text(main: Element, unread: set[Element]) -> bool:
    if main in unread:
        return False
    if main.text and main.text.strip() and not is_skipped(main):
        return True
    return any(
        (not is_skipped(child) and _has_text(child, unread)) or bool(child.tail and child.tail.strip())
        for child in main.iterchildren("*")
    )


def _path(element: Element) -> str:
    """Return how to find an element from the root, as pages write it."""
    steps = [name_of(element)]
    for around in element.iterancestors():
        name = steps[-1]
        before = [each for each in around if name_of(each) == name]
        steps[-1] = f"{name}[{before.index(element) + 1}]"
        steps.append(name_of(around))
        element = around
    return "/".join(reversed(steps))
