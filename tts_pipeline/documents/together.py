"""What do several files say, where they are the chapters of one book?"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from tts_pipeline.book import Block, Chapter, Document
from tts_pipeline.documents.options import DEFAULT, ReadingOptions
from tts_pipeline.documents.plain.headings import heading_in
from tts_pipeline.documents.plain.lines import Line
from tts_pipeline.documents.plain.names import named_by
from tts_pipeline.documents.reading import read
from tts_pipeline.errors import UnreadableDocument
from tts_pipeline.written_paths import legible

_COUNTED = re.compile(r"[\s_.,-]*(?:(?:part|chapter|ch|teil|kapitel|no?)[\s_.-]*)?[\d\s_.-]*$", re.IGNORECASE)
_LEAST = 3
"""Letters that make what names have in common a title."""


def read_as_one(paths: Sequence[Path], options: ReadingOptions = DEFAULT, title: str | None = None) -> Document:
    """Read files as one book, in the order that they are given; raises UnreadableDocument for the first that can't be.

    A file without chapters is one chapter. Places name the file by its path from the folder that holds all.
    """
    if not paths:
        raise ValueError("a book needs at least one file")
    documents: list[Document] = []
    length = 0
    for path in paths:
        documents.append(read(path, options.model_copy(update={"parts": False})))
        length += sum(len(block.text) for chapter in documents[-1].chapters for block in chapter.blocks)
        if length > options.limits.text_chars:
            raise UnreadableDocument(
                str(path), f"with it the book has more than {options.limits.text_chars:,} characters"
            )
    language = next(filter(None, (each.language for each in documents)), None)
    names = _names(paths)
    return Document(
        title=title or _title(paths, documents),
        author=", ".join(dict.fromkeys(each.author for each in documents if each.author)) or None,
        language=language,
        cover=next(filter(None, (each.cover for each in documents)), None),
        chapters=tuple(
            _placed(chapter, path, name, document.language if document.language != language else None)
            for path, name, document in zip(paths, names, documents, strict=True)
            for chapter in document.chapters
        ),
    )


def _names(paths: Sequence[Path]) -> list[str]:
    """Return what tells each file from the others; one that is there twice is the same twice."""
    absolute = [legible(Path(os.path.abspath(path))) for path in paths]  # noqa: PTH100 (links are left as they are)
    folder = Path(os.path.commonpath([path.parent for path in absolute]))
    return [path.relative_to(folder).as_posix() for path in absolute]


def _placed(chapter: Chapter, path: Path, name: str, language: str | None) -> Chapter:
    return chapter.model_copy(update={"blocks": tuple(_moved(block, path, name, language) for block in chapter.blocks)})


def _moved(block: Block, path: Path, name: str, language: str | None) -> Block:
    inner = block.place.file
    place = block.place.model_copy(update={"file": name if inner == legible(path).name else f"{name}/{inner}"})
    return block.model_copy(update={"place": place, "language": block.language or language})


def _shared(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    first, last = min(names), max(names)
    return first[
        : next((at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first))
    ]


def _title(paths: Sequence[Path], documents: Sequence[Document]) -> str:
    """Return what all are called, what their names share, or the first one's title; of mere chapters, the folder's."""
    first = documents[0].title
    if len({document.title for document in documents}) == 1:
        return first
    shared = _COUNTED.sub("", _shared([legible(path).stem for path in paths]))
    if sum(map(str.isalpha, shared)) >= _LEAST and heading_in(Line(shared, 0, 0)) is None:
        return named_by(Path(shared)).title or first
    folder = Path(os.path.abspath(paths[0])).parent  # noqa: PTH100
    is_chapter = heading_in(Line(first, 0, 0)) is not None or not any(map(str.isalpha, first))
    return (named_by(Path(folder.name)).title or first) if is_chapter and folder.name else first
