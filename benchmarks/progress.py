"""What is the benchmark doing right now?"""

import sys
import time

_started_at = time.monotonic()


def progress(*words: object) -> None:
    """Say on stderr what begins, and how long everything took so far."""
    seconds = time.monotonic() - _started_at
    print(f"[{seconds:5.0f} s]", *words, file=sys.stderr, flush=True)
