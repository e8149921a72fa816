"""What does `tts-pipeline` offer?"""

from __future__ import annotations

from pathlib import Path

import click

from queue_core.console.completion import completion_command
from queue_core.console.configuration import config_command
from queue_core.console.failed import Failed, Refused
from queue_core.console.parameters import examples
from queue_core.console.program import Program
from queue_core.console.session import file_from, file_option
from tts_pipeline.cli.cleaning import clean
from tts_pipeline.cli.doctor import doctor
from tts_pipeline.cli.exporting import export
from tts_pipeline.cli.listing import list_
from tts_pipeline.cli.making import ingest, run, work
from tts_pipeline.cli.mending import assemble, resume_
from tts_pipeline.cli.proving import verify
from tts_pipeline.cli.rewording import edit, redo
from tts_pipeline.cli.session import Session, layers
from tts_pipeline.cli.shelving import cancel, pause, prioritize, remove, unpause
from tts_pipeline.cli.showing import show
from tts_pipeline.cli.status import status
from tts_pipeline.cli.voices import say, voices
from tts_pipeline.cli.watching import watch


class Pipeline(Program):
    """Knows what the pipeline's own errors mean."""

    def meaning(self, error: Exception) -> click.ClickException | None:
        from tts_pipeline.errors import BadSetting, NoSuchPart, PipelineError, UnknownEngine

        if isinstance(error, BadSetting | NoSuchPart | UnknownEngine):
            return Refused(error)
        return Failed(error) if isinstance(error, PipelineError) else super().meaning(error)


@click.group(
    "tts-pipeline",
    cls=Pipeline,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "tts-pipeline run book.epub",
        "tts-pipeline run *.txt --format mp3 --workers 2",
        "tts-pipeline status",
    ),
)
@click.version_option(package_name="tts-pipeline", prog_name="tts-pipeline")
@click.option("--database", metavar="URL", help="Where books and tasks are kept, instead of the configured place.")
@click.option("--store", metavar="FOLDER", help="Where clips and chapters are kept, instead of the configured place.")
@file_option("tts-pipeline.toml", "TTS_PIPELINE_CONFIG")
@click.pass_context
def cli(ctx: click.Context, database: str | None, store: str | None, file: Path) -> None:
    """Turn books into audiobooks, and never lose a sentence.

    Exit codes: 0 all that was asked for is there, 1 sentences are missing or something failed, 2 wrong use, 130
    interrupted: the same command goes on where it stopped.
    """
    ctx.obj = Session(layers, file, file_from(ctx), {"database": database, "store": store})


config = config_command("tts-pipeline", layers, {"engine": "espeak", "pause-paragraph": "800", "format": "mp3"})
completion = completion_command("tts-pipeline")

COMMANDS = (
    *(run, watch, ingest, work, status, resume_, assemble, redo, edit, verify),
    *(voices, say, doctor, config, completion),
)
for command in COMMANDS:
    cli.add_command(command)
for command in (list_, show, export, cancel, pause, unpause, prioritize, remove, clean):
    cli.add_command(command)


def main() -> None:
    """Run `tts-pipeline`."""
    cli()
