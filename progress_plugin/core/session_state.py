"""State of each session of a client: its project, the context it was shown, and whether it has logged.

One JSON file per session and per sub-agent, in the user's state directory. The oldest are removed.
"""

import os

from progress_plugin.core import fast_json, paths
from progress_plugin.core.clients import HookEvent
from progress_plugin.core.paths import make_private, nearest_with, state_file, user_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

FOLDER = "sessions"  # in the user's state for these files, in the private state of a project for records
MAX_SESSIONS = 200
MAX_ID_CHARS = 80
_ENDING = ".json"


class SessionState:
    """The state of one session or sub-agent."""

    project = ""  # its root
    shown = ""  # the start context
    has_logged = False

    def __init__(self, data: "dict[str, Any]") -> None:
        self.shown_notes: list[str] = []  # beginnings of the notes that were shown when files were opened
        vars(self).update(data)


def is_session_id(session: str | None) -> bool:
    """Return whether an id that a client gives can be a file name."""
    return bool(
        session and len(session) <= MAX_ID_CHARS and session.replace("-", "").replace("_", "").isalnum()
    )


def load_session(session: str | None, agent: str | None = None) -> SessionState:
    """Load the state of a session, or of a sub-agent of it; empty if none is stored."""
    path = _path(session, agent)
    return _load(path) if path else SessionState({})


def save_session(session: str | None, state: SessionState, agent: str | None = None) -> bool:
    """Store the state of a session; return False if that fails.

    If two hooks run at once, the later one overwrites the state: then a note may be shown twice.
    """
    path = _path(session, agent)
    if path is None:
        return False
    folder, is_new = os.path.dirname(path), not os.path.exists(path)
    try:
        make_private(folder)
        _write(path, vars(state))
        if is_new:
            _remove_oldest(folder)
    except OSError:
        return False
    return True


def files_of_sessions(root: str) -> "Iterator[str]":
    """Yield the file of each session and sub-agent of the project at `root`."""
    folder = _folder()
    for name in _names(folder):
        path = os.path.join(folder, name)
        if _load(path).project == root:
            yield path


def record_path(main_root: str, client: str, session: str) -> str | None:
    """Return the path of a session's record; None if the ids cannot be a file name.

    `main_root` is the project's root in the main worktree.
    """
    is_usable = is_session_id(client) and is_session_id(session)
    return state_file(main_root, f"{FOLDER}/{client}.{session}{_ENDING}") if is_usable else None


def remember_start(event: HookEvent, root: str, shown: str) -> None:
    """Store the context that a session start showed, and begin the session's record if it needs one."""
    if paths.is_read_only():
        return
    state = load_session(event.session)
    state.project, state.shown = root, shown
    state.shown_notes = state.shown_notes if event.text("source") == "resume" else []
    save_session(event.session, state)
    begin_record(event, root)


def begin_record(event: HookEvent, root: str) -> None:
    """Write the path of a session's transcript into a new record, unless later starts find the transcript.

    A start searches only the folder with the transcripts of sessions that began at its root. It misses those
    of sessions that began below the root or in a linked worktree, and folders that all projects share.
    """
    session, client = event.session or "", event.client.name
    is_linked = os.path.isfile(os.path.join(nearest_with(root, ".git") or root, ".git"))
    if not (event.client.has_shared_transcripts or is_linked or event.directory != root):
        return
    if is_linked:
        from progress_plugin.core.project import find_project  # noqa: PLC0415 - large

        root = find_project(root).main_root
    path = record_path(root, client, session)
    if path is None or os.path.exists(path):
        return
    beginning = {"client": client, "session": session, "transcript": event.text("transcript_path")}
    try:
        make_private(os.path.dirname(path))
        _write(path, beginning)
    except OSError:  # the next start tries again
        return


def _folder() -> str:
    return os.path.join(user_state(), FOLDER)


def _path(session: str | None, agent: str | None) -> str | None:
    if not is_session_id(session) or (agent and not is_session_id(agent)):
        return None
    return os.path.join(_folder(), f"{session}.{agent}{_ENDING}" if agent else f"{session}{_ENDING}")


def _load(path: str) -> SessionState:
    try:
        with open(path, "rb") as file:
            return SessionState(fast_json.loads(file.read().decode("utf-8", "surrogateescape")))
    except (OSError, ValueError):  # there is no file, or a damaged one
        return SessionState({})


def _write(path: str, data: "dict[str, Any]") -> None:
    temporary = f"{path}.{os.getpid()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, fast_json.dumps(data).encode("utf-8", "surrogateescape"))
    finally:
        os.close(handle)
    os.replace(temporary, path)


def _names(folder: str) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.endswith(_ENDING)]
    except OSError:
        return []


def _remove_oldest(folder: str) -> None:
    paths = [os.path.join(folder, name) for name in _names(folder)]
    if len(paths) > MAX_SESSIONS:
        for path in sorted(paths, key=os.path.getmtime)[: len(paths) - MAX_SESSIONS]:
            os.unlink(path)
