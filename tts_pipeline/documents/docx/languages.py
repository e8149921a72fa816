"""Which language is each paragraph of a Word document in, by what its spelling is checked for?

That is often no more than what the program was set to: what most of the text is marked with says nothing of any
part of it, and what the words say counts more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from lxml import etree

from tts_pipeline.documents.language import guessed, normalised_tag
from tts_pipeline.documents.markup.meaning import name_of
from tts_pipeline.documents.markup.parse import Element

_MARK = "language-"


def mark_languages(roots: Mapping[str, Element]) -> str | None:
    """Put a bookmark into each paragraph that is in another language than most of them; return that one."""
    usual = _usual(roots)
    by_style = dict(pair for name, root in roots.items() if name.endswith("styles.xml") for pair in _by_style(root))
    found = [
        (paragraph, tag, length)
        for root in roots.values()
        for paragraph in root.iter("{*}p")
        for tag, length in _of_paragraph(paragraph, by_style)
    ]
    lengths: Counter[str | None] = Counter()
    for _, tag, length in found:
        lengths[tag or usual] += length
    main = max(lengths, key=lambda tag: lengths[tag], default=None) or usual
    for paragraph, tag, _ in found:
        if tag and _primary(tag) != _primary(main):
            _mark(paragraph, tag)
    return main


def marked_language(ids: tuple[str, ...], text: str) -> str | None:
    """Return the language of a paragraph that was marked, unless its words are in another."""
    tag = next((name.removeprefix(_MARK) for name in ids if name.startswith(_MARK)), None)
    told = guessed(text) if tag else None
    return tag if told is None or _primary(told) == _primary(tag) else None


def _usual(roots: Mapping[str, Element]) -> str | None:
    """Return the language of text that says nothing: by the defaults of the styles, else by the settings."""
    defaults = (each for root in roots.values() for each in root.iter("{*}docDefaults", "{*}style"))
    said = (_language(each) for each in defaults if name_of(each) == "docdefaults" or attribute(each, "default"))
    settings = (value_of(each) for root in roots.values() for each in root.iter("{*}themeFontLang"))
    return next(filter(None, (*said, *map(normalised_tag, settings))), None)


def _language(element: Element) -> str | None:
    return normalised_tag(_first(element, "lang"))


def _by_style(styles: Element) -> Iterator[tuple[str, str]]:
    for style in styles.iter("{*}style"):
        tag, name = _language(style), attribute(style, "styleId")
        if tag and name:
            yield name, tag


def _of_paragraph(paragraph: Element, by_style: Mapping[str, str]) -> Iterator[tuple[str | None, int]]:
    """Yield the one language that all of a paragraph's words are marked with, and their length; None for several."""
    own = by_style.get(_first(paragraph, "pstyle") or "")
    lengths: Counter[str | None] = Counter()
    for run in paragraph.iter("{*}r"):
        length = sum(map(str.isalnum, "".join(text.text or "" for text in run.iter("{*}t"))))
        tag = _language(run) or by_style.get(_first(run, "rstyle") or "") or own
        lengths[tag] += length
    lengths += Counter()
    if lengths:
        yield next(iter(lengths)) if len(lengths) == 1 else None, lengths.total()


def _first(element: Element, name: str) -> str | None:
    return next((value_of(each) for each in element.iter("*") if name_of(each) == name), None)


def value_of(element: Element) -> str | None:
    """Return what a property is set to."""
    return attribute(element, "val")


def attribute(element: Element, name: str) -> str | None:
    """Return what an attribute says, in whichever of the namespaces of Word."""
    return next((str(value) for key, value in element.items() if str(key).endswith(f"}}{name}")), None)


def _primary(tag: str | None) -> str:
    return (tag or "").split("-")[0]


def _mark(paragraph: Element, tag: str) -> None:
    namespace = etree.QName(paragraph).namespace
    mark = etree.Element(f"{{{namespace}}}bookmarkStart")
    mark.set(f"{{{namespace}}}name", f"{_MARK}{tag}")
    paragraph.insert(1 if len(paragraph) and name_of(paragraph[0]) == "ppr" else 0, mark)
