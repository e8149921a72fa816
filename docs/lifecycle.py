"""How does docs/lifecycle.md get its diagram and its table?"""  # noqa: INP001

from pathlib import Path

from queue_core.states import diagram, table

PAGE = Path(__file__).with_suffix(".md")
BEGIN, END = "<!-- generated from queue_core/states.py: make docs -->\n", "<!-- end of the generated part -->\n"


def written(page: str) -> str:
    """Return the page with its generated part as the table of transitions has it now."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n```mermaid\n{diagram()}\n```\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
