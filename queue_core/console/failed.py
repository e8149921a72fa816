"""How does a command say that it could not do what was asked?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

import click

from queue_core.console.called import program_name


class Failed(click.ClickException):
    """What went wrong, in one line; it ends the program with exit code 1."""

    exit_code = 1

    def __init__(self, reason: object) -> None:
        super().__init__(" ".join(str(reason).split()))

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"{program_name()}: {self.format_message()}", file=file, err=file is None)


class Refused(Failed):
    """A value can't be what it is; it ends the program as wrong use does."""

    exit_code = 2


class BadSetting(Refused):
    """A setting is unknown or has a value that it can't have."""

    def __init__(self, place: str, reason: str) -> None:
        """`place` is what its user knows it by: a key, an option, a variable, a key in a file."""
        super().__init__(f"{place}: {reason}")


def raise_for(reasons: Iterable[object]) -> None:
    """Raise Failed for what was refused, where anything was."""
    if said := "; ".join(map(str, reasons)):
        raise Failed(said)
