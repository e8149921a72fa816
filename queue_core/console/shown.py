"""How is something shown: as a table to people, as JSON to programs?"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any

import click

from queue_core.console.called import program_name
from queue_core.console.columns import Column, laid_out


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


def print_table(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under their heads; only a terminal has a width, elsewhere nothing is cut."""
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    cells = [[printable(cell) for cell in row] for row in rows]
    head, *lines = laid_out(columns, cells, room)
    click.echo("\n".join([click.style(head, bold=True), *lines]))


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Print named facts, each on a line or, where it has several, as many; those that say nothing are left out."""
    told = [(name, text) for name, text in facts if text]
    width = max((len(name) for name, _ in told), default=0)
    for name, text in told:
        lines = map(_printable_line, text.splitlines())
        click.echo(f"{name:<{width}}  " + f"\n{'':<{width}}  ".join(lines))


def printable(text: str) -> str:
    """Return text on one line that can't steer a terminal."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def print_block(title: str, text: str) -> None:
    """Print text of many lines under a title."""
    click.echo(f"\n{printable(title)}{':' if text else ''}")
    for line in text.splitlines():
        click.echo(f"  {_printable_line(line)}")


def print_note(text: str) -> None:
    """Tell people something that is no result, under the name of the program."""
    click.echo(f"{program_name()}: {text}", err=True)


def _printable_line(line: str) -> str:
    return printable(line.expandtabs())


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()
