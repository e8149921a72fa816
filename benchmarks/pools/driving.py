"""How is a crew of workers started, watched and ended?"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks
from benchmarks.pools.crews import Command, Crew
from benchmarks.pools.marks import PATIENCE_SECONDS, arrived_count, open_gate, rate_of, shifts
from benchmarks.pools.order import Order
from benchmarks.stores import Place

_ROOT = Path(benchmarks.__file__).parents[1]
_LOOK_SECONDS = 0.05
_PARTING_SECONDS = 15
_COMPLAINTS = "complaints"
_MOST_COMPLAINTS = 2_000


def drained_rate(crew: Crew, place: Place, process_count: int, job_count: int) -> float:
    """Have a place drained that is filled already; return the jobs per second, the start of the processes left out."""
    with TemporaryDirectory(prefix="queue-bench-marks-") as name, ExitStack() as stack:
        folder, order = Path(name), Order.at(place, name, job_count)
        started = [stack.enter_context(_started(each, order)) for each in crew.commands(process_count)]
        try:
            _await(lambda: arrived_count(folder) == process_count, started)
            open_gate(folder)
            _await(lambda: sum(shift.count for shift in shifts(folder)) >= job_count, started)
            return rate_of(shifts(folder), job_count)
        except RuntimeError as error:
            said = (folder / _COMPLAINTS).read_text(errors="replace")[-_MOST_COMPLAINTS:]
            raise RuntimeError(f"{crew.name}, {process_count} processes: {error}: {said}") from error


@contextmanager
def _started(command: Command, order: Order) -> Iterator["subprocess.Popen[bytes]"]:
    """Start one command of a crew, and end it with all that it has started itself."""
    with Path(order.marks, _COMPLAINTS).open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 (a crew's own command)
            command, cwd=_ROOT, env=order.environment(), stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield process
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ask first; what is left of its group after that is killed."""
    process.terminate()
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_PARTING_SECONDS)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _await(is_so: Callable[[], bool], started: Sequence["subprocess.Popen[bytes]"]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        codes = [process.poll() for process in started]
        if any(codes) or time.monotonic() > deadline:
            raise RuntimeError(f"not all jobs ran; exit codes {codes}")
        time.sleep(_LOOK_SECONDS)
