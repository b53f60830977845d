"""What each session was shown last: a second name for the file of the start cache.

Only remembered here.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import (
    FILE_TYPE,
    FOLDER_TYPE,
    content_digest,
    exists,
    flat_name,
    read_regular,
    upward,
    user_data_directory,
)
from progress_plugin.core.fast.start_cache import CACHE_FILE, DATA_SUFFIX

SESSIONS = "/sessions/"
SESSIONS_KEPT = 50
"""Files in it of what was shown, and as many of what was told; those of the oldest sessions go when a summary
is made (`summary_files`)."""
OPEN = ".open"
"""Ending of the file beside it that says what the session wrote: `usecases.recording.session_entries`."""
TOLD = ".told"
"""Ending of the file that says what it was told at its files (`core.fast.notes_told_already`)."""
TOLD_LOG = "/told.log"
"""What was told at files since the last summary was made, which adds it up (`summarizing.shown_counts`)."""
TOLD_OUTSIDE = "told.log"
"""Of projects that have nothing of ours, in the user's data directory: a line per start, its session and the
hash of what it was told. It is shortened when that text is made anew (`transcripts.session_store`)."""
LINES_KEPT = 100
_MOST_BYTES = 64 * 1024
"""Beyond this nothing is added to it: a resume shows everything again."""


def remember_session(root: str, session: str | None) -> None:
    """Keep what this session was shown: a second name for the cache's file; no data is written.

    The cache is replaced, never changed in place, so that name goes on showing the old text, and a resume
    can show what is new. Where links cannot be made, a resume shows everything.
    """
    target = session_path(root, session)
    if target is None or not _may_hold_ours(root + DATA_SUFFIX + SESSIONS[:-1]):
        return
    for again in (True, False):
        try:
            system.link(root + DATA_SUFFIX + CACHE_FILE, target)
        except FileExistsError:
            if has_seen(root, session) or not again or not _removed(target):
                return
        except FileNotFoundError:
            if not again or not exists(root + DATA_SUFFIX + CACHE_FILE):
                return
            system.mkdir(root + DATA_SUFFIX + SESSIONS)
        except OSError:
            return
        else:
            return


def _removed(path: str) -> bool:
    try:
        system.unlink(path)
    except OSError:
        return False
    return True


def make_sessions_folder(root: str) -> bool:
    """Make the folder of what sessions were shown, and return whether it is there and no link."""
    folder = root + DATA_SUFFIX + SESSIONS[:-1]
    if not _may_hold_ours(folder):
        return False
    try:
        system.mkdir(folder)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True


def _may_hold_ours(path: str) -> bool:
    """Return whether a folder of ours is one, or can be made: no link that leads somewhere else."""
    try:
        return system.lstat(path).st_mode & FILE_TYPE == FOLDER_TYPE
    except (OSError, ValueError):
        return True


def has_seen(root: str, session: str | None) -> bool:
    """Return whether a session was shown the very cache that is there now."""
    target = session_path(root, session)
    if target is None:
        return False
    try:
        seen, now = system.stat(target), system.stat(root + DATA_SUFFIX + CACHE_FILE)
    except OSError:
        return False
    return (seen.st_ino, seen.st_dev) == (now.st_ino, now.st_dev)


def forget_told(root: str, session: str | None) -> None:
    """Have a session told everything at its files again: its context begins anew."""
    path = told_path(root, session, None)
    if path is not None:
        _removed(path)


def told_path(root: str, session: str | None, agent: str | None) -> str | None:
    """Return where it is kept what a session or a sub-agent was told at files; None as `session_path`."""
    path = session_path(root, session)
    if path is None or (agent and session_path(root, agent) is None):
        return None
    return f"{path}.{agent}{TOLD}" if agent else path + TOLD


def session_path(root: str, session: str | None) -> str | None:
    """Return where a session's last text is kept; None for an id that cannot be a file name."""
    if not session or len(session) > 80 or not session.replace("-", "").replace("_", "").isalnum():  # noqa: PLR2004
        return None
    return root + DATA_SUFFIX + SESSIONS + session


def note_told(start: str, session: str | None, told: bytes) -> None:
    """Note what a session that began below `start` was told; silent where that cannot be, as hooks are."""
    folder = _folder(start)
    if folder is None or not told or session is None or session_path("", session) is None:
        return
    flags = system.O_WRONLY | system.O_CREAT | system.O_APPEND | getattr(system, "O_NOFOLLOW", 0)
    try:
        handle = system.open(f"{folder}/{TOLD_OUTSIDE}", flags | getattr(system, "O_NONBLOCK", 0), 0o600)
    except OSError:
        return
    try:
        if system.fstat(handle).st_size < _MOST_BYTES:
            system.write(handle, _line(session, told))
    except OSError:
        pass
    finally:
        system.close(handle)


def was_told(start: str, session: str | None, told: bytes) -> bool:
    """Return whether a session was told this, at its start or at a resume."""
    folder = _folder(start)
    if folder is None or session is None:
        return False
    data = read_regular(f"{folder}/{TOLD_OUTSIDE}") or b""
    return _line(session, told) in data.splitlines(keepends=True)


def _line(session: str, told: bytes) -> bytes:
    return session.encode("utf-8", "replace") + b" " + content_digest(told) + b"\n"


def _folder(start: str) -> str | None:
    """Return the folder of the project that `start` is in; None where no session of it was recorded."""
    data = user_data_directory()
    for current in upward(start) if data is not None else ():
        folder = f"{data}/sessions/{flat_name(current)}"
        if exists(folder):
            return folder
        if exists(current + "/.git"):
            return None
    return None
