"""How long does it take from a saved file in a watched folder to its first clip, and what does watching cost at rest?

A folder is watched with the command that people type, while as many files lie in it as asked for. Then files are saved
one after another, each when the one before is published. From the time to the first clip the delay is taken that a
file must lie still for; what is left is what the watcher, the queue and the workers take. The baseline is the same file
made by `tts-pipeline run`, from the start of the command to its first clip.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

COMMAND = Path(sys.executable).with_name("tts-pipeline")
SETTLE = 1.0
MOST_SECONDS = 2.0
"""How much later than the delay the first clip may come."""
REST_SECONDS = 10.0
TICKS = os.sysconf("SC_CLK_TCK")


def text(number: int) -> str:
    """Return what a file says."""
    return f"Walk {number}\n\nOn walk {number} nobody counted steps. It rained on walk {number}, too.\n"


def clips(folder: Path) -> int:
    """Count the clips of a shelf."""
    return sum(1 for _ in (folder / "data/store/clips").rglob("*.flac"))


def reports(folder: Path) -> int:
    """Count the published books."""
    return sum(1 for _ in folder.glob("outputs/*/[!.]*/report.json"))


def until(condition: str, count: int, folder: Path) -> float:
    """Return when there were more than so many of something."""
    found = {"clips": clips, "reports": reports}[condition]
    while found(folder) <= count:
        time.sleep(0.005)
    return time.perf_counter()


@contextmanager
def watching(folder: Path) -> Iterator[int]:
    """Watch a folder, and give the process that does."""
    words = [COMMAND, "watch", "inputs", "--engine", "tone", "--settle", f"{SETTLE}s", "--workers", "2"]
    process = subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL)  # noqa: S603 (our own command)
    try:
        yield process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def spent(pid: int) -> float:
    """Return how long a process was busy, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def saved(folder: Path, number: int) -> float:
    """Save a file, and return how long after its delay the first clip is there; return when all is published."""
    had, published = clips(folder), reports(folder)
    (folder / "inputs" / f"walk {number}.txt").write_text(text(number), encoding="utf-8")
    began = time.perf_counter()
    took = until("clips", had, folder) - began - SETTLE
    until("reports", published, folder)
    return took


def run_alone(folder: Path) -> float:
    """Return how long the command takes to the first clip of one file."""
    folder.mkdir()
    (folder / "walk.txt").write_text(text(0), encoding="utf-8")
    began = time.perf_counter()
    words = [COMMAND, "run", "walk.txt", "--engine", "tone", "--workers", "2"]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 (our own command)
    took = until("clips", 0, folder) - began
    process.wait()
    return took


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100, help="how many lie in the folder already")
    parser.add_argument("--saves", type=int, default=10, help="how many are saved while it is watched")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        alone = run_alone(Path(place, "alone"))
        folder = Path(place, "shelf")
        (folder / "inputs").mkdir(parents=True)
        for number in range(asked.files):
            (folder / "inputs" / f"walk {number}.txt").write_text(text(number), encoding="utf-8")
        with watching(folder) as pid:
            began = time.perf_counter()
            all_there = until("reports", asked.files - 1, folder) - began
            took = [saved(folder, asked.files + number) for number in range(asked.saves)]
            before = spent(pid)
            time.sleep(REST_SECONDS)
            at_rest = (spent(pid) - before) / REST_SECONDS
    worst = max(took)
    print(f"{asked.files} files published after {all_there:.1f} s")
    print(f"first clip after the delay: median {statistics.median(took):.2f} s, worst {worst:.2f} s of {asked.saves}")
    print(f"by `run`, from the start of the command: {alone:.2f} s ({statistics.median(took) / alone:.2f} of it)")
    print(f"watching at rest: {at_rest:.1%} of one core")
    print(f"at most {MOST_SECONDS:.0f} s: {'met' if worst <= MOST_SECONDS else 'MISSED'}")


if __name__ == "__main__":
    main()
