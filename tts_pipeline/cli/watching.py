"""How is a folder watched?"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.parameters import RETRIES, examples
from queue_core.console.shown import print_note, printable
from tts_pipeline.cli.checking import check_engines
from tts_pipeline.cli.options import BOOK, WORK, setting_options
from tts_pipeline.cli.session import Session, Workshop, pass_session
from tts_pipeline.cli.spoken import clock, counted
from tts_pipeline.written_paths import path_of, settled, written

if TYPE_CHECKING:
    from tts_pipeline.cli.working import Say
    from tts_pipeline.shelf.standing import Standing
    from tts_pipeline.watching.announcing import Announcer
    from tts_pipeline.watching.endings import Event
    from tts_pipeline.watching.loop import Loop

_WATCHING = {
    "settle": ("TIME", "How long a file must not change before it is read."),
    "on_publish": ("COMMAND", "Run when a book is published, with its facts as JSON on standard input."),
    "on_failure": ("COMMAND", "Run when a book can't be finished."),
}
_BOOK = {name: told for name, told in BOOK.items() if name != "outputs"}
_WORK = {name: told for name, told in WORK.items() if name != "workers"}


@click.command(
    epilog=examples(
        "tts-pipeline watch inputs/ --out outputs/",
        "tts-pipeline watch inputs/ --once",
        "tts-pipeline watch inputs/ --workers 0",
        "tts-pipeline watch inputs/ --on-publish 'jq -r .title >> published.txt'",
    )
)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", "outputs", metavar="FOLDER", help="Where audiobooks are published.")
@click.option("--once", is_flag=True, help="Make what is there, then end with the status of the worst book.")
@click.option("--workers", type=RETRIES, help="Worker processes; else one for each core. 0: they run elsewhere.")
@setting_options({**_WATCHING, **_BOOK, **_WORK})
@pass_session
def watch(session: Session, /, folder: Path, *, once: bool, workers: int | None, **flags: Any) -> None:
    """Make audiobooks of all files in a folder, and of those that come into it or change.

    A tts-pipeline.toml in a sub-folder gives its books their settings; with series = true its files are the chapters
    of one book. Why a file can't be read stands beside it, in NAME.error.txt.
    """
    session.lay_over({**flags, "workers": workers or None})
    check_engines(session)
    with session.open(makes=True) as workshop:
        place = _Place(workshop, settled(folder), settled(session.file))
        if once:
            is_whole = _once(place, has_workers=workers != 0)
        else:
            is_whole = True
            _forever(place, has_workers=workers != 0)
    if not is_whole:
        raise click.exceptions.Exit(1)


class _Place:
    """A folder, and all that is done in it."""

    def __init__(self, workshop: Workshop, folder: Path, settings_file: Path) -> None:
        from tts_pipeline.watching.announcing import Announcer
        from tts_pipeline.watching.endings import Event
        from tts_pipeline.watching.loop import Loop
        from tts_pipeline.watching.watcher import Watcher

        settings = workshop.settings
        self.workshop = workshop
        self.say: Say = print_note
        self.is_listed = False
        """Whether books are told of all at once, at the end."""
        ignored = frozenset({settled(settings.outputs), settled(Path(settings.store)), settings_file})
        watcher = Watcher(folder, settings, workshop.shelf, workshop.store, self._say, ignored)
        asked = {Event.PUBLISH: settings.on_publish, Event.FAILURE: settings.on_failure}
        commands = {event: command for event, command in asked.items() if command}
        announcer = Announcer(workshop.shelf, commands, written(folder))
        self.announcer: Announcer | None = announcer if commands else None
        self.loop: Loop = Loop(watcher, self.tell, announcer.hooks)

    def _say(self, line: str) -> None:
        self.say(printable(line))

    def tell(self, one: Standing, event: Event) -> None:
        """Say how a book ended."""
        from tts_pipeline.watching.endings import Event

        book = one.book
        if event is Event.FAILURE:
            self._say(f"{book.title}: could not be finished: tts-pipeline status {book.id} tells why")
        for each in one.publications if event is Event.PUBLISH and not self.is_listed else ():
            missing = f", {counted(each.missing_count, 'sentence')} missing" if each.missing_count else ""
            self._say(f"{path_of(book.folder) / (each.file or '')}  ({clock(each.seconds or 0)}{missing})")

    @property
    def has_problems(self) -> bool:
        """Whether something in the folder could not be read."""
        watcher = self.loop.watcher
        return bool(watcher.troubles) or any(each.problem for each in watcher.known().values())


def _once(place: _Place, *, has_workers: bool) -> bool:
    """Take in what is there, and make it; return whether all of it is whole."""
    from tts_pipeline.cli.working import Job, finish

    place.is_listed = has_workers
    place.loop.run_until_settled()
    is_whole = True
    if has_workers:
        is_whole = finish(place.workshop, Job(sorted(place.loop.ids()), only_news=True))
        place.loop.ask()
        if place.announcer:
            place.announcer.finish()
    return is_whole and not place.has_problems


def _forever(place: _Place, *, has_workers: bool) -> None:
    from tts_pipeline.cli.working import Job, attend

    with place.announcer.at_work(print_note) if place.announcer else nullcontext():
        if has_workers:
            attend(place.workshop, Job(place.loop.ids, is_forever=True, beside=partial(_beside, place)))
        else:
            _alone(place.loop)


@contextmanager
def _beside(place: _Place, say: Say) -> Iterator[Any]:
    """Watch in a thread, as long as the block lasts."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            place.loop.run()
        except BaseException as error:  # noqa: BLE001 (it is raised where it can end the command)
            errors.append(error)

    def check() -> None:
        if errors:
            raise errors[0]

    place.say = say
    thread = threading.Thread(target=run, name="watcher")
    thread.start()
    try:
        yield check
    finally:
        place.loop.stop()
        thread.join()
        place.say = print_note


def _alone(loop: Loop) -> None:
    """Watch until a signal comes; what is being read is read to its end."""
    came: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        if came:
            raise click.Abort
        came.append(number)
        loop.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    loop.run()
    raise click.exceptions.Exit(128 + came[0] if came else 0)
