"""What does an EPUB say of itself: its metadata, its files, and the order in which they are read?"""

from __future__ import annotations

from dataclasses import dataclass

from tts_pipeline.documents.archive import Archive
from tts_pipeline.documents.language import normalised_tag
from tts_pipeline.documents.markup.meaning import name_of
from tts_pipeline.documents.markup.parse import Element, line_of, parsed_xml, refuse_list, text_of
from tts_pipeline.documents.markup.refs import target_of
from tts_pipeline.documents.refusal import Refused

_CONTAINER = "META-INF/container.xml"
_OPF = "{http://www.idpf.org/2007/opf}"


@dataclass(frozen=True, slots=True)
class Resource:
    """A file that the package lists."""

    id: str
    file: str
    media_type: str
    properties: frozenset[str]


@dataclass(frozen=True, slots=True)
class Package:
    """What the package document says."""

    title: str | None
    author: str | None
    language: str | None
    resources: dict[str, Resource]
    spine: tuple[str, ...]
    """The ids of what is read, in order."""
    ncx: str | None
    """The id of the table of contents of EPUB 2."""
    guide: dict[str, str]
    """The file for each purpose that the guide of EPUB 2 names."""
    cover_id: str | None

    def with_property(self, name: str) -> Resource | None:
        """Return the first resource that has a property."""
        return next((each for each in self.resources.values() if name in each.properties), None)


def package(archive: Archive) -> Package:
    """Read the package document; raises Refused where there is none."""
    file = _package_file(archive)
    data = archive.read(file)
    refuse_list(data)
    root = parsed_xml(data)
    spine = _first(root, "spine")
    return Package(
        title=_title(root),
        author=_author(root),
        language=normalised_tag(next(iter(_texts(root, "language")), None)),
        resources={each.id: each for each in _resources(root, file)},
        spine=_spine(spine),
        ncx=spine.get("toc") if spine is not None else None,
        guide=_guide(root, file),
        cover_id=next((meta.get("content") for meta in _all(root, "meta") if meta.get("name") == "cover"), None),
    )


def _package_file(archive: Archive) -> str:
    if _CONTAINER in archive:
        container = parsed_xml(archive.read(_CONTAINER))
        files = [each.get("full-path", "") for each in _all(container, "rootfile")]
    else:
        files = sorted(name for name in archive.names() if name.lower().endswith(".opf"))
    file = next((each for each in files if each), None)
    if file is None:
        raise Refused("it is no EPUB: it has no package document (OPF)")
    return archive.found(file) or file


def _all(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if name_of(element) == name]


def _first(root: Element, name: str) -> Element | None:
    return next(iter(_all(root, name)), None)


def _texts(root: Element, name: str) -> list[str]:
    texts = (line_of(element) for element in _all(root, name))
    return [text for text in texts if text]


def _title(root: Element) -> str | None:
    """Return the main title where EPUB 3 says which one it is."""
    main = {
        meta.get("refines", "").lstrip("#")
        for meta in _refining(root, "title-type")
        if (meta.text or "").strip() == "main"
    }
    titles = [element for element in _all(root, "title") if text_of(element).strip()]
    chosen = next((element for element in titles if element.get("id") in main), titles[0] if titles else None)
    return line_of(chosen) if chosen is not None else None


def _author(root: Element) -> str | None:
    """Return those who wrote it; those who only translated or drew have a role that says so."""
    roles = {meta.get("refines", "").lstrip("#"): (meta.text or "").strip() for meta in _refining(root, "role")}
    names: list[str] = []
    for creator in _all(root, "creator"):
        name = line_of(creator)
        role = creator.get(f"{_OPF}role") or creator.get("role") or roles.get(creator.get("id", ""), "aut")
        if name and name not in names and role == "aut":
            names.append(name)
    return ", ".join(names) or next(iter(_texts(root, "creator")), None)


def _refining(root: Element, name: str) -> list[Element]:
    return [meta for meta in _all(root, "meta") if meta.get("property") == name]


def _resources(root: Element, file: str) -> list[Resource]:
    manifest = _first(root, "manifest")
    return [
        Resource(
            id=item.get("id", ""),
            file=target_of(item.get("href", ""), file)[0],
            media_type=item.get("media-type", "").lower(),
            properties=frozenset(item.get("properties", "").split()),
        )
        for item in (_all(manifest, "item") if manifest is not None else ())
    ]


def _spine(spine: Element | None) -> tuple[str, ...]:
    """Return what is read, each once; what is not linear is left out."""
    refs = _all(spine, "itemref") if spine is not None else []
    return tuple(dict.fromkeys(ref.get("idref", "") for ref in refs if ref.get("linear", "yes").lower() != "no"))


def _guide(root: Element, file: str) -> dict[str, str]:
    return {each.get("type", "").lower(): target_of(each.get("href", ""), file)[0] for each in _all(root, "reference")}
