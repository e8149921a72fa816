"""How is the store emptied of what nobody needs?"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from queue_core.console.columns import Column
from queue_core.console.parameters import SPAN, Word, examples, json_option
from queue_core.console.shown import print_json, print_note, print_table
from tts_pipeline.cli.session import Session, pass_session
from tts_pipeline.cli.spoken import bytes_of, size

if TYPE_CHECKING:
    from tts_pipeline.cleaning import Cleaned, Spare

_COLUMNS = (Column("KIND"), Column("COUNT"), Column("SIZE"))
_SIZE = Word("SIZE", bytes_of)


@click.command(
    epilog=examples(
        "tts-pipeline clean --dry-run",
        "tts-pipeline clean",
        "tts-pipeline clean --older-than 30d",
        "tts-pipeline clean --keep 20G",
    )
)
@click.option("--older-than", type=SPAN, default="1h", show_default=True, help="Only what was written this long ago.")
@click.option("--keep", type=_SIZE, help="Let so much of it stay: the oldest goes first. 500M, 20G, 1.5T.")
@click.option("--dry-run", is_flag=True, help="Delete nothing, say what would go.")
@json_option
@pass_session
def clean(session: Session, older_than: float, keep: int | None, dry_run: bool, as_json: bool) -> None:
    """Delete from the store what no book on the shelf needs.

    Clips and chapters of removed books and of former revisions, and their texts. Workers may be at work meanwhile: what
    is written now is not touched within the hour, and what a book turns out to need after all is made again. Where
    several databases share a store, only the books of this one are known.
    """
    from tts_pipeline.cleaning import Cleaner, Limits

    with session.open() as workshop:
        cleaner = Cleaner(workshop.shelf, workshop.store, Limits(older_than, keep))
        done = cleaner.plan(time.time()) if dry_run else cleaner.clean(time.time())
    if as_json:
        print_json({"dry_run": dry_run, "gone": _sums(done.gone), "left": _sums(done.left)})
    else:
        _tell(done, dry_run=dry_run)


def _sums(spares: Iterable[Spare]) -> dict[str, dict[str, int]]:
    """Return how many things of each kind there are, and how many bytes they take."""
    found: dict[str, dict[str, int]] = {}
    for spare in spares:
        sums = found.setdefault(spare.kind, {"count": 0, "bytes": 0})
        sums["count"] += 1
        sums["bytes"] += spare.size
    return dict(sorted(found.items()))


def _tell(done: Cleaned, *, dry_run: bool) -> None:
    sums = _sums(done.gone)
    if sums:
        total = {name: sum(each[name] for each in sums.values()) for name in ("count", "bytes")}
        rows = [*sums.items(), ("would go" if dry_run else "deleted", total)]
        print_table(_COLUMNS, [(kind, f"{each['count']:,}", size(each["bytes"])) for kind, each in rows])
    else:
        click.echo("nothing to clean")
    if done.left:
        left = size(sum(spare.size for spare in done.left))
        print_note(f"{left} that no book needs stay: they are too new, or --keep has room for them")
