"""What has changed in a folder, and what is to be done about it?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from os.path import isdir, isfile
from pathlib import Path

from tts_pipeline.lexicon import BadLexicon
from tts_pipeline.settings import Settings
from tts_pipeline.shelf import Shelf
from tts_pipeline.shelf.watched import Watched, forget, remember, watched_below
from tts_pipeline.store import Store
from tts_pipeline.watching.candidates import is_candidate
from tts_pipeline.watching.folders import FolderSettings
from tts_pipeline.watching.intake import Intake
from tts_pipeline.watching.remarks import REMARK, clear, remark
from tts_pipeline.watching.settling import Settling
from tts_pipeline.watching.sources import Source, Trouble, sources
from tts_pipeline.written_paths import path_of, written


@dataclass
class Watcher:
    """Looks at one folder, again and again; what it knows of it outlives it in the database."""

    root: Path
    settings: Settings
    shelf: Shelf
    store: Store
    say: Callable[[str], object]
    ignored: frozenset[Path] = frozenset()
    """Folders that are not looked into, and files of settings that are somebody else's."""
    settling: Settling = field(init=False)
    intake: Intake = field(init=False)
    troubles: dict[Path, str] = field(default_factory=dict)
    """Files of settings and of pronunciations that can't be used, each with the reason."""
    is_leaving: bool = False
    """Whether to stop before the next file."""
    _is_first_look: bool = True

    def __post_init__(self) -> None:
        self.settling = Settling(self.settings.settle)
        self.intake = Intake(self.shelf, self.store, self.say)

    def look(self) -> None:
        """Take in what has settled and is not known as it is, and forget what is gone; raises StoreFailed."""
        if not isdir(self.root):  # noqa: PTH112 (it never raises): of a disk that was unplugged, nothing is gone
            return
        found = list(sources(self.root, FolderSettings(self.settings), self.ignored))
        known = self.known()
        troubles = [each for each in found if isinstance(each, Trouble)]
        for source, look in self.settling.settled(each for each in found if isinstance(each, Source)):
            if self.is_leaving:
                return
            before = known.get(written(source.path))
            if not self.intake.is_known(source, look, before):
                troubles += self._taken(source, look, before)
        self._tell(troubles)
        self._forget_gone(known.values(), {written(each.path) for each in found if isinstance(each, Source)})

    def concerns(self, path: Path) -> bool:
        """Say whether a change of a file or folder can matter, so that what workers write here makes nobody look."""
        if not self.ignored.isdisjoint((path, *path.parents)):
            return False
        return is_candidate(path) or path.suffix == ".toml" or not isfile(path)  # noqa: PTH113 (it never raises)

    def known(self) -> dict[str, Watched]:
        """Return what became of the folder's files, by path."""
        return watched_below(self.shelf, self.root)

    def _taken(self, source: Source, look: str, before: Watched | None) -> Iterable[Trouble]:
        """Take a source in; where its pronunciations can't be used, its book is left as it is."""
        try:
            self.intake.take(source, look, before)
        except BadLexicon as error:
            return [Trouble(source.folder.settings.lexicon.absolute(), str(error))]
        return []

    def _tell(self, troubles: Iterable[Trouble]) -> None:
        """Say each trouble once, and leave it beside its file until it is over."""
        now = {each.path: each.reason for each in troubles}
        for path, reason in now.items():
            if self.troubles.get(path) != reason:
                self.say(reason)
                remark(path, reason, "can't be used, and its books stay as they are")
        for path in {*self.troubles, *self._left()} - now.keys():
            clear(path)
        self.troubles = now

    def _left(self) -> Iterable[Path]:
        """Give, once, the files of settings and of pronunciations that another watcher may have left remarks about."""
        if self._is_first_look:
            self._is_first_look = False
            yield self.settings.lexicon.absolute()
            for file in self.root.rglob(f"*.toml{REMARK}"):
                yield file.with_name(file.name.removesuffix(REMARK))

    def _forget_gone(self, known: Iterable[Watched], there: set[str]) -> None:
        """Forget files that are gone, and what was wrong with those that are no book by themselves any more."""
        for each in known:
            path = path_of(each.path)
            if _is_gone(path):
                forget(self.shelf, each.path)
                clear(path)
            elif each.problem and each.path not in there:
                remember(self.shelf, each._replace(state="", problem=None))
                clear(path)


def _is_gone(path: Path) -> bool:
    """Say whether a file is not there any more; of one in a folder that can't be looked into, nobody knows."""
    try:
        path.lstat()
    except OSError as error:
        return isinstance(error, FileNotFoundError | NotADirectoryError)
    return False
