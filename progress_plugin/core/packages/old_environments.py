"""The directory environments are in: what earlier builds left there, and what is kept.

Which old environments are removed, and after how long, is decided here (`retire_others`, `_KEPT_FOR`).
"""

import base64
import csv
import hashlib
import os
import shutil
from typing import IO

from progress_plugin.core.packages import environment, team_packages

_KEPT_FOR = 14 * 24 * 3600.0
_LARGEST_LOG = 1_000_000


def log_path(home: str) -> str:
    """Return the path of the file that holds the output of all builds."""
    return os.path.join(home, "build.log")


def open_log(home: str) -> IO[bytes]:
    """Open that file for more; above a megabyte it starts anew and the old one is kept beside it."""
    path = log_path(home)
    if os.path.isfile(path) and os.path.getsize(path) > _LARGEST_LOG:
        os.replace(path, path + ".old")
    return open(path, "ab")


def log_size(home: str) -> int:
    """Return the bytes of that file, so that `log_end` knows what is new."""
    try:
        return os.path.getsize(log_path(home))
    except OSError:
        return 0


def log_end(home: str, since: int) -> bytes:
    """Return what was written to that file since it had so many bytes, the last of it."""
    try:
        with open(log_path(home), "rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(since if since <= end else 0, end - _LARGEST_LOG))
            return log.read()
    except OSError:
        return b""


def lost_files(site: str, *, with_content: bool = False) -> list[str]:
    """Return the files that packages brought, by their own records, and that are gone or have another size.

    With their content looked at, too, it is every file that changed at all: that reads all of them. Only of
    what we installed: where pip and the like did, other people's packages are none of our business.
    """
    if os.path.islink(site) or site == environment.installed_packages():
        return []
    lost = []
    for entry in os.scandir(site):
        if not entry.name.endswith(".dist-info"):
            continue
        record = os.path.join(entry.path, "RECORD")
        if not os.path.isfile(record):
            lost.append(f"{entry.name}/RECORD")
            continue
        with open(record, encoding="utf-8", errors="replace", newline="") as file:
            rows = [row for row in csv.reader(line.replace("\0", "") for line in file) if row]
        ours = [row for row in rows if not row[0].startswith("..") and not row[0].endswith(".pyc")]
        lost += [row[0] for row in ours if not _is_as_recorded(site, row, with_content=with_content)]
        lost += [] if rows else [f"{entry.name}/RECORD"]
    return lost


def _is_as_recorded(site: str, row: list[str], *, with_content: bool) -> bool:
    """Return whether a file is as its package recorded it: path, hash, bytes; only the path must be."""
    name, digest, size = (*row, "", "")[:3]
    path = os.path.join(site, name)
    if not os.path.isfile(path) or (size.isdigit() and os.path.getsize(path) != int(size)):
        return False
    if not with_content or not digest.startswith("sha256="):
        return True
    try:
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").digest()
    except OSError:
        return False
    return base64.urlsafe_b64encode(found).decode().rstrip("=") == digest.partition("=")[2]


def name_interpreter(place: str, python: str) -> None:
    """Write which Python a directory of packages is for; an existing file stays while its Python exists."""
    path = os.path.join(place, "python")
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            if os.access(file.read().strip(), os.X_OK):
                return
    fresh = f"{path}.{os.getpid()}"
    with open(fresh, "w", encoding="utf-8") as file:
        file.write(python + "\n")
    os.replace(fresh, path)


def sweep(home: str) -> None:
    """Remove what builds that were killed have left; we hold the lock, so none of them lives."""
    for name in os.listdir(home):
        if name.startswith(".building-"):
            shutil.rmtree(os.path.join(home, name), ignore_errors=True)


def forget_lent(home: str) -> list[str]:
    """Remove environments that only link to the packages of an installed plugin; return their places."""
    entries = list(os.scandir(home)) if os.path.isdir(home) else []
    lent = [entry.path for entry in entries if os.path.islink(os.path.join(entry.path, "site-packages"))]
    for place in lent:
        shutil.rmtree(place, ignore_errors=True)
    return lent


def retire_others(home: str, now: float) -> None:
    """Mark the environments of other plugins and Pythons as superseded, and remove those marked 14 days ago.

    Not at once: servers of open sessions still load from them, and another client may hold an older plugin.
    """
    kept = {environment.identity(), *team_packages.names(home)}
    for entry in os.scandir(home):
        if not entry.is_dir(follow_symlinks=False) or entry.name in kept:
            continue
        mark = os.path.join(entry.path, "superseded")
        if not os.path.exists(mark):
            with open(mark, "w", encoding="utf-8") as file:
                file.write(f"{now}\n")
        elif now - os.path.getmtime(mark) > _KEPT_FOR:
            shutil.rmtree(entry.path, ignore_errors=True)
