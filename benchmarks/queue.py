"""How fast is the queue, against hand-written SQL and against other queues?"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.cost import cost
from benchmarks.ground import Ground, open_ground
from benchmarks.latency import latency
from benchmarks.machine import facts
from benchmarks.report import Table
from benchmarks.results import Results, around_results
from benchmarks.rivalry import rivalry
from benchmarks.scale import FULL, QUICK, Scale
from benchmarks.scaling import scaling
from benchmarks.waking import waking
from benchmarks.working import working

Section = Callable[[Ground, Scale], list[Table]]

SECTIONS: dict[str, Section] = {
    "cost": cost,
    "scaling": scaling,
    "latency": latency,
    "waking": waking,
    "peers": rivalry,
    "workers": working,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sections, print their tables; 1 if a target is missed."""
    asked = _parsed(arguments)
    results = _run(asked.only or list(SECTIONS), QUICK if asked.quick else FULL)
    print("\n".join(results.lines()))
    if asked.json:
        results.write_json(asked.json)
    if asked.markdown:
        results.write_markdown(asked.markdown)
    return 1 if results.missed else 0


def _run(names: Sequence[str], scale: Scale) -> Results:
    with open_ground() as ground:
        known = facts(ground, scale)
        tables = [table for name in names for table in SECTIONS[name](ground, scale)]
    return Results(known, tables)


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.queue", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller counts: for a look, not for the record")
    parser.add_argument("--only", action="append", choices=SECTIONS, help="run this section alone; may be repeated")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to a file")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="replace the results between a file's markers")
    asked = parser.parse_args(arguments)
    if asked.markdown:  # said before minutes of measuring, not after
        try:
            around_results(asked.markdown)
        except ValueError as error:
            parser.error(str(error))
    return asked


if __name__ == "__main__":
    sys.exit(main())
