"""The page about queuectl says what is so, and its walk can be walked."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from queue_core.cli.main import cli
from queue_core.cli.settings import LAYERS, Settings
from queue_core.console.configuration import in_words

from .test_main import commands

PAGE = (Path(__file__).parents[3] / "docs" / "queuectl.md").read_text(encoding="utf-8")
WALK = "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))


@pytest.fixture
def script() -> dict[str, str]:
    """An environment in which queuectl is a command."""
    return os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def test_the_walk_can_be_walked(script, folder):
    done = subprocess.run(["/bin/sh", "-eux"], input=WALK, env=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "something is left" in done.stdout
    assert "left behind: 1 command: blocked" in done.stderr
    assert (folder / "data" / "queue.db").exists()


def test_the_walk_can_be_walked_on_a_server(script, postgres_url):
    at = {"QUEUECTL_DATABASE_URL": postgres_url}
    done = subprocess.run(["/bin/sh", "-eu"], input=WALK, env=script | at, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "two eggs" in done.stdout


def test_the_table_of_commands_names_all_of_them_and_no_others():
    rows = re.findall(r"^\| `queuectl ([a-z ]+?)(?: [\[A-Z].*?)?` \|", PAGE, re.MULTILINE)
    assert {tuple(words.split()) for words in rows} == {
        path for path in commands() if not isinstance(found(path), click.Group)
    }


def test_every_command_on_the_page_exists():
    for words in re.findall(r"queuectl ((?:[a-z]+ ?)+)", PAGE):
        path = tuple(words.split())
        assert found(path) is not None, words


def found(path: tuple[str, ...]) -> click.Command | None:
    """Follow words down to a command; what comes after one is its business."""
    command: click.Command | None = cli
    for word in path:
        if not isinstance(command, click.Group):
            return command
        command = command.commands.get(word)
    return command


def test_the_table_of_settings_is_that_of_the_code():
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) ?\| (.*?) \|$", section("Settings"), re.MULTILINE)
    written = [(key, default.strip("` "), words) for key, default, words in rows]
    real = [
        (key, in_words(Settings(), field), str(Settings.model_fields[field].description))
        for key, field in LAYERS.keys().items()
    ]
    assert [row[:2] for row in written] == [row[:2] for row in real]
    assert all(words.startswith(described) for (*_, words), (*_, described) in zip(written, real, strict=True))
