"""Keeping where a session works, for the server of a client that does not name it (usecases.served_project).

It belongs to a session's start, so like `core.fast.start_hook` it does without `os`.
"""

import sys

from progress_plugin.core.fast.minimal_os import exists, folder_names, read_regular
from progress_plugin.core.fast.shown_sessions import session_path

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

SESSION_DIRECTORIES = "/sessions/"
_SECONDS = 30 * 86400
"""A session not started or resumed for so long is forgotten."""


def keep(session: str, directory: str) -> None:
    """Keep the directory that a session works in; silent where it cannot be written, as hooks are."""
    cache, place = _user_cache(), place_of(session)
    if cache is None or place is None:
        return
    folder, told = cache + SESSION_DIRECTORIES, directory.encode("utf-8", "surrogateescape")
    if read_regular(place) == told:
        return
    fresh = f"{folder}{session}.{system.getpid()}"
    try:
        for missing in (cache.rpartition("/")[0], cache, folder):
            if not exists(missing):
                system.mkdir(missing, 0o700)
        _forget_old(folder)
        with open(fresh, "wb") as file:
            file.write(told)
        # The server may be reading: it finds the old file or the new one, never half of one.
        system.replace(fresh, place)
    except OSError:
        return


def place_of(session: str) -> str | None:
    """Return where a session's directory is kept; None for an id that cannot be a file name."""
    cache = _user_cache()
    return cache + SESSION_DIRECTORIES + session if cache and session_path("", session) else None


def _user_cache() -> str | None:
    """Return the user's cache directory: the launcher has compiled code put into it, others have to look."""
    compiled, _, name = (sys.pycache_prefix or "").rpartition("/")
    if compiled and name == "pycache":
        return compiled
    from progress_plugin.core.paths import user_cache  # noqa: PLC0415 - it needs `os`

    return user_cache()


def _forget_old(folder: str) -> None:
    import time  # noqa: PLC0415 - only a session that is new

    oldest = time.time() - _SECONDS
    for name in folder_names(folder):
        try:
            if system.stat(folder + name).st_mtime < oldest:
                system.unlink(folder + name)
        except FileNotFoundError:
            continue
