"""What does `queuectl` offer, and how do its errors reach people and scripts?"""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from queue_core.cli.completion import completion
from queue_core.cli.configuration import config
from queue_core.cli.dlq import dlq
from queue_core.cli.enqueueing import enqueue
from queue_core.cli.failed import Failed, Refused
from queue_core.cli.parameters import examples
from queue_core.cli.session import Session
from queue_core.cli.tasks import cancel, list_, show, status
from queue_core.cli.upkeep import cleanup, pause, unpause
from queue_core.cli.workers import worker

_INTERRUPTED = 128 + signal.SIGINT
_NAMED_BY: dict[ParameterSource | None, str] = {
    ParameterSource.COMMANDLINE: "--config",
    ParameterSource.ENVIRONMENT: "QUEUECTL_CONFIG",
}


class Queuectl(click.Group):
    """The one place where errors become words and exit codes."""

    def main(self, *args: Any, **options: Any) -> NoReturn:
        """Run a command line and leave with its exit code."""
        try:
            exit_code = super().main(*args, **{**options, "standalone_mode": False})
        except click.Abort:
            exit_code = _INTERRUPTED
        except click.ClickException as error:
            error.show()
            exit_code = error.exit_code
        except Exception as error:
            failed = _meaning(error)
            if failed is None:
                raise
            failed.show()
            exit_code = failed.exit_code
        sys.exit(exit_code)


def _meaning(error: Exception) -> Failed | None:
    """Say in one line what went wrong; None for what is our own mistake."""
    from pydantic import ValidationError

    from queue_core.cli.refusals import refusal
    from queue_core.errors import InvalidRequest, QueueError

    if isinstance(error, ValidationError):
        return Refused(": ".join(refusal(error)))
    if isinstance(error, InvalidRequest):
        return Refused(error)
    if isinstance(error, OSError) and error.filename is not None:
        return Failed(f"{error.filename}: {error.strerror}")
    return Failed(error) if isinstance(error, QueueError | OSError | UnicodeError) else None


@click.group(
    cls=Queuectl,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        'queuectl enqueue "convert book.txt" --priority high',
        "queuectl worker start --count 4",
        "queuectl status",
    ),
)
@click.version_option(package_name="tts-pipeline", prog_name="queuectl")
@click.option("--database", metavar="URL", envvar="QUEUECTL_DATABASE", help="The queue, instead of the configured one.")
@click.option(
    "--config",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("queuectl.toml"),
    show_default=True,
    envvar="QUEUECTL_CONFIG",
    help="The file of settings.",
)
@click.pass_context
def cli(ctx: click.Context, database: str | None, file: Path) -> None:
    """Run shell commands, and other tasks, through a durable queue.

    Exit codes: 0 done, 1 not done and why, 2 wrong use, 130 interrupted.
    """
    given = {} if database is None else {"database_url": database}
    is_variable = ctx.get_parameter_source("database") is ParameterSource.ENVIRONMENT
    file_from = _NAMED_BY.get(ctx.get_parameter_source("file"))
    ctx.obj = Session(file, file_from, {} if is_variable else given, given if is_variable else {})


for command in (enqueue, list_, show, cancel, status, dlq, worker, config, cleanup, pause, unpause, completion):
    cli.add_command(command)


def main() -> None:
    """Run `queuectl`."""
    cli(prog_name="queuectl")
