"""How do packets become the pages of an Ogg file?

We write them ourselves, to have pre-skip, end, comments and cover in our own hands, and since a
page is simple: a head, the sizes of what is in it in bytes of at most 255, and the packets.
"""

from __future__ import annotations

import struct
import zlib
from typing import IO

_HEAD = struct.Struct("<4sBBqIIIB")
_SUM_AT = 22
_MOST = 255
"""Segments in a page, and bytes in a segment; a packet ends with the first that is shorter."""
_CONTINUED, _FIRST, _LAST = 1, 2, 4
_UNFINISHED = -1

_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_ALL = 0xFFFFFFFF


def checksum(data: bytes) -> int:
    """Return Ogg's checksum: zlib's with every bit in mirrored order, from 0 and not inverted."""
    mirrored = zlib.crc32(data.translate(_MIRRORED), _ALL) ^ _ALL
    return int.from_bytes(mirrored.to_bytes(4, "little").translate(_MIRRORED))


class Pages:
    """Writes one stream. A page is kept back until the next begins, since the last one says that it is the last."""

    def __init__(self, file: IO[bytes], serial: int = 1) -> None:
        self._file, self._serial, self._number = file, serial, 0
        self._flags, self._granule = _FIRST, _UNFINISHED
        self._sizes, self._body = bytearray(), bytearray()

    @property
    def is_begun(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._sizes)

    def put(self, packet: bytes, granule: int) -> None:
        """Add a packet; the granule says which sample it ends before."""
        at, segments = 0, len(packet) // _MOST + 1
        while segments:
            if len(self._sizes) == _MOST:
                self.end_page(_CONTINUED if at else 0)
            taken = min(segments, _MOST - len(self._sizes))
            segments -= taken
            end = at + taken * _MOST if segments else len(packet)
            self._sizes += bytes([_MOST]) * (taken if segments else taken - 1)
            if not segments:
                self._sizes.append(len(packet) % _MOST)
            self._body += packet[at:end]
            at = end
        self._granule = granule

    def end_page(self, flags: int = 0) -> None:
        """Write what is there, and begin a page with these flags."""
        head = _HEAD.pack(b"OggS", 0, self._flags, self._granule, self._serial, self._number, 0, len(self._sizes))
        page = bytearray(head + self._sizes + self._body)
        struct.pack_into("<I", page, _SUM_AT, checksum(bytes(page)))
        self._file.write(page)
        self._number += 1
        self._flags, self._granule = flags, _UNFINISHED
        self._sizes, self._body = bytearray(), bytearray()

    def close(self) -> None:
        """Write the last page."""
        self._flags |= _LAST
        self.end_page()
