"""What is where, and what failed for which reason?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.columns import Column
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_block, print_facts, print_json, print_table
from tts_pipeline.cli.session import Session, Workshop, pass_session
from tts_pipeline.cli.spoken import clock, counted, sentence
from tts_pipeline.written_paths import path_of, written

if TYPE_CHECKING:
    from tts_pipeline.shelf.standing import Standing

_COLUMNS = (
    Column("BOOK"),
    Column("TITLE", is_text=True),
    Column("STATE"),
    Column("DONE"),
    Column("SENTENCES", rank=2),
    Column("CHAPTERS", rank=3),
    Column("LENGTH", rank=1),
    Column("FAILED"),
)
_CHAPTERS = (Column("CHAPTER"), Column("TITLE", is_text=True), Column("RENDERED"), Column("FAILED"), Column("ENCODED"))
_MOST_SENTENCES = 200


@click.command(epilog=examples("tts-pipeline status", 'tts-pipeline status "The Clockmaker\'s Daughter"'))
@click.argument("name", metavar="[BOOK]", required=False)
@json_option
@pass_session
def status(session: Session, name: str | None, as_json: bool) -> None:
    """Show how far books are, or one of them with its chapters and the sentences that failed.

    A book is named by its id, a part of its title, or its file.
    """
    with session.open() as workshop:
        if name is not None:
            _one(workshop, name, as_json=as_json)
        else:
            _all(workshop, as_json=as_json)


def _all(workshop: Workshop, *, as_json: bool) -> None:
    from tts_pipeline.shelf.standing import standings

    found = standings(workshop.shelf, workshop.shelf.books())
    facts = [_facts(workshop, each) for each in found]
    if as_json:
        print_json(facts)
        return
    print_table(_COLUMNS, [_row(each, fact) for each, fact in zip(found, facts, strict=True)])


def _facts(workshop: Workshop, one: Standing) -> dict[str, Any]:
    from tts_pipeline.problems import problems
    from tts_pipeline.shelf.standing import state_of

    book = one.book
    failed = problems(workshop.shelf, book)
    return {
        "book": book.id,
        "title": book.title,
        "author": book.author,
        "language": book.language,
        "state": state_of(workshop.shelf, one).value,
        "share": round(one.share, 4),
        "revision": book.revision,
        "source": book.path,
        "folder": book.folder,
        "sentences": {"total": book.sentence_count, "rendered": one.rendered_count, "failed": len(failed)},
        "chapters": {"total": book.chapter_count, "encoded": one.chapter_count},
        "expected_seconds": round(book.expected_ms / 1000),
        "files": [_file(book.folder, each) for each in one.publications],
        "failed": [problem._asdict() for problem in failed],
    }


def _file(folder: str, publication: Any) -> dict[str, Any]:
    return {
        "format": publication.format,
        "path": written(path_of(folder) / publication.file) if publication.file else None,
        "seconds": publication.seconds,
        "missing": publication.missing_count,
        "revision": publication.published_revision,
    }


def _row(one: Standing, facts: dict[str, Any]) -> tuple[str, ...]:
    book, failed = one.book, len(facts["failed"])
    length = clock(one.seconds) if one.is_published else f"~{clock(book.expected_ms / 1000)}"
    sentences = f"{one.rendered_count:,} of {book.sentence_count:,}"
    chapters = f"{one.chapter_count} of {book.chapter_count}"
    done = f"{one.share:.0%}"
    return book.id, book.title, facts["state"], done, sentences, chapters, length, str(failed) if failed else ""


def _one(workshop: Workshop, name: str, *, as_json: bool) -> None:
    from tts_pipeline.shelf.finding import find_book
    from tts_pipeline.shelf.standing import standings

    book = find_book(workshop.shelf, name)
    (one,) = standings(workshop.shelf, [book])
    facts, chapters = _facts(workshop, one), list(_chapters(workshop, one))
    if as_json:
        print_json(facts | {"chapter_list": chapters})
        return
    print_facts(_told(workshop, one, facts))
    click.echo()
    print_table(_CHAPTERS, [_chapter_row(chapter) for chapter in chapters])
    for problem in facts["failed"][:_MOST_SENTENCES]:
        print_block(f"{sentence(problem['number'])} failed: {problem['reason']}", problem["text"])
    for task in _discarded(workshop, one):
        print_block(f"{task.name} failed", task.errors[-1].message if task.errors else "it was discarded")
    if facts["failed"]:
        click.echo(f"\nWhen the cause is gone: tts-pipeline resume {book.id} && tts-pipeline work")


def _told(workshop: Workshop, one: Standing, facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    book = one.book
    yield "title", book.title
    yield "author", book.author or ""
    yield "book", book.id
    yield "language", book.language
    yield "voice", ", ".join(_voices(workshop, one))
    yield "state", f"{facts['state']}, {one.share:.0%}"
    yield "source", book.path
    yield "revision", str(book.revision) if book.revision > 1 else ""
    yield "sentences", f"{one.rendered_count:,} of {book.sentence_count:,} rendered"
    yield "expected", "" if one.is_published else f"~{clock(book.expected_ms / 1000)}"
    for each in one.publications:
        if each.file and each.published_revision == book.revision:
            missing = f", {counted(each.missing_count, 'sentence')} missing" if each.missing_count else ""
            yield each.format, f"{path_of(book.folder) / each.file} ({clock(each.seconds or 0)}{missing})"


def _chapters(workshop: Workshop, one: Standing) -> Iterator[dict[str, Any]]:
    from tts_pipeline.book_settings import Publishing
    from tts_pipeline.errors import DamagedFile, NotStored
    from tts_pipeline.manifest import read_manifest

    book = one.book
    try:
        manifest = read_manifest(workshop.store, book.manifest)
    except (NotStored, DamagedFile):
        return  # the same file, ingested again, brings it back
    batches = workshop.shelf.batches(book)
    ways = dict.fromkeys(Publishing.model_validate_json(each.wanted).encoding.key for each in one.publications)
    encoded = [row for way in ways for row in workshop.shelf.encoded(book, way)]
    for number, head in enumerate(manifest.chapters):
        own = [batch for batch in batches if batch.chapter == number]
        yield {
            "number": number + 1,
            "title": head.title,
            "sentences": head.sentence_count,
            "rendered": sum(batch.rendered_count for batch in own),
            "failed": sum(len(batch.failures) for batch in own),
            "encoded": all(row.key for row in encoded if row.chapter == number) and bool(encoded),
        }


def _voices(workshop: Workshop, one: Standing) -> list[str]:
    """Return who speaks a book, the voice of its own language first."""
    from tts_pipeline.errors import DamagedFile, NotStored
    from tts_pipeline.manifest import read_manifest

    try:
        return read_manifest(workshop.store, one.book.manifest).voices
    except (NotStored, DamagedFile):
        return []


def _chapter_row(chapter: dict[str, Any]) -> tuple[str, ...]:
    rendered = f"{chapter['rendered']:,} of {chapter['sentences']:,}"
    failed = str(chapter["failed"]) if chapter["failed"] else ""
    return str(chapter["number"]), chapter["title"], rendered, failed, "yes" if chapter["encoded"] else ""


def _discarded(workshop: Workshop, one: Standing) -> Iterator[Any]:
    """Give what failed besides sentences."""
    from tts_pipeline.orders import RENDER
    from tts_pipeline.problems import discarded

    return (task for task in discarded(workshop.shelf, one.book) if task.name != RENDER)
