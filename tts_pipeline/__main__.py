"""How does `tts-pipeline` start and end, whenever somebody types Ctrl-C?

`python -m tts_pipeline` is the same.
"""

from __future__ import annotations

import os
import signal
import sys

_INTERRUPTED = 128 + signal.SIGINT


def main() -> None:
    """Run `tts-pipeline`; an interrupt ends it with 130, and never with a traceback."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # a script that runs it in the background
        _run()
        return
    signal.signal(signal.SIGINT, _leave)  # while it is imported nothing is begun, and an exception could be swallowed
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # how it ended is decided


def _run() -> None:
    from tts_pipeline.cli.main import main as program  # noqa: PLC0415 (under guard)

    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    program()


def _leave(*_: object) -> None:
    os._exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
