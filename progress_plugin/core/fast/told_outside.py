"""What sessions were told in projects that have nothing of ours, so that a resume tells it once (S9.3).

A line per start in the user's data directory, beside the text that is ready there: the session, and the hash
of what it was told. No words of a session are in it. It is shortened when that text is made anew
(`transcripts.session_store`).

Like `core.fast.start_hook` it does without `os`.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.fast.minimal_os import (
    content_digest,
    exists,
    flat_name,
    read_regular,
    upward,
    user_data_directory,
)
from progress_plugin.core.fast.shown_sessions import session_path

TOLD_OUTSIDE = "told.log"
_MOST_BYTES = 64 * 1024
"""Beyond this nothing is added: a resume shows everything again."""
LINES_KEPT = 100


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
