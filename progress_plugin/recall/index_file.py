"""The file of an index: a cache in the user's own directory, readable by the user alone.

When an input has changed, or the file is damaged or in another format, it is made again from the sources.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from progress_plugin import RECALL_FORMAT, VERSION
from progress_plugin.core.errors import Busy, DiskRefused
from progress_plugin.core.files import SQLITE_SUFFIXES, content_digest
from progress_plugin.core.paths import make_private, user_cache
from progress_plugin.memory.sqlite import BUSY, open_file, primary_code, transaction
from progress_plugin.recall.index import Index, make_index

if TYPE_CHECKING:
    from progress_plugin.core.lock import FileLock

NAME = "index.db"
FOLDER = "recall"
VERSION_FACT = "version"
READ_TIMEOUT_S = 5.0  # while another process commits
MAX_AGE_S = 30 * 86_400  # after which the index of a project that is not asked about is removed
_VERSION = f"{VERSION} {RECALL_FORMAT}".encode()


def index_path(root: str) -> str | None:
    """Return the file for the project at `root`; None without a home."""
    cache = user_cache()
    return cache and os.path.join(cache, FOLDER, content_digest(os.fsencode(root)).decode(), NAME)


def lock_of(path: str) -> FileLock:
    """Return the lock of the processes that write an index. Entering it raises what `FileLock` raises."""
    from progress_plugin.core.lock import DEFAULT_TIMEOUT_S, FileLock  # noqa: PLC0415 - if something has changed

    folder = os.path.dirname(path)
    make_private(folder)
    return FileLock(os.path.join(folder, "lock"), DEFAULT_TIMEOUT_S)


def open_existing(path: str) -> Index | None:
    """Return the index at `path`, None if there is none in the present format, made by this version.

    Raises sqlite3.Error if another process holds it.
    """
    if os.path.islink(path) or not os.path.isfile(path):
        return None
    connection = open_file(path, "ro", READ_TIMEOUT_S)
    try:
        index = Index(connection)
        if index.fact(VERSION_FACT) == _VERSION:
            return index
    except sqlite3.DatabaseError as error:
        if primary_code(error) in BUSY:
            connection.close()
            raise
    connection.close()
    return None


def make(path: str) -> Index:
    """Return a new index in the place of what is at `path`. The caller holds the lock.

    Raises OSError and sqlite3.Error if no file can be made.
    """
    _remove(path)
    _remove_old(os.path.dirname(os.path.dirname(path)))
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    connection = open_file(path, "rw", READ_TIMEOUT_S)
    with transaction(connection):
        index = make_index(connection)
        index.note(VERSION_FACT, _VERSION)
    return index


def in_memory() -> Index:
    """Return an index for this process alone: there is no place for a file."""
    return make_index(sqlite3.connect(":memory:", isolation_level=None))


def forget_all() -> None:
    """Remove the index of every project, because something was erased that any of them may hold.

    A project that was moved leaves an index that no path of today leads to. Links in the place of a folder
    are not followed. Raises DiskRefused if an index cannot be removed.
    """
    cache = user_cache()
    above = os.path.join(cache, FOLDER) if cache else None
    if above is None or os.path.islink(above) or not os.path.isdir(above):
        return
    try:
        with os.scandir(above) as found:
            folders = [entry.path for entry in found if entry.is_dir(follow_symlinks=False)]
        for folder in folders:
            index = os.path.join(folder, NAME)
            with suppress(Busy), lock_of(index):
                pass  # a process that indexes now has read what was there before
            _remove(index)
    except OSError as error:
        raise DiskRefused(f"cannot remove the indexes in {above}", error) from error


def _remove(path: str) -> None:
    for name in (path, *(path + ending for ending in SQLITE_SUFFIXES)):
        if os.path.lexists(name):
            os.unlink(name)


def _remove_old(folder: str) -> None:
    oldest = time.time() - MAX_AGE_S
    for entry in list(os.scandir(folder)):
        index = os.path.join(entry.path, NAME)
        if os.path.lexists(index) and os.lstat(index).st_mtime < oldest:
            _remove(index)
