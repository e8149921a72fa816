"""What does an element mean, by its name, class, epub:type and role?"""

from __future__ import annotations

import re
from functools import lru_cache

from tts_pipeline.book import Kind
from tts_pipeline.documents.markup.parse import Element, text_of

_TYPE = "{http://www.idpf.org/2007/ops}type"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as a text."""
    return frozenset(text.split())


SKIPPED_NAMES = words(
    "head script style template svg math audio video object iframe canvas map button select textarea input "
    "rt rp rtc noscript datalist "
)
BLOCKS = words(
    "html body main section article header footer aside nav div p h1 h2 h3 h4 h5 h6 blockquote pre ul ol li dl dt "
    "dd table thead tbody tfoot tr td th caption figure figcaption hr address details summary fieldset center "
    "hgroup menu form "
)
_HEADING = re.compile(r"h[1-6]")
_SKIPPED_TYPES = words(
    "toc landmarks page-list loi lot loa lov cover copyright-page titlepage halftitlepage imprint pagebreak index "
    "doc-toc doc-pagelist doc-pagebreak doc-cover doc-index "
)
_SKIPPED_CLASSES = words("pg-boilerplate pgheader pgfooter pagenum pagenumber page-number pageno pagebreak")
_WHOLE_PAGE = 1000
"""Characters in a form that are more than its labels: some sites put one around all of the page."""
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOTES = words("footnote rearnote endnote note doc-footnote doc-endnote")
_NOTE_LISTS = words("footnotes rearnotes endnotes doc-endnotes")
_NOTE_REFS = words("noteref doc-noteref")
_BACK_LINKS = words("backlink referrer doc-backlink")
_VERSE_TYPES = words("z3998:verse z3998:poem z3998:song verse poem")
_VERSE_CLASS = re.compile(
    r"(?:poem|poetry|verse|stanza|strophe|lg|linegroup|line-group|song|lyrics)(?:[-_]?\w{0,12})?", re.IGNORECASE
)
_NO_VERSE = re.compile(r"(?:verse|song|poem)[-_]?(?:num|number|no|title|ref|author)\w*", re.IGNORECASE)
_BREAK_CLASS = re.compile(
    r"(?:scene|section|thought|context|space)?[-_]?breaks?|asterism|ornament|separator|tb|dinkus", re.IGNORECASE
)
_REF_CLASS = re.compile(
    r"(?:fn|note|footnote|endnote)[-_]?(?:ref|anchor|link|call|mark)?\w{0,4}|fnanchor|superscript", re.IGNORECASE
)
_MARK = re.compile(r"\W*(?:\d{1,4}|[a-z]|[ivxl]{1,6}|[*†‡§¶‖#]{1,4})\W*|[*†‡§¶‖#↩⤴↑^\s\ufe0e]+", re.IGNORECASE)
_NAMED_MARK = re.compile(r"\W*[a-z]{1,5}\.?\s\d{1,4}\W*", re.IGNORECASE)
"""Such as [note 1]."""


def name_of(element: Element) -> str:
    """Return an element's name without its namespace; nothing for what is no element."""
    tag = element.tag
    return _small(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=1000)
def _small(tag: str) -> str:
    return tag.rpartition("}")[2].lower()


def types_of(element: Element) -> frozenset[str]:
    """Return what its epub:type and its role say."""
    if not element.keys():
        return frozenset()
    said = f"{element.get(_TYPE, '')} {element.get('epub:type', '')} {element.get('role', '')}"
    return frozenset(said.lower().split())


def classes_of(element: Element) -> list[str]:
    """Return the names of its classes."""
    return element.get("class", "").split()


def language_of(element: Element) -> str | None:
    """Return the language that it says its text is in."""
    return element.get(_XML_LANG) or element.get("lang") or None


def is_skipped(element: Element) -> bool:
    """Return whether it is not for reading aloud."""
    name = name_of(element)
    if name in SKIPPED_NAMES or (name == "form" and len(text_of(element)) < _WHOLE_PAGE):
        return True
    if not element.keys():  # most have nothing to say, and there are many
        return False
    if element.get("hidden") is not None:
        return True
    if types_of(element) & _SKIPPED_TYPES or element.get("aria-hidden") == "true":
        return True
    if _HIDDEN.search(element.get("style", "")):
        return True
    return any(each.lower() in _SKIPPED_CLASSES for each in classes_of(element))


def is_note(element: Element) -> bool:
    """Return whether it says that it is a footnote."""
    return bool(types_of(element) & _NOTES)


def is_note_list(element: Element) -> bool:
    """Return whether it says that there is nothing in it but notes."""
    return bool(types_of(element) & _NOTE_LISTS)


def is_verse(element: Element) -> bool:
    """Return whether it says that its lines are verse."""
    if not element.keys():
        return False
    if types_of(element) & _VERSE_TYPES:
        return True
    return any(_VERSE_CLASS.fullmatch(each) and not _NO_VERSE.fullmatch(each) for each in classes_of(element))


def is_break(element: Element) -> bool:
    """Return whether it is a change of scene."""
    return name_of(element) == "hr" or any(_BREAK_CLASS.fullmatch(each) for each in classes_of(element))


def kind_of(element: Element, around: Kind) -> Kind:
    """Return what the text in an element is, inside of something else."""
    name = name_of(element)
    if _HEADING.fullmatch(name):
        return Kind.HEADING
    by_name = {
        "pre": Kind.CODE,
        "tr": Kind.TABLE,
        "blockquote": Kind.QUOTE,
        "li": Kind.LIST,
        "dt": Kind.LIST,
        "dd": Kind.LIST,
    }
    if name in by_name:
        return by_name[name]
    return Kind.VERSE if is_verse(element) and around is not Kind.HEADING else around


def is_declared_ref(element: Element) -> bool:
    """Return whether a link says that it is the mark of a footnote."""
    return name_of(element) == "a" and bool(types_of(element) & _NOTE_REFS)


def is_note_ref(element: Element) -> bool:
    """Return whether a link may be the mark of a footnote: it says so, or is a raised or bracketed number."""
    if is_declared_ref(element):
        return True
    text = text_of(element).strip()
    if "#" not in element.get("href", "") or not (_MARK.fullmatch(text) or _NAMED_MARK.fullmatch(text)):
        return False
    parent = element.getparent()
    is_raised = (parent is not None and name_of(parent) == "sup") or any(name_of(child) == "sup" for child in element)
    is_marked = not text[0].isalnum() or any(_REF_CLASS.fullmatch(each) for each in classes_of(element))
    return is_raised or is_marked


def is_back_link(element: Element) -> bool:
    """Return whether a link in a note leads back to where it came from."""
    if types_of(element) & _BACK_LINKS:
        return True
    return "#" in element.get("href", "") and bool(_MARK.fullmatch(text_of(element).strip() or "↩"))
