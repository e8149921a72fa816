"""What is in an MP4, read by its own rules instead of the writer's."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_HOLDERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"udta", b"edts", b"tref", b"ilst", b"meta"}


@dataclass(frozen=True)
class Atom:
    name: bytes
    path: tuple[bytes, ...]
    body: bytes
    offset: int


def atoms(data: bytes, path: tuple[bytes, ...] = (), offset: int = 0) -> Iterator[Atom]:
    """Give all atoms, those in others after them."""
    at = 0
    while at + 8 <= len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        size = size or len(data) - at
        body = data[at + 8 : at + size]
        yield Atom(name, (*path, name), body, offset + at)
        if name in _HOLDERS:
            skipped = 4 if name == b"meta" else 0
            yield from atoms(body[skipped:], (*path, name), offset + at + 8 + skipped)
        at += size


def tracks(data: bytes) -> list[dict[bytes, bytes]]:
    """Return each track's atoms by name."""
    found: list[dict[bytes, bytes]] = []
    for atom in atoms(data):
        if atom.name == b"trak":
            found.append({})
        elif b"trak" in atom.path:
            found[-1][atom.name] = atom.body
    return found


def nero_marks(data: bytes) -> list[tuple[float, str]]:
    """Return the chapter marks of `chpl`: (second, title)."""
    body = next(atom.body for atom in atoms(data) if atom.name == b"chpl")
    marks, at = [], 9
    for _ in range(body[8]):
        start, size = struct.unpack_from(">QB", body, at)
        marks.append((start / 10_000_000, body[at + 9 : at + 9 + size].decode()))
        at += 9 + size
    return marks


def quicktime_marks(data: bytes) -> list[tuple[float, str]]:
    """Return the chapter marks of the text track that the sound refers to, as Apple's players read them."""
    all_tracks = tracks(data)
    (chapters_id,) = {struct.unpack(">I", track[b"chap"][:4])[0] for track in all_tracks if b"chap" in track}
    (track,) = (track for track in all_tracks if struct.unpack_from(">I", track[b"tkhd"], 12)[0] == chapters_id)
    assert track[b"hdlr"][8:12] == b"text"
    scale = struct.unpack_from(">I", track[b"mdhd"], 12)[0]
    starts = _starts(track[b"stts"])
    titles = _titles(data, track)
    return [(start / scale, title) for start, title in zip(starts, titles, strict=True)]


def _starts(stts: bytes) -> list[int]:
    starts, at = [], 0
    for place in range(8, len(stts), 8):
        count, duration = struct.unpack_from(">II", stts, place)
        for _ in range(count):
            starts.append(at)
            at += duration
    return starts


def _titles(data: bytes, track: dict[bytes, bytes]) -> list[str]:
    """Return the texts of a track whose samples lie one after another."""
    same, count = struct.unpack_from(">II", track[b"stsz"], 4)
    sizes = [same] * count if same else list(struct.unpack_from(f">{count}I", track[b"stsz"], 12))
    chunks = struct.unpack_from(f">{struct.unpack_from('>I', track[b'stco'], 4)[0]}I", track[b"stco"], 8)
    runs = [struct.unpack_from(">III", track[b"stsc"], at) for at in range(8, len(track[b"stsc"]), 12)]
    titles, sample = [], 0
    for number, at in enumerate(chunks, start=1):
        for _ in range(next(run[1] for run in reversed(runs) if run[0] <= number)):
            size = struct.unpack_from(">H", data, at)[0]
            titles.append(data[at + 2 : at + 2 + size].decode())
            at += sizes[sample]  # noqa: PLW2901
            sample += 1
    return titles
