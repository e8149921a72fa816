"""How are settings read and changed?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from queue_core.cli.session import Session, pass_session
from queue_core.cli.words import KEY
from queue_core.console.columns import Column
from queue_core.console.durations import span
from queue_core.console.parameters import examples, json_option
from queue_core.console.shown import print_json, print_table

if TYPE_CHECKING:
    from queue_core.cli.settings import Settings
    from queue_core.console.layers import Found

_COLUMNS = (Column("KEY"), Column("VALUE", is_text=True), Column("ORIGIN"))


@click.group(epilog=examples("queuectl config set max-retries 5", "queuectl config list"))
def config() -> None:
    """Read and change the settings.

    A flag goes before an environment variable such as QUEUECTL_MAX_RETRIES, and that before the file.
    """


@config.command(epilog=examples("queuectl config get max-retries"))
@click.argument("key", type=KEY)
@json_option
@pass_session
def get(session: Session, key: str, as_json: bool) -> None:
    """Print the value of a setting; nothing where it has none."""
    value = getattr(session.settings, session.layers.field_of(key))
    if as_json:
        print_json(value)
    else:
        click.echo(_plain(value))


@config.command(
    "set",
    epilog=examples("queuectl config set backoff-base 3", "queuectl config set timeout 10m"),
    context_settings={"ignore_unknown_options": True},  # -1 is a value, though none that is good
)
@click.argument("key", type=KEY)
@click.argument("value")
@pass_session
def set_(session: Session, key: str, value: str) -> None:
    """Write a setting into the file; its comments stay."""
    from queue_core.console.settings_file import SettingsFile

    field = session.layers.field_of(key)
    checked = getattr(session.layers.check({field: value}), field)
    SettingsFile(session.file).put(key, value if _is_span(checked, value) else _toml(checked))


@config.command(epilog=examples("queuectl config unset timeout"))
@click.argument("key", type=KEY)
@pass_session
def unset(session: Session, key: str) -> None:
    """Take a setting out of the file, so that its default holds again."""
    from queue_core.console.settings_file import SettingsFile

    session.check_file()
    if not SettingsFile(session.file).take_out(key):
        session.layers.field_of(key)


@config.command("list", epilog=examples("queuectl config list", "queuectl config list --json"))
@json_option
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List the settings with their origins, and say where their file is."""
    found, file = session.found, session.file.absolute()
    rows = [
        (key, _listed(found, field), found.origins.get(field, "default"))
        for key, field in session.layers.keys().items()
    ]
    if as_json:
        listed = [{"key": key, "value": value, "origin": origin} for key, value, origin in rows]
        print_json({"file": str(file), "exists": file.exists(), "settings": listed})
        return
    click.echo(f"file: {file}{'' if file.exists() else ' (does not exist yet)'}\n")
    print_table(_COLUMNS, ((key, _words(key, value), origin) for key, value, origin in rows))


def _listed(found: Found[Settings], field: str) -> Any:
    """Return a value that may be seen by those who look over a shoulder."""
    from queue_core.console.urls import hidden

    value = getattr(found.settings, field)
    return hidden(value) if field == "database_url" else value


def _words(key: str, value: Any) -> str:
    # All numbers with a fraction are times, but for the base of a power.
    return span(value) if isinstance(value, float) and key != "backoff-base" else _plain(value)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(_toml(value))


def _toml(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_span(checked: Any, value: str) -> bool:
    """Return whether somebody wrote a time with its unit, which the file is to keep."""
    return isinstance(checked, float) and not value.replace(".", "", 1).isdecimal()
