"""What does one run of queuectl stand on?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from queue_core.console import session
from queue_core.console.failed import Failed

if TYPE_CHECKING:
    from queue_core.cli.settings import Settings
    from queue_core.console.layers import Layers
    from queue_core.queue import Queue


def layers() -> Layers[Settings]:
    """Return what can be set."""
    from queue_core.cli.settings import LAYERS

    return LAYERS


class Session(session.Session["Settings"]):
    """The settings of queuectl, and the queue that they name; it is opened when first needed."""

    def queue(self, *, makes: bool = False) -> Queue:
        """Open the queue; whoever does closes it. A file that is not there is made only where that makes sense."""
        from queue_core.console.urls import missing_file
        from queue_core.queue import Queue

        url = self.settings.database_url
        if not makes and (missing := missing_file(url)):
            raise Failed(f"there is no queue at {missing} yet: queuectl enqueue makes it")
        return Queue.open(url, config=self.settings.queue_config())


pass_session = click.make_pass_decorator(Session)
