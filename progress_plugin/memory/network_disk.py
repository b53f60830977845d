"""Whether a file lies on a network file system, where SQLite's WAL mode is unsafe."""

from __future__ import annotations

import os
import sys

NETWORK_TYPES = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "ncpfs"}
)
MOUNTS = "/proc/self/mounts"
"""The mount table; systems without it count every disk as local."""


def on_network_disk(path: str) -> bool:
    """Return whether `path` is on a network disk, as far as mount table or share name show it."""
    if sys.platform == "win32":
        return os.path.abspath(path).startswith("\\\\")
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as table:
            return _is_network(_type_of_mount(os.path.realpath(path), table.read()))
    except OSError:
        return False


def _type_of_mount(path: str, table: str) -> str:
    """Return the file system type of the deepest mount point above `path`; of two on one point the later."""
    best, best_type = "", ""
    for line in table.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:  # noqa: PLR2004
            continue
        point = fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        if len(point) >= len(best) and (path + "/").startswith(point.rstrip("/") + "/"):
            best, best_type = point, fields[2]
    return best_type


def _is_network(kind: str) -> bool:
    return kind in NETWORK_TYPES or kind in {"fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.glusterfs"}
