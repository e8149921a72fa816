"""How is it told whether this machine is fit?"""

from __future__ import annotations

import click

from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, printable
from tts_pipeline.cli.session import Session, pass_session

_COLOURS = {"good": "green", "doubtful": "yellow", "bad": "red"}


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
        width = max(len(each.name) for each in found)
        for each in found:
            verdict = click.style(f"{each.verdict.value:<8}", fg=_COLOURS[each.verdict.value])
            click.echo(f"{verdict}  {each.name:<{width}}  {printable(each.words)}")
    if any(each.verdict is Verdict.BAD for each in found):
        raise click.exceptions.Exit(1)
