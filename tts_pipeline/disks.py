"""On what kind of disk does a folder lie?"""

from __future__ import annotations

from pathlib import Path

_REMOTE = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "fuse.sshfs", "ceph"})


def file_system(folder: Path) -> str | None:
    """Return the kind of file system that a folder is on, where the system tells."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return None
    rows = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    fitting = [(len(row[1]), row[2]) for row in rows if folder.is_relative_to(row[1])]
    return max(fitting, default=(0, None))[1]


def is_remote(folder: Path) -> bool:
    """Say whether others may write to it without this system's knowing."""
    return file_system(folder.absolute()) in _REMOTE
