"""What came out of a run, for people, for machines and for the documentation?"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import Table

BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"


@dataclass(frozen=True)
class Results:
    """All tables of one run and the facts that they depend on."""

    facts: dict[str, str]
    tables: list[Table]

    @property
    def missed(self) -> list[str]:
        """One line for every missed target."""
        return [line for table in self.tables for line in table.verdicts()]

    def lines(self) -> Iterator[str]:
        """Yield everything as plain text."""
        yield ", ".join(f"{name} {value}" for name, value in self.facts.items())
        for table in self.tables:
            yield ""
            yield from table.lines()
        yield ""
        yield from self._verdict("  ")

    def write_json(self, file: Path) -> None:
        """Write all figures, unrounded."""
        tables: list[dict[str, Any]] = [table.as_json() for table in self.tables]
        whole = {"facts": self.facts, "tables": tables, "missed": self.missed}
        file.write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")

    def write_markdown(self, file: Path) -> None:
        """Replace what stands between the two markers of a file."""
        head, tail = around_results(file)
        file.write_text("\n".join([f"{head}{BEGIN}", *self._markdown(), f"{END}{tail}"]))

    def _markdown(self) -> Iterator[str]:
        yield from (f"- {name}: {value}" for name, value in self.facts.items())
        for table in self.tables:
            yield ""
            yield from table.markdown()
        yield ""
        yield from self._verdict("- ")

    def _verdict(self, bullet: str) -> Iterator[str]:
        if not self.missed:
            yield "All targets are met."
            return
        yield f"Missed targets: {len(self.missed)}"
        yield ""
        yield from (f"{bullet}{line}" for line in self.missed)


def around_results(file: Path) -> tuple[str, str]:
    """Return what stands before and behind the markers; raises ValueError where they are missing."""
    head, begin, rest = (file.read_text() if file.is_file() else "").partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{file} lacks the markers {BEGIN} and {END}")
    return head, tail
