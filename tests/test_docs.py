"""The documentation says what is so."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from queue_core import Queue, QueueConfig
from tts_pipeline.settings import LAYERS, Settings

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "CONTRIBUTING.md"]
sys.path.insert(0, str(ROOT / "docs"))


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)], ids=lambda page: page.name)
def test_the_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(page):
        exec(compile(block, page.name, "exec"), names)  # noqa: S102
    for opened in names.values():
        if isinstance(opened, Queue):
            opened.close()


def test_the_program_of_the_readme_runs(tmp_path):
    (program,) = [block for block in blocks(ROOT / "README.md") if "__main__" in block]
    (tmp_path / "page.py").write_text(program, encoding="utf-8")
    run = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("[5, 4]\n", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target


def test_the_lifecycle_page_is_the_table_of_transitions():
    import lifecycle

    page = lifecycle.PAGE.read_text(encoding="utf-8")
    assert page == lifecycle.written(page), "run make docs"


def test_the_settings_page_names_real_settings():
    page = (ROOT / "docs/queue.md").read_text(encoding="utf-8")
    table = page.partition("## Settings")[2].partition("## Errors")[0]
    named = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert named <= set(QueueConfig.model_fields)
    assert len(named) > 10


def test_the_settings_of_the_pipeline_are_all_told_with_their_defaults():
    page = (ROOT / "docs/pipeline.md").read_text(encoding="utf-8")
    table = page.partition("## Settings")[2].partition("## The report")[0]
    named = {
        name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`([\w-]+)`", row)
    }
    assert named == set(LAYERS.keys())
    for name in ("longest", "attempts", "batch", "size", "sample_rate"):
        assert f"| {Settings.model_fields[name].default} |" in table


def typed(page: str) -> list[tuple[str, str]]:
    """Return the commands of a page, and what each is said to print, in a line at most."""
    lines = "\n".join(re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL)).splitlines()
    after = [*lines[1:], ""]
    return [
        (line[2:], "" if nxt.startswith("$") else nxt)
        for line, nxt in zip(lines, after, strict=True)
        if line.startswith("$")
    ]


QUICKLY = {"TTS_PIPELINE_ENGINE": "tone", "TTS_PIPELINE_SETTLE": "0.3"}
"""Who has read the quickstart knows how it sounds."""


@pytest.mark.parametrize(("page", "settings"), [("quickstart.md", {}), ("shelf.md", QUICKLY), ("watching.md", QUICKLY)])
def test_what_a_page_says_is_typed_as_it_stands(page, settings, tmp_path):
    commands = typed((ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert len(commands) > 12
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, said in commands:
        run = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PATH": path, **settings},
            shell=True,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{command}\n{run.stdout}{run.stderr}"
        assert said in run.stdout, f"{command}\n{run.stdout}{run.stderr}"


def test_the_first_command_of_the_readme_is_true(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(pip install.*?)^```", readme, re.MULTILINE | re.DOTALL)
    install, _, command = block.splitlines()[0].partition(" && ")
    assert install == "pip install '.[neural]'"
    shutil.copytree(ROOT / "inputs", tmp_path / "inputs")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PATH": path}, shell=True, capture_output=True, text=True, check=True
    )
    (shown,) = re.findall(r"^```\n(outputs.*?)\n```", readme, re.MULTILINE)
    assert re.sub(r"\d+:\d\d", "TIME", run.stdout.rstrip()) == re.sub(r"\d+:\d\d", "TIME", shown)


def test_make_help_lists_every_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    described = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert targets == described
