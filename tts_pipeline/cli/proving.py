"""How is a published book checked?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from queue_core.console.failed import Failed
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, print_note
from tts_pipeline.cli.session import Session, pass_session
from tts_pipeline.cli.spoken import clock, counted, sentence
from tts_pipeline.written_paths import written


@click.command(epilog=examples("tts-pipeline verify", 'tts-pipeline verify "outputs/Author/Title"'))
@click.argument("names", metavar="[BOOK|FOLDER]...", nargs=-1)
@json_option
@pass_session
def verify(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """Check published books against their reports.

    Every packet, the length in samples, the chapter marks, and that each sentence is heard where the report says. A
    folder can be checked wherever it was moved to. Where none is named, all published books are checked.
    """
    proofs = [_proved(report) for report in _reports(session, names)]
    if as_json:
        print_json([proof.facts for proof in proofs])
    for proof in proofs:
        _tell(proof, as_json=as_json)
    if not proofs:
        raise Failed("nothing is published yet")
    if not all(proof.facts["is_good"] and not proof.facts["missing"] for proof in proofs):
        raise click.exceptions.Exit(1)


@dataclass(frozen=True)
class _Checked:
    """What came of checking a book."""

    report: Path
    facts: dict[str, Any]
    chapters: Mapping[int, int] = field(default_factory=dict)
    """Of the sentences that are missing."""


def _proved(path: Path) -> _Checked:
    """Return what came of checking a book; one that can't be read is no good, and keeps no other from being checked."""
    from tts_pipeline.errors import DamagedFile
    from tts_pipeline.report.proof import prove

    try:
        proof = prove(path)
    except DamagedFile as error:
        return _Checked(
            path, {"file": written(path), "is_good": False, "flaws": [error.reason], "missing": [], "totals": None}
        )
    facts = {
        "file": written(proof.file),
        "is_good": proof.is_good,
        "flaws": list(proof.flaws),
        "missing": [missing.model_dump() for missing in proof.report.missing],
        "totals": proof.report.totals.model_dump(),
    }
    return _Checked(path, facts, {one.number: one.chapter for one in proof.report.sentences if one.clip is None})


def _reports(session: Session, names: Sequence[str]) -> Iterator[Path]:
    named = [name for name in names if not Path(name).is_dir()]
    for name in names:
        if Path(name).is_dir():
            found = sorted(Path(name).glob("report*.json"))
            if not found:
                raise Failed(f"{name}: there is no report.json in it")
            yield from found
    if named or not names:
        yield from _of_books(session, named)


def _of_books(session: Session, names: Sequence[str]) -> Iterator[Path]:
    from tts_pipeline.publication import Files
    from tts_pipeline.shelf.finding import find_books

    with session.open() as workshop:
        for book in find_books(workshop.shelf, names):
            published = [each for each in workshop.shelf.publications(book.id) if each.file]
            if not published and names:
                raise Failed(f"{book.title} is not published yet")
            yield from (Files.published(book, each).report for each in published)


def _tell(checked: _Checked, *, as_json: bool) -> None:
    facts = checked.facts
    file, totals = facts["file"], facts["totals"]
    if facts["is_good"] and not as_json:
        heard = counted(totals["sentences"] - totals["missing"], "sentence")
        click.echo(f"{file}: good: {counted(totals['chapters'], 'chapter')}, {heard}, {clock(totals['seconds'])}")
    for flaw in facts["flaws"]:
        print_note(f"{file}: {flaw}")
    if facts["flaws"]:
        print_note(
            f"{file}: delete {checked.report.name}, and tts-pipeline run makes the book again from what is stored"
        )
    for line in _missing(facts["missing"], checked.chapters):
        print_note(f"{file}: {line}")


def _missing(missing: Sequence[dict[str, Any]], chapters: Mapping[int, int]) -> Iterator[str]:
    """Tell which sentences are missing: those of a chapter with one reason in one line."""
    for (chapter, reason), found in groupby(missing, key=lambda one: (chapters.get(one["number"], 0), one["reason"])):
        first, *others = found
        if others:
            numbers = f"sentences {first['number'] + 1:,} to {others[-1]['number'] + 1:,}"
            yield f"chapter {chapter + 1}: {1 + len(others):,} of {numbers} are missing: {reason}"
        else:
            yield f"{sentence(first['number'])} is missing: {first['text']!r:.80}: {reason}"
