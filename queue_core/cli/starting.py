"""How are workers started, and what do they say at their start and their end?"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queue_core.cli.session import Session, pass_session
from queue_core.console.parameters import COUNT, TEXT, examples, log_options
from queue_core.console.shown import print_note
from queue_core.states import TaskState

if TYPE_CHECKING:
    from queue_core.handlers import Handler
    from queue_core.reports import WorkSummary
    from queue_core.settings import WorkerSettings

_WORDS = {
    TaskState.COMPLETED: "completed",
    TaskState.RETRYABLE: "failed attempts",
    TaskState.DISCARDED: "discarded",
    TaskState.CANCELLED: "cancelled",
    TaskState.PENDING: "given back",
}
"""What happened, by the state that it led to; a task may be counted more than once."""
_MOST_NAMES = 10


@click.command(
    epilog=examples(
        "queuectl worker start --count 4",
        "queuectl worker start --until-empty && echo all done",
        "queuectl worker start --tasks my_project.tasks --no-commands --size 20",
    )
)
@click.option(
    "--count", type=click.IntRange(1, 1000), help="How many processes; else the setting workers, or all cores."
)
@click.option("--size", type=COUNT, help="How many tasks each claims at a time; else the setting size.")
@click.option("--until-empty", is_flag=True, help="Stop when nothing is left that can be done, now or later.")
@click.option("--max-tasks", type=COUNT, help="Renew a process after so many tasks.")
@click.option(
    "--capability", "capabilities", type=TEXT, metavar="NAME", multiple=True, help="What it can do that tasks need."
)
@click.option("--tasks", "modules", metavar="MODULE", multiple=True, help="Run the @task functions of a module too.")
@click.option("--no-commands", is_flag=True, help="Run no shell commands.")
@log_options
@pass_session
def start(session: Session, /, count: int | None, log_json: bool, log_level: str, **asked: Any) -> None:
    """Run tasks in worker processes, in the foreground.

    Ctrl-C or SIGTERM lets each finish what it runs; a second one ends them at once. Whoever can write to the
    queue can run commands as you, here.
    """
    from queue_core.console.log_lines import configure_logs
    from queue_core.supervisor import Supervisor

    found = session.settings
    handlers, settings = _handlers(session, asked), _settings(session, asked)
    count = count or found.workers or os.cpu_count() or 1
    session.queue(makes=True).close()  # what is wrong with it is to be said before anything starts
    configure_logs(as_json=log_json, level=log_level)
    if not log_json and log_level in ("debug", "info"):
        _greet(count, found.database_url, handlers)
    config = found.queue_config()
    summary = Supervisor(found.database_url, handlers, count=count, settings=settings, config=config).run()
    _tell(summary)
    if summary.signal == signal.SIGINT:
        raise KeyboardInterrupt
    if summary.stuck:
        raise click.exceptions.Exit(1)


def _greet(count: int, url: str, names: Iterable[str]) -> None:
    """Say what is about to work: else a queue that is empty and one that is not meant look the same."""
    from queue_core.console.urls import hidden

    known = sorted(names)
    more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES else ""
    workers = "1 worker" if count == 1 else f"{count} workers"
    print_note(f"{workers} on {hidden(url)} for {', '.join(known[:_MOST_NAMES])}{more}")
    print_note("Ctrl-C finishes what runs; twice ends it")


def _handlers(session: Session, asked: Mapping[str, Any]) -> dict[str, Handler]:
    from queue_core import commands, functions

    for module in asked["modules"]:
        _import(module)
    found = {} if asked["no_commands"] else commands.handlers(session.settings.timeout)
    if asked["modules"]:
        found |= functions.handlers()
    if not found:
        raise click.UsageError("There is nothing to run: --no-commands needs --tasks with @task functions.")
    return found


def _import(module: str) -> None:
    import importlib

    if "" not in sys.path:
        sys.path.insert(0, "")  # a script's own folder stands there instead of this one
    try:
        importlib.import_module(module)
    except (Exception, SystemExit) as error:
        reason = f"{module!r} can't be imported: {type(error).__name__}: {_message(error)}{_place(error)}"
        raise click.BadParameter(reason, param_hint="--tasks") from error


def _message(error: BaseException) -> str:
    return " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())


def _place(error: BaseException) -> str:
    """Say where in somebody's code an import failed; nothing where it did not get that far."""
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({_short(error.filename)}, line {error.lineno})"
    frames = [each for each in traceback.extract_tb(error.__traceback__)[1:] if "importlib" not in each.filename]
    ours = [each for each in frames if Path(each.filename).is_relative_to(Path.cwd())] or frames
    return f" ({_short(ours[-1].filename)}, line {ours[-1].lineno})" if ours else ""


def _short(filename: str) -> str:
    path = Path(filename).absolute()
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _settings(session: Session, asked: Mapping[str, Any]) -> WorkerSettings:
    from queue_core.settings import WorkerSettings

    return WorkerSettings(
        size=asked["size"] or session.settings.size,
        until_empty=asked["until_empty"],
        max_tasks=asked["max_tasks"],
        capabilities=frozenset(asked["capabilities"]),
    )


def _tell(summary: WorkSummary) -> None:
    counts = ", ".join(
        _counted(summary.counts[state], words) for state, words in _WORDS.items() if state in summary.counts
    )
    print_note(counts or "nothing done")
    for stuck in summary.stuck:
        needs = f" (needs {', '.join(sorted(stuck.needs))})" if stuck.needs else ""
        print_note(f"left behind: {stuck.count} {stuck.name}: {stuck.reason}{needs}")


def _counted(count: int, words: str) -> str:
    return f"{count} {words.removesuffix('s') if count == 1 else words}"
