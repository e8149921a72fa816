"""The documentation says what is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from queue_core import Queue, QueueConfig

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


def test_make_help_lists_every_target():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    described = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert targets == described
