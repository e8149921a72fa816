"""A watched folder, a clock that is moved by hand, and what the watcher said."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.tts_pipeline.bench import Bench
from tts_pipeline.settings import Settings
from tts_pipeline.shelf import Book
from tts_pipeline.watching.settling import Settling
from tts_pipeline.watching.watcher import Watcher


@dataclass
class Watch:
    """A folder that is looked at whenever a test says so."""

    bench: Bench
    root: Path
    said: list[str] = field(default_factory=list)
    now: float = 1000.0
    options: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root.mkdir(exist_ok=True)
        self.restart()

    def restart(self, **options: object) -> None:
        """Begin anew, as after kill -9: only what is on disk is known."""
        self.options |= options
        folder = self.bench.folder
        usual = {"store": str(folder / "store"), "outputs": folder / "outputs", "lexicon": folder / "lexicon.toml"}
        settings = Settings(**{"engine": "tone", **usual, **self.options})
        self.watcher = Watcher(self.root, settings, self.bench.shelf, self.bench.store, self.said.append)
        self.watcher.settling = Settling(settings.settle, lambda: self.now)

    def write(self, name: str, text: str, age: float = 0) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if age:
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime - age))
        return path

    def look(self, *, later: float = 0.0) -> None:
        """Look, some seconds later."""
        self.now += later
        self.watcher.look()

    def settle(self) -> None:
        """Look as often as it takes until nothing changes any more."""
        self.look()
        self.look(later=10.0)

    @property
    def books(self) -> list[Book]:
        return self.bench.shelf.books()

    @property
    def titles(self) -> list[str]:
        return sorted(book.title for book in self.books)


@pytest.fixture
def url() -> str:
    """What the shelf does on each store, its own tests show."""
    return "memory://"


@pytest.fixture
def watch(bench) -> Watch:
    return Watch(bench, bench.folder / "inputs")
