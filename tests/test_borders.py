"""The pipeline knows of the queue what any other program may know."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import queue_core

PIPELINE = Path(__file__).parent.parent / "tts_pipeline"
PUBLIC = ("queue_core.commands", "queue_core.console", "queue_core.logs", "queue_core.testing")


def private(source: str) -> list[str]:
    """Return what a source imports of the queue that is not public."""
    return [name for name in imported(ast.parse(source)) if not is_public(name)]


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield what is imported of the queue, wherever that stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "queue_core")
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").split(".")[0] == "queue_core":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_public(name: str) -> bool:
    module, _, last = name.rpartition(".")
    return name == "queue_core" or (module == "queue_core" and last in queue_core.__all__) or is_within(name, PUBLIC)


def is_within(name: str, modules: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in modules)


@pytest.mark.parametrize("file", sorted(PIPELINE.rglob("*.py")), ids=lambda file: str(file.relative_to(PIPELINE)))
def test_the_pipeline_imports_public_names_only(file):
    assert private(file.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "from queue_core import Queue, task",
        "import queue_core",
        "from queue_core.console.failed import Failed",
        "from queue_core.logs import log",
        "from queue_corex import y",
    ],
)
def test_a_public_name_may_be_imported(source):
    assert private(source) == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from queue_core.task import Task", ["queue_core.task.Task"]),
        ("from queue_core import claims", ["queue_core.claims"]),
        ("import queue_core.backends.sql", ["queue_core.backends.sql"]),
        ("def f():\n    from queue_core.queue import Queue", ["queue_core.queue.Queue"]),
        ("from queue_core.cli.main import cli", ["queue_core.cli.main.cli"]),
        ("from queue_core.console_x import y", ["queue_core.console_x.y"]),
    ],
)
def test_no_other_may_be(source, names):
    assert private(source) == names
