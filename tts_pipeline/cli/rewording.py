"""How are sentences of a book said otherwise, or once more?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.columns import Column
from queue_core.console.failed import Refused
from queue_core.console.parameters import COUNT, TEXT, examples, json_option
from queue_core.console.shown import print_json, print_note, print_table
from tts_pipeline.cli.options import WORK, setting_options
from tts_pipeline.cli.session import Session, Workshop, pass_session
from tts_pipeline.cli.spoken import counted

if TYPE_CHECKING:
    from tts_pipeline.ingest import Ingested
    from tts_pipeline.shelf import Book

_LATER = click.option("--later", is_flag=True, help="Only enqueue it: workers that run elsewhere render it.")


@click.command(
    epilog=examples(
        'tts-pipeline redo "The Clockmaker\'s Daughter" --chapter 3',
        "tts-pipeline redo clockmaker --sentence 412 --sentence 415",
        "tts-pipeline redo --lexicon --dry-run",
        "tts-pipeline redo --lexicon",
    )
)
@click.argument("names", metavar="[BOOK]...", nargs=-1)
@click.option("--chapter", "chapters", type=COUNT, multiple=True, help="Every sentence of this chapter.")
@click.option("--sentence", "sentences", type=COUNT, multiple=True, help="This sentence, counted as status does.")
@click.option("--lexicon", "is_lexicon", is_flag=True, help="Those that the lexicon says otherwise by now.")
@click.option("--dry-run", is_flag=True, help="With --lexicon: only say how many that is.")
@_LATER
@json_option
@setting_options(WORK)
@pass_session
def redo(  # noqa: PLR0913 (its options)
    session: Session,
    /,
    *,
    names: tuple[str, ...],
    chapters: tuple[int, ...],
    sentences: tuple[int, ...],
    is_lexicon: bool,
    dry_run: bool,
    later: bool,
    as_json: bool,
    **flags: Any,
) -> None:
    """Render sentences again: all of a chapter, single ones, or those that the lexicon has changed.

    The audiobook that is there stays until the new one takes its place.
    """
    if is_lexicon == bool(chapters or sentences) or (dry_run and not is_lexicon):
        raise Refused("say what: either --chapter and --sentence of one BOOK, or --lexicon (perhaps with --dry-run)")
    if not is_lexicon and len(names) != 1:
        raise Refused("name the one BOOK whose chapters or sentences are meant")
    session.lay_over(flags)
    with session.open() as workshop:
        if is_lexicon:
            books = _touched(workshop, names, dry_run=dry_run, as_json=as_json)
            made = [] if dry_run else [_again(workshop, book) for book in books]
        else:
            made = [_redone(workshop, names[0], chapters, sentences)]
        if not dry_run:
            _finish(workshop, made, later=later, as_json=as_json)


@click.command(
    epilog=examples(
        "tts-pipeline edit clockmaker --sentence 412 --say 'She lives in Lester Square.'",
        "tts-pipeline edit clockmaker --sentence 412 --as-written",
    )
)
@click.argument("name", metavar="BOOK")
@click.option("--sentence", type=COUNT, required=True, help="Which one, counted as status does.")
@click.option("--say", type=TEXT, metavar="TEXT", help="What is spoken instead.")
@click.option("--as-written", is_flag=True, help="Speak it again as the book has it.")
@_LATER
@json_option
@setting_options(WORK)
@pass_session
def edit(  # noqa: PLR0913 (its options)
    session: Session,
    /,
    *,
    name: str,
    sentence: int,
    say: str | None,
    as_written: bool,
    later: bool,
    as_json: bool,
    **flags: Any,
) -> None:
    """Let other words be spoken for a sentence; captions keep those of the book.

    The edit stays with its sentence when the book's file changes, as long as the sentence is in it.
    """
    from tts_pipeline.rewording import Rewording
    from tts_pipeline.shelf.finding import find_book
    from tts_pipeline.text.normalise import normalise

    spoken = normalise(say).text if say is not None else None
    if (spoken is None) != as_written or (spoken is not None and not any(map(str.isalnum, spoken))):
        raise Refused("say either what is spoken, in words, with --say, or --as-written")
    session.lay_over(flags)
    with session.open() as workshop:
        book = find_book(workshop.shelf, name)
        made = Rewording(workshop.ingest()).edit(book, sentence - 1, spoken)
        _finish(workshop, [made], later=later, as_json=as_json)


def _redone(workshop: Workshop, name: str, chapters: Sequence[int], sentences: Sequence[int]) -> Ingested:
    from tts_pipeline.errors import NoSuchPart
    from tts_pipeline.manifest import read_all_items, read_manifest
    from tts_pipeline.rewording import Rewording, sentences_of
    from tts_pipeline.shelf.finding import find_book

    book = find_book(workshop.shelf, name)
    numbers = {number - 1 for number in sentences}
    items = read_all_items(workshop.store, read_manifest(workshop.store, book.manifest))
    for chapter in chapters:
        if chapter > book.chapter_count:
            raise NoSuchPart(book.title, f"chapter {chapter}", f"they go from 1 to {book.chapter_count}")
        numbers.update(sentences_of(items, chapter - 1))
    return Rewording(workshop.ingest()).redo(book, numbers)


def _again(workshop: Workshop, book: Book) -> Ingested:
    from tts_pipeline.rewording import Rewording

    return Rewording(workshop.ingest()).reword(book)


def _touched(workshop: Workshop, names: Sequence[str], *, dry_run: bool, as_json: bool) -> list[Book]:
    """Return the books that the lexicon says otherwise by now, and tell how many sentences of each."""
    from tts_pipeline.shelf.finding import find_books

    ingest = workshop.ingest()
    found = [(book, len(ingest.touched(book))) for book in find_books(workshop.shelf, names)]
    touched = [(book, count) for book, count in found if count]
    if as_json and dry_run:
        print_json([{"book": book.id, "title": book.title, "sentences": count} for book, count in touched])
    elif touched and not as_json:
        columns = (Column("BOOK"), Column("TITLE", is_text=True), Column("SENTENCES"))
        print_table(columns, [(book.id, book.title, f"{count:,}") for book, count in touched])
    total = sum(count for _, count in touched)
    print_note(f"{counted(total, 'sentence')} in {counted(len(touched), 'book')} to be rendered again")
    return [book for book, _ in touched]


def _finish(workshop: Workshop, made: Sequence[Ingested], *, later: bool, as_json: bool) -> None:
    """Render what is to be rendered, unless others do it, and tell what came of it."""
    from tts_pipeline.cli.working import Job, finish_these

    renewed = [each for each in made if each.is_new]
    new = sum(each.book.sentence_count - each.kept_count for each in renewed)
    todo = f"{counted(new, 'sentence')} to render{': tts-pipeline work does it' if later else ''}"
    print_note(todo if renewed else "nothing has changed")
    is_whole = later or not renewed or finish_these(workshop, Job([each.book.id for each in renewed]), as_json=as_json)
    if as_json:
        print_json([_facts(workshop, each) for each in made])
    if not is_whole:
        raise click.exceptions.Exit(1)


def _facts(workshop: Workshop, made: Ingested) -> dict[str, Any]:
    from tts_pipeline.overview import overviews

    (one,) = overviews(workshop.shelf, [workshop.shelf.book(made.book.id)])
    new = made.book.sentence_count - made.kept_count if made.is_new else 0
    return {**one.facts(), "new_sentences": new, "tasks": made.task_count}
