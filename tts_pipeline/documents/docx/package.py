"""Which parts of a Word document are read, and are they safe to read?

The library that knows what they mean would expand entities, follow every level of nesting and open what
is referred to. It is given nothing but text: a copy of the few parts that matter, without the rest.
"""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import NamedTuple

from lxml import etree

from tts_pipeline.documents.archive import Archive
from tts_pipeline.documents.docx.languages import attribute, mark_languages, value_of
from tts_pipeline.documents.language import normalised_tag
from tts_pipeline.documents.markup.meaning import name_of
from tts_pipeline.documents.markup.parse import Budget, Element, line_of, parsed_xml
from tts_pipeline.documents.options import Limits
from tts_pipeline.documents.refusal import Refused

_DOCUMENT = "word/document.xml"
_CORE = "docProps/core.xml"
_OTHERS = {"xl": "a spreadsheet", "ppt": "a presentation", "content.xml": "an OpenDocument file"}
_ENDINGS = (".xml", ".rels")
_PARTS = frozenset({"document", "styles", "numbering", "settings", "footnotes", "endnotes"})
_LEFT_OUT = frozenset({"prooferr", "bookmarkstart", "bookmarkend", "drawing", "object", "lastrenderedpagebreak"})
_REFERENCES = ("{http://schemas.openxmlformats.org/officeDocument/", "{http://purl.oclc.org/ooxml/officeDocument/")
_OFF = frozenset({"0", "false", "off"})


class Package(NamedTuple):
    """What was found in a document."""

    parts: BytesIO
    """An archive of what is read, with nothing in it but text."""
    title: str | None
    author: str | None
    language: str | None
    """What the document says that it is in."""
    proofing_language: str | None
    """What its spelling is checked for: often no more than what the program was set to."""


def package(archive: Archive, limits: Limits) -> Package:
    """Read what is in the archive; raises Refused where that is no Word document, or hostile."""
    names = [name for name in archive.names() if _is_read(name)]
    if not any(name.startswith("word/document") for name in names):
        found = next((what for begin, what in _OTHERS.items() if any(n.startswith(begin) for n in archive.names())), "")
        raise Refused(f"it is {found or 'no Word document'}: {_DOCUMENT} is missing from it")
    roots: dict[str, Element] = {}
    budget = Budget(limits)
    for name in names:
        data = archive.read(name)
        budget.spend(data)
        roots[name] = _parsed(name, data)
    core = _parsed(_CORE, archive.read(_CORE)) if _CORE in archive else None
    for root in roots.values():
        _without_rest(root)
    _without_lost_notes(roots)
    main = mark_languages(roots)
    return Package(
        parts=_packed(roots),
        title=_said(core, "title"),
        author=_said(core, "creator"),
        language=normalised_tag(_said(core, "language")),
        proofing_language=main,
    )


def _is_read(name: str) -> bool:
    folder, _, file = name.rpartition("/")
    if not file.endswith(_ENDINGS):
        return False
    stem = file.split(".")[0].rstrip("0123456789")
    return name in {"[Content_Types].xml", "_rels/.rels"} or (folder.startswith("word") and stem in _PARTS)


def _parsed(name: str, data: bytes) -> Element:
    try:
        return parsed_xml(data)
    except Refused as refused:
        raise Refused(f"{name}: {refused}") from refused


def _without_rest(root: Element) -> None:
    """Leave out what is not read, and what refers to other parts: they may not be there."""
    for element in list(root.iterdescendants("*")):
        parent = element.getparent()
        if _is_left_out(element) and parent is not None:
            parent.remove(element)
        for key in [key for key in element.keys() if str(key).startswith(_REFERENCES)]:  # noqa: SIM118 (no dict)
            del element.attrib[key]


def _without_lost_notes(roots: dict[str, Element]) -> None:
    """Leave out marks of notes that are not there."""
    for kind in ("footnote", "endnote"):
        known = {attribute(note, "id") for root in roots.values() for note in root.iter(f"{{*}}{kind}")}
        for root in roots.values():
            for mark in list(root.iter(f"{{*}}{kind}Reference")):
                parent = mark.getparent()
                if attribute(mark, "id") not in known and parent is not None:
                    parent.remove(mark)


def _packed(roots: dict[str, Element]) -> BytesIO:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, root in roots.items():
            archive.writestr(name, etree.tostring(root))
    packed.seek(0)
    return packed


def _is_left_out(element: Element) -> bool:
    """Return whether it is a picture, a mark of the program, text that is hidden, or a reference to nothing."""
    name = name_of(element)
    if name == "relationship":
        return not all(element.get(each) for each in ("Id", "Type", "Target"))
    if name != "r":
        return name in _LEFT_OUT
    properties = next((child for child in element if name_of(child) == "rpr"), None)
    hidden = [each for each in (properties if properties is not None else ()) if name_of(each) == "vanish"]
    return any((value_of(each) or "").lower() not in _OFF for each in hidden)


def _said(core: Element | None, name: str) -> str | None:
    found = (line_of(each) for each in (core.iter("*") if core is not None else ()) if name_of(each) == name)
    return next(filter(None, found), None)
