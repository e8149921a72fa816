"""How is a program run once, so that it can neither outlive its worker nor fill memory or disk?"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import IO, NamedTuple

from queue_core import own_group

MOST_BYTES = 200_000_000
"""Of sound: more than an hour."""
_TAIL_BYTES = 2_000
_PIECE_BYTES = 1 << 16
_LOOK_SECONDS = 0.2
"""Between two looks at the file that it writes."""


class Ended(NamedTuple):
    """How a program ended, and what it gave."""

    code: int
    printed: bytes
    told: str
    """The end of what it said on its standard error."""
    is_too_much: bool
    """Whether it was killed for writing more than MOST_BYTES."""


def run_program(command: Sequence[str], given: bytes, out: Path) -> Ended:
    """Run a program without a shell to its end, which takes as long as it takes; raises OSError where it can't start.

    Its input is a file, so that it may leave it unread. The file `out` is the other place where it may write.
    """
    with tempfile.TemporaryFile() as text:
        text.write(given)
        text.seek(0)
        process = subprocess.Popen(  # noqa: S603 (what the user named, without a shell)
            command,
            stdin=text,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    with process, _owned(process):
        return _followed(process, out)


def _followed(process: subprocess.Popen[bytes], out: Path) -> Ended:
    assert process.stdout is not None
    assert process.stderr is not None
    printed, told = bytearray(), bytearray()
    reading = _in_thread(_read_sound, process.stdout, printed)
    listening = _in_thread(_read_tail, process.stderr, told)
    is_too_much = False
    while not is_too_much and reading.is_alive():
        reading.join(_LOOK_SECONDS)
        is_too_much = len(printed) > MOST_BYTES or (out.exists() and out.stat().st_size > MOST_BYTES)
    if is_too_much:
        _kill(process)
    listening.join()
    said = told.decode(errors="replace").strip()
    return Ended(process.wait(), bytes(printed), said, is_too_much)


def _in_thread(read: Callable[[IO[bytes], bytearray], None], pipe: IO[bytes], into: bytearray) -> Thread:
    thread = Thread(target=read, args=(pipe, into), daemon=True)
    thread.start()
    return thread


def _read_sound(pipe: IO[bytes], into: bytearray) -> None:
    while len(into) <= MOST_BYTES and (piece := pipe.read(_PIECE_BYTES)):
        into += piece


def _read_tail(pipe: IO[bytes], into: bytearray) -> None:
    while piece := pipe.read(_PIECE_BYTES):
        into += piece
        del into[:-_TAIL_BYTES]


@contextmanager
def _owned(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Let a program die with the worker that it speaks for: one that hangs would stay for ever."""
    own_group(process.pid)
    try:
        yield
    except BaseException:
        _kill(process)
        raise
    finally:
        own_group(None)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
