"""What does one run of queuectl stand on?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from queue_core.cli.settings import Found, Settings
    from queue_core.queue import Queue


@dataclass
class Session:
    """The place of the settings, and what flags say instead of them; read and opened when first needed."""

    file: Path
    flags: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def found(self) -> Found:
        """The settings with their origins."""
        from queue_core.cli.settings import look_up

        return look_up(self.file, self.flags)

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self.found.settings

    def queue(self) -> Queue:
        """Open the queue; whoever does closes it."""
        from queue_core.queue import Queue

        return Queue.open(self.settings.database_url, config=self.settings.queue_config())


pass_session = click.make_pass_decorator(Session)
