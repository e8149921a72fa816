"""How do the words of a command line become values?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from queue_core.bounds import LONGEST_TEXT, MOST
from queue_core.console.durations import seconds
from queue_core.text import flaw

if TYPE_CHECKING:
    ParamType = click.ParamType[Any, Any]
else:
    ParamType = click.ParamType  # older ones can't be subscripted

F = TypeVar("F", bound=Callable[..., Any])


def examples(*lines: str) -> str:
    """Return examples for the end of a help text, which click is not to wrap."""
    return "\b\n" + "\n".join(["Examples:", *(f"  {line}" for line in lines)])


def json_option(function: F) -> F:
    """Give a command `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(function)


def log_options(function: F) -> F:
    """Give a command `--log-json` and `--log-level`, for `configure_logs`."""
    levels = click.Choice(["debug", "info", "warning", "error"], case_sensitive=False)
    least = "The least that is logged."
    with_level = click.option("--log-level", type=levels, default="info", show_default=True, help=least)(function)
    return click.option("--log-json", is_flag=True, help="Log for machines.")(with_level)


class Word(ParamType):
    """A word of the command line: how it is read, and how it may be completed."""

    def __init__(
        self, name: str, read: Callable[[str], Any], known: Callable[[], Iterable[str]] = tuple[str, ...]
    ) -> None:
        """`read` raises ValueError, whose words the user sees."""
        self.name, self._read, self._known = name, read, known

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002 (click's signature)
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        return [CompletionItem(word) for word in self._known() if word.startswith(incomplete.lower())]


def storable(text: str) -> str:
    """Return text that the queue can keep; raises ValueError."""
    if "\0" in text:
        raise ValueError("a NUL character can't be stored")
    if flaw(text):
        raise ValueError("it is not UTF-8")
    return text


def key_of(known: Callable[[], Iterable[str]]) -> Word:
    """Return the word for a setting, of those that there are; - and _ are the same in it."""
    return Word("KEY", lambda word: word.lower().replace("_", "-"), known)


def _some_time(word: str) -> float:
    value = seconds(word)
    if not value:
        raise ValueError(f"{word!r} is no time to run in")
    return value


def _whole(word: str | int, least: int) -> int:
    text = str(word)
    if not text.isdecimal() or not least <= int(text) < MOST:
        raise ValueError(f"{text!r} is not a whole number from {least} on")
    return int(text)


def _text(word: str) -> str:
    if not word.strip():
        raise ValueError("it must not be empty")
    if len(word) > LONGEST_TEXT:
        raise ValueError(f"it has {len(word)} characters: {LONGEST_TEXT} are possible")
    return storable(word)


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = storable(word).partition("=")
    if not name or not equals:
        raise ValueError(f"{word!r} is not NAME=VALUE")
    return name, value


SPAN = Word("TIME", seconds)
LIMIT = Word("TIME", _some_time)
TEXT = Word("TEXT", _text)
ANY_TEXT = Word("TEXT", storable)
COUNT = Word("NUMBER", lambda word: _whole(word, 1))
RETRIES = Word("NUMBER", lambda word: _whole(word, 0))
PAIR = Word("NAME=VALUE", _pair)
