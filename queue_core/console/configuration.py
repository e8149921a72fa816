"""How are settings read and changed?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from queue_core.console.columns import Column
from queue_core.console.durations import span
from queue_core.console.parameters import examples, json_option, key_of
from queue_core.console.session import Session
from queue_core.console.shown import print_json, print_table

if TYPE_CHECKING:
    from pydantic import BaseModel

    from queue_core.console.layers import Layers

_COLUMNS = (Column("KEY"), Column("VALUE", is_text=True), Column("ORIGIN"))
_ANY_VALUE = {"ignore_unknown_options": True}
"""-1 is a value, though mostly none that is good."""

_pass_session = click.make_pass_decorator(Session)


def config_command(program: str, layers: Callable[[], Layers[Any]], sets: Mapping[str, str]) -> click.Group:
    """Return the group `config` of a program whose object is a Session; the settings in `sets` are its examples."""
    key = click.argument("key", type=key_of(lambda: layers().keys()))
    names = list(sets)
    changes = [f"{program} config set {name} {value}" for name, value in sets.items()]
    variable = f"{program}_{names[0]}".replace("-", "_").upper()
    group = click.Group(
        "config",
        help=f"""Read and change the settings.

        A flag goes before an environment variable such as {variable}, and that before the file.
        """,
        epilog=examples(changes[0], f"{program} config list"),
    )
    group.command("get", epilog=examples(f"{program} config get {names[0]}"))(key(json_option(get)))
    group.command("set", epilog=examples(*changes), context_settings=_ANY_VALUE)(key(click.argument("value")(set_)))
    group.command("unset", epilog=examples(f"{program} config unset {names[-1]}"))(key(unset))
    group.command("list", epilog=examples(f"{program} config list", f"{program} config list --json"))(
        json_option(list_)
    )
    return group


@_pass_session
def get(session: Session[BaseModel], key: str, as_json: bool) -> None:
    """Print the value of a setting; nothing where it has none."""
    value = _plain(session.settings, session.layers().field_of(key))
    if as_json:
        print_json(value)
    else:
        click.echo(_text(value))


@_pass_session
def set_(session: Session[BaseModel], key: str, value: str) -> None:
    """Write a setting into the file; its comments stay."""
    from queue_core.console.settings_file import SettingsFile

    field = session.layers().field_of(key)
    checked = session.layers().check({field: value})
    has_unit = _has_unit(checked, field, value)
    SettingsFile(session.file).put(key, value if has_unit else _short(_plain(checked, field)))


@_pass_session
def unset(session: Session[BaseModel], key: str) -> None:
    """Take a setting out of the file, so that its default holds again."""
    from queue_core.console.settings_file import SettingsFile

    session.check_file()
    if not SettingsFile(session.file).take_out(key):
        session.layers().field_of(key)


@_pass_session
def list_(session: Session[BaseModel], as_json: bool) -> None:
    """List the settings with their origins, and say where their file is."""
    found, file, keys = session.found, session.file.absolute(), session.layers().keys()
    origins = {key: found.origins.get(field, "default") for key, field in keys.items()}
    if as_json:
        values = {key: _seen(_plain(found.settings, field)) for key, field in keys.items()}
        listed = [{"key": key, "value": values[key], "origin": origin} for key, origin in origins.items()]
        print_json({"file": str(file), "exists": file.exists(), "settings": listed})
        return
    click.echo(f"file: {file}{'' if file.exists() else ' (does not exist yet)'}\n")
    print_table(_COLUMNS, [(key, in_words(found.settings, keys[key]), origin) for key, origin in origins.items()])


def in_words(settings: BaseModel, field: str) -> str:
    """Return the value of a setting as a list shows it: a time with its units, a URL without its password."""
    from queue_core.console.spans import is_span

    value = getattr(settings, field)
    if isinstance(value, float) and is_span(type(settings), field):
        return span(value)
    return _text(_seen(_plain(settings, field)))


def _seen(value: Any) -> Any:
    """Return a value as those who look over a shoulder may see it."""
    from queue_core.console.urls import hidden

    return hidden(value) if isinstance(value, str) else value


def _plain(settings: BaseModel, field: str) -> Any:
    """Return a value as JSON and TOML can have it."""
    return settings.model_dump(mode="json", include={field})[field]


def _has_unit(settings: BaseModel, field: str, value: str) -> bool:
    """Return whether somebody wrote a time with its unit, which the file is to keep."""
    from queue_core.console.spans import is_span

    return is_span(type(settings), field) and not value.replace(".", "", 1).isdecimal()


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else str(_short(value))


def _short(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value
