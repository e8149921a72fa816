"""What does `queuectl` offer?"""

from __future__ import annotations

from pathlib import Path

import click

from queue_core.cli.dlq import dlq
from queue_core.cli.enqueueing import enqueue
from queue_core.cli.session import Session, layers
from queue_core.cli.tasks import cancel, list_, show, status
from queue_core.cli.upkeep import cleanup, pause, unpause
from queue_core.cli.workers import worker
from queue_core.console.completion import completion_command
from queue_core.console.configuration import config_command
from queue_core.console.parameters import examples
from queue_core.console.program import Program
from queue_core.console.session import file_from, file_option


@click.group(
    "queuectl",
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        'queuectl enqueue "convert book.txt" --priority high',
        "queuectl worker start --count 4",
        "queuectl status",
    ),
)
@click.version_option(package_name="tts-pipeline", prog_name="queuectl")
@click.option("--database", metavar="URL", help="The queue, instead of the configured one.")
@file_option("queuectl.toml", "QUEUECTL_CONFIG")
@click.pass_context
def cli(ctx: click.Context, database: str | None, file: Path) -> None:
    """Run shell commands, and other tasks, through a durable queue.

    Exit codes: 0 done, 1 not done and why, 2 wrong use, 130 interrupted.
    """
    ctx.obj = Session(layers, file, file_from(ctx), {"database_url": database})


config = config_command("queuectl", layers, {"max-retries": "5", "backoff-base": "3", "timeout": "10m"})
completion = completion_command("queuectl")

for command in (enqueue, list_, show, cancel, status, dlq, worker, config, cleanup, pause, unpause, completion):
    cli.add_command(command)


def main() -> None:
    """Run `queuectl`."""
    cli()
