"""What does one run of queuectl stand on?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queue_core.cli.failed import BadSetting, Failed

if TYPE_CHECKING:
    from queue_core.cli.settings import Found, Settings
    from queue_core.queue import Queue


@dataclass
class Session:
    """The place of the settings, and what flags say instead of them; read and opened when first needed."""

    file: Path
    file_from: str | None = None
    """Which option or variable named the file; None: nobody did, and it need not be there."""
    flags: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def found(self) -> Found:
        """The settings with their origins."""
        from queue_core.cli.settings import look_up

        self.check_file()
        return look_up(self.file, self.flags, self.variables)

    def check_file(self) -> None:
        """Refuse a file that somebody named and that is not there: another is meant."""
        if self.file_from and not self.file.exists():
            raise BadSetting(self.file_from, f"there is no file {self.file}")

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self.found.settings

    def queue(self, *, makes: bool = False) -> Queue:
        """Open the queue; whoever does closes it. A file that is not there is made only where that makes sense."""
        from queue_core.queue import Queue

        url = self.settings.database_url
        if not makes and (missing := _missing_file(url)):
            raise Failed(f"there is no queue at {missing} yet: queuectl enqueue makes it")
        return Queue.open(url, config=self.settings.queue_config())


def _missing_file(url: str) -> str | None:
    """Return the path of an SQLite file that is not there."""
    kind, _, path = url.partition(":///")
    path = path.partition("?")[0]
    is_missing = kind.startswith("sqlite") and not path.startswith("file:") and not Path(path).exists()
    return path if is_missing else None


pass_session = click.make_pass_decorator(Session)
