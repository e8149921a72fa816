"""What does the process have ready from which children are forked?

It is imported there, once, so that a child starts in milliseconds. Nothing is opened in it: no database, no
threads. It must not die of a signal that is meant for a whole group of processes, for then the ends of the
children could not be told any more.
"""

from __future__ import annotations

import signal
from contextlib import suppress

import queue_core.backends.sqlite
import queue_core.child
from queue_core.signals import admit

with suppress(ImportError):  # the driver is an extra
    import queue_core.backends.postgres

for name in ("SIGTERM", "SIGHUP", "SIGINT"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
admit()

__all__ = ["queue_core"]
