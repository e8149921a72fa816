"""What does one run of tts-pipeline stand on?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from queue_core.console import session
from queue_core.console.failed import Failed

if TYPE_CHECKING:
    from queue_core import Queue
    from queue_core.console.layers import Layers
    from tts_pipeline.ingest import Ingest
    from tts_pipeline.settings import Settings
    from tts_pipeline.shelf import Shelf
    from tts_pipeline.store import Store


def layers() -> Layers[Settings]:
    """Return what can be set."""
    from tts_pipeline.settings import LAYERS

    return LAYERS


@dataclass(frozen=True)
class Workshop:
    """All that is open while a command runs."""

    settings: Settings
    queue: Queue
    shelf: Shelf

    @property
    def store(self) -> Store:
        """The store; it is opened where a command needs it."""
        from tts_pipeline.store import Store

        return Store.open(self.settings.store)

    def ingest(self, priority: str = "normal") -> Ingest:
        """Return who puts books on the shelf, with the pronunciations that hold now; raises BadLexicon."""
        from tts_pipeline.ingest import Ingest

        settings = self.settings
        return Ingest(self.shelf, self.store, settings.terms(priority), settings.batch, settings.pronunciations())


class Session(session.Session["Settings"]):
    """The settings of tts-pipeline, and what they name."""

    def lay_over(self, flags: Mapping[str, Any]) -> None:
        """Let what the flags of a command say count more than what is set elsewhere."""
        self.flags = {**self.flags, **flags}

    @contextmanager
    def open(self, *, makes: bool = False) -> Iterator[Workshop]:
        """Open the shelf; one that is not there is made only where that makes sense."""
        from queue_core import Queue
        from queue_core.console.urls import missing_file
        from tts_pipeline.shelf import Shelf

        url = self.settings.database
        if not makes and (missing := missing_file(url)):
            raise Failed(f"there are no books at {missing} yet: tts-pipeline run makes one")
        with Queue.open(url, config=self.settings.queue_config()) as queue:
            yield Workshop(self.settings, queue, Shelf.open(queue))


pass_session = click.make_pass_decorator(Session)
