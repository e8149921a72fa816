"""How is a published book checked?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from queue_core.console.failed import Failed
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, print_note
from tts_pipeline.cli.session import Session, pass_session
from tts_pipeline.cli.spoken import clock, counted

if TYPE_CHECKING:
    from tts_pipeline.report.proof import Proof


@click.command(epilog=examples("tts-pipeline verify", 'tts-pipeline verify "outputs/Author/Title"'))
@click.argument("names", metavar="[BOOK|FOLDER]...", nargs=-1)
@json_option
@pass_session
def verify(session: Session, names: tuple[str, ...], as_json: bool) -> None:
    """Check published books against their reports.

    Every packet, the length in samples, the chapter marks, and that each sentence is heard where the report says. A
    folder can be checked wherever it was moved to. Where none is named, all published books are checked.
    """
    from tts_pipeline.report.proof import prove

    proofs = [prove(report) for report in _reports(session, names)]
    if as_json:
        print_json([_facts(proof) for proof in proofs])
    for proof in proofs:
        _tell(proof, as_json=as_json)
    if not all(proof.is_good and not proof.report.missing for proof in proofs):
        raise click.exceptions.Exit(1)


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
            yield from (Files.of(book, each.format, is_first=each.place == 0).report for each in published)


def _tell(proof: Proof, *, as_json: bool) -> None:
    totals = proof.report.totals
    if proof.is_good and not as_json:
        sentences = f"{counted(totals.sentences - totals.missing, 'sentence')}"
        click.echo(f"{proof.file}: good: {counted(totals.chapters, 'chapter')}, {sentences}, {clock(totals.seconds)}")
    for flaw in proof.flaws:
        print_note(f"{proof.file}: {flaw}")
    for missing in proof.report.missing:
        print_note(f"{proof.file}: sentence {missing.number} is missing: {missing.text!r:.80}: {missing.reason}")


def _facts(proof: Proof) -> dict[str, object]:
    return {
        "file": str(proof.file),
        "is_good": proof.is_good,
        "flaws": list(proof.flaws),
        "missing": [missing.model_dump() for missing in proof.report.missing],
        "totals": proof.report.totals.model_dump(),
    }
