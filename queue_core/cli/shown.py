"""How is something shown: as a table to people, as JSON to programs?"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

import click

_ENDLESS = 100_000
"""The width of what is no terminal: nothing is cut or wrapped there."""


def print_json(value: Any) -> None:
    """Print a value as JSON; states and models are written as people know them."""
    click.echo(json.dumps(_jsonable(value), ensure_ascii=False, indent=2))


def _jsonable(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.name if isinstance(value, int) else value.value
    if hasattr(value, "model_dump"):
        return _jsonable(value.model_dump())
    if isinstance(value, dict):
        return {str(_jsonable(key)): _jsonable(part) for key, part in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(value)
    return [_jsonable(part) for part in value] if isinstance(value, list | tuple) else value


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under a head; where a terminal is too narrow, it cuts the last column."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = _ENDLESS
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        # Of its columns rich narrows those that may wrap; the cells of the last one then don't.
        table.add_column(column, no_wrap=column != columns[-1])
    for row in rows:
        table.add_row(*(Text(printable(cell), no_wrap=True, overflow="ellipsis") for cell in row))
    with console.capture() as captured:
        console.print(table)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Print named facts, one a line; those that say nothing are left out."""
    told = [(name, text) for name, text in facts if text]
    width = max((len(name) for name, _ in told), default=0)
    for name, text in told:
        click.echo(f"{name:<{width}}  {printable(text)}")


def printable(text: str) -> str:
    """Return text on one line that can't steer a terminal."""
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def print_block(title: str, text: str) -> None:
    """Print text of many lines under a title."""
    click.echo(f"\n{title}:")
    for line in text.splitlines():
        click.echo(f"  {printable(line.expandtabs())}")


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
