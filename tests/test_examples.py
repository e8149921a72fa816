"""The examples do what they say, in an empty folder."""

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(name: str, folder: Path) -> list[str]:
    command = [sys.executable, "-W", "error", EXAMPLES / name]
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def test_plain_functions_run_as_tasks(tmp_path):
    assert run("plain_task.py", tmp_path) == [
        "refused: task divide: total: Input should be a valid integer, unable to parse string as an integer",
        "done: {'COMPLETED': 3, 'DISCARDED': 1}",
        "count_words COMPLETED 8",
        "count_words COMPLETED 4",
        "divide COMPLETED 3.5",
        "divide DISCARDED division by zero",
        "of today: 1",
    ]


def test_async_functions_run_as_tasks(tmp_path):
    assert run("async_task.py", tmp_path) == [
        "done: {'COMPLETED': 4, 'DISCARDED': 1}",
        *(
            f"fetch COMPLETED {{'name': '{name.upper()}', 'links': ['{name}/0', '{name}/1']}}"
            for name in ("one", "two", "three", "four")
        ),
        "fetch DISCARDED timed out after 0.2 s",
    ]


def test_every_example_is_run_here():
    source = Path(__file__).read_text(encoding="utf-8")
    assert all(f'run("{example.name}"' in source for example in EXAMPLES.glob("*.py"))
