"""How is somebody asked before something is done for ever?"""

from __future__ import annotations

import sys

import click


def confirm(question: str, *, is_granted: bool) -> None:
    """Ask, unless it was granted with `--yes`; a no ends the program with exit code 1.

    Raises UsageError where nobody is there to be asked.
    """
    if is_granted:
        return
    if not sys.stdin.isatty():
        raise click.UsageError("There is nobody to ask here: say --yes.")
    if not click.confirm(question, err=True):
        raise click.exceptions.Exit(1)
