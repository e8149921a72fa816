"""How is it told whether this machine is fit?"""

from __future__ import annotations

import click

from queue_core.console.columns import Column
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, print_table
from tts_pipeline.cli.session import Session, pass_session

_COLUMNS = (Column("CHECK"), Column("VERDICT"), Column("FOUND", is_text=True))


@click.command(epilog=examples("tts-pipeline doctor", "tts-pipeline doctor --json"))
@json_option
@pass_session
def doctor(session: Session, as_json: bool) -> None:
    """Check this machine: voices, codecs, SQLite, folders, disk space.

    Exit code 1 where something is bad; what is doubtful works.
    """
    from tts_pipeline.checks import Verdict, checks

    found = list(checks(session.settings))
    if as_json:
        print_json([{"name": each.name, "verdict": each.verdict.value, "words": each.words} for each in found])
    else:
        print_table(_COLUMNS, [(each.name, each.verdict.value, each.words) for each in found])
    if any(each.verdict is Verdict.BAD for each in found):
        raise click.exceptions.Exit(1)
