"""How do the errors of a program reach people and scripts?"""

from __future__ import annotations

import signal
import sys
from typing import Any, NoReturn

import click

from queue_core.console.failed import Failed, Refused

_INTERRUPTED = 128 + signal.SIGINT


class Program(click.Group):
    """The one place where errors become words and exit codes: 1 not done and why, 2 wrong use, 130 interrupted."""

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run a command line under the name of this group, and leave with its exit code."""
        name = options.get("prog_name") or self.name
        try:
            exit_code = super().main(*args, **{**options, "prog_name": name, "standalone_mode": False})
        except click.Abort:
            exit_code = _INTERRUPTED
        except Exception as error:
            meant = error if isinstance(error, click.ClickException) else self.meaning(error)
            if meant is None:
                raise
            with click.Context(self, info_name=name):
                meant.show()
            exit_code = meant.exit_code
        sys.exit(exit_code)

    def meaning(self, error: Exception) -> click.ClickException | None:
        """Say in one line what went wrong; None for what is our own mistake. Programs add what their errors mean."""
        from pydantic import ValidationError

        from queue_core.console.refusals import refusal
        from queue_core.errors import InvalidRequest, QueueError

        if isinstance(error, ValidationError):
            return Refused(": ".join(refusal(error)))
        if isinstance(error, InvalidRequest):
            return Refused(error)
        if isinstance(error, OSError) and error.filename is not None:
            return Failed(f"{error.filename}: {error.strerror}")
        return Failed(error) if isinstance(error, QueueError | OSError | UnicodeError) else None
