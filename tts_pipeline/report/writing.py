"""How is a report written piece by piece?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import BaseModel

from tts_pipeline.report.model import ChapterLine, Head, SentenceLine


def pieces(head: Head, chapters: Iterable[ChapterLine], sentences: Iterable[SentenceLine]) -> Iterator[str]:
    """Give the text of a report."""
    yield "{\n"
    for name in Head.model_fields:
        yield f'"{name}": {_json(head, name)},\n'
    yield '"chapters": [\n'
    yield from _listed(chapters)
    yield '],\n"sentences": [\n'
    yield from _listed(sentences)
    yield "]\n}\n"


def _json(head: Head, name: str) -> str:
    whole = head.model_dump_json(include={name})
    return whole[len(name) + 4 : -1]  # without {"name": and }


def _listed(lines: Iterable[BaseModel]) -> Iterator[str]:
    separator = ""
    for line in lines:
        yield separator + line.model_dump_json()
        separator = ",\n"
    yield "\n"
