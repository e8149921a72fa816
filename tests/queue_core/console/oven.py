"""A program with settings of its own, beside queuectl."""

from pathlib import Path
from typing import Literal

import click
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from queue_core import QueueClosed
from queue_core.console.completion import completion_command
from queue_core.console.configuration import config_command
from queue_core.console.failed import BadSetting, Failed
from queue_core.console.layers import Layers
from queue_core.console.program import Program
from queue_core.console.session import Session, file_from, file_option
from queue_core.console.shown import print_note
from queue_core.console.spans import Wait
from queue_core.console.urls import QueueUrl


class Settings(BaseModel):
    """What can be set for the oven."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    database_url: QueueUrl = "sqlite:///oven.db"
    heat: Literal["low", "high"] = "low"
    rate: float = Field(1, gt=0, le=2)
    bit_rate: int = 64
    rest: Wait | None = None
    trays: tuple[str, ...] = ("top",)
    folder: Path = Path("bread")

    @field_validator("trays", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return value.split(",") if isinstance(value, str) else value

    @model_validator(mode="after")
    def _together(self) -> "Settings":
        if self.heat == "high" and self.bit_rate < 128:
            raise ValueError("high heat needs a bit-rate of 128")
        return self


class Burnt(Exception):
    """An error of the oven's own."""


LAYERS = Layers(
    Settings, prefix="HOT_OVEN_", short={"database_url": "database"}, other_variables=frozenset({"HOT_OVEN_CONFIG"})
)


class Oven(Program):
    """Knows what the oven's own errors mean."""

    def meaning(self, error: Exception) -> click.ClickException | None:
        return Failed(error) if isinstance(error, Burnt) else super().meaning(error)


@click.group("hot-oven", cls=Oven)
@file_option("hot-oven.toml", "HOT_OVEN_CONFIG")
@click.option("--bit-rate", type=str)
@click.pass_context
def oven(ctx: click.Context, file: Path, bit_rate: str | None) -> None:
    """Bake."""
    ctx.obj = Session(lambda: LAYERS, file, file_from(ctx), {"bit_rate": bit_rate})


ERRORS = {
    "burnt": Burnt("it is\n  black"),
    "closed": QueueClosed("baking"),
    "file": FileNotFoundError(2, "No such file", "flour"),
    "value": BadSetting("heat", "there is none"),
    "stopped": KeyboardInterrupt(),
    "ours": ZeroDivisionError(),
}


@oven.command()
@click.argument("how", required=False)
def bake(how: str | None) -> None:
    """Bake one loaf, or go wrong."""
    print_note("it rises")
    if how:
        raise ERRORS[how]


oven.add_command(config_command("hot-oven", lambda: LAYERS, {"bit-rate": "128"}))
oven.add_command(completion_command("hot-oven"))
