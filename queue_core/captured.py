"""What is kept of an output that may be endless?"""

from __future__ import annotations

MOST_BYTES = 64 * 1024


class Captured:
    """The head and the tail of what came; memory does not grow with what lies between."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._half = most_bytes // 2
        self._head, self._tail = bytearray(), bytearray()
        self._byte_count = 0

    def add(self, chunk: bytes) -> None:
        """Take in what came next."""
        self._byte_count += len(chunk)
        room = self._half - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        del self._tail[: -self._half]

    @property
    def dropped_bytes(self) -> int:
        """How many bytes of the middle are gone."""
        return self._byte_count - len(self._head) - len(self._tail)

    def text(self) -> str:
        """Return what was kept, with a note in the place of what was not."""
        if not self.dropped_bytes:
            return (self._head + self._tail).decode(errors="replace")
        note = f"\n… {self.dropped_bytes} bytes left out …\n"
        return self._head.decode(errors="replace") + note + self._tail.decode(errors="replace")
