"""What does one run of a program know of its settings?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click
from click.core import ParameterSource

from queue_core.console.failed import BadSetting

if TYPE_CHECKING:
    from pydantic import BaseModel

    from queue_core.console.layers import Found, Layers

S = TypeVar("S", bound="BaseModel")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Session(Generic[S]):
    """The place of the settings, and what flags say instead of them; read when first needed."""

    layers: Callable[[], Layers[S]]
    """Returns what can be set; it imports that when it is asked."""
    file: Path
    file_from: str | None = None
    """Which option or variable named the file; None: nobody did, and it need not be there."""
    flags: Mapping[str, Any] = field(default_factory=dict)
    """By field; None says nothing."""

    @cached_property
    def found(self) -> Found[S]:
        """The settings with their origins."""
        self.check_file()
        return self.layers().look_up(self.file, self.flags)

    def check_file(self) -> None:
        """Refuse a file that somebody named and that is not there: another is meant."""
        if self.file_from and not self.file.exists():
            raise BadSetting(self.file_from, f"there is no file {self.file}")

    @property
    def settings(self) -> S:
        """The settings."""
        return self.found.settings


def file_option(default: str, variable: str) -> Callable[[F], F]:
    """Give a program `--config`, and a variable for it; the file arrives as `file`."""
    return click.option(
        "--config",
        "file",
        type=click.Path(dir_okay=False, path_type=Path),
        default=Path(default),
        show_default=True,
        envvar=variable,
        help="The file of settings.",
    )


def file_from(ctx: click.Context) -> str | None:
    """Return which option or variable named the file of settings; None where nobody did."""
    (option,) = [param for param in ctx.command.params if param.name == "file"]
    named_by = {ParameterSource.COMMANDLINE: "--config", ParameterSource.ENVIRONMENT: str(option.envvar)}
    source = ctx.get_parameter_source("file")
    return named_by.get(source) if source else None
