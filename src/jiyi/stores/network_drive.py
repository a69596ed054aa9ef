"""Whether a path lies on a network drive, where SQLite's locks and log do not work reliably."""

from __future__ import annotations

from pathlib import Path

_MOUNTS = Path("/proc/self/mounts")
_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ceph", "glusterfs", "9p"})


def network_drive(path: Path, mounts: str | None = None) -> str | None:
    """The kind of network file system that holds `path`, or None (also where nobody can tell).

    Args:
        path: an existing file or one to be made.
        mounts: the system's table of mounts; read from /proc when not given.
    """
    if mounts is None:
        try:
            mounts = _MOUNTS.read_text("utf-8", errors="replace")
        except OSError:
            return None
    place = path.absolute()
    nearest, kind = -1, ""
    for line in mounts.splitlines():
        _, mounted, name, *_ = line.split(" ")
        point = Path(mounted.encode().decode("unicode_escape"))  # "\040" is a space
        if place.is_relative_to(point) and len(point.parts) > nearest:
            nearest, kind = len(point.parts), name
    network = kind in _NETWORK or kind.startswith("fuse.sshfs")
    return kind if network else None
