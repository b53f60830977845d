"""Find the transcripts of a project's sessions, and read one as events."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple

from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, COPILOT_HOME, OPENCODE_DB
from progress_plugin.core.errors import BadInput, NoProject
from progress_plugin.core.files import list_inside, open_regular, read_beginning
from progress_plugin.core.paths import is_outside
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.session_state import is_session_id
from progress_plugin.text.decode import json_or_none
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.events import Event

MAX_BMP_CHARACTER = "\uffff"  # any later character is two units of UTF-16, which Claude Code counts
MAX_SUBAGENTS = 50
BEGINNING_BYTES = 64 << 10  # of a transcript, which show whether a program ran the client
MAX_BYTES = 32 << 20  # of a larger transcript the first line and the last 32 MiB are read
MAX_LINE_BYTES = 8 << 20  # a longer line holds pictures or a whole history
FIRST_LINE_BYTES = 256 << 10  # the first line names the directory
READABLE_CLIENTS = ("claude", "codex", "copilot", "gemini", "opencode")
_ENDING = ".jsonl"
_DATABASE = LazyPattern(r"opencode(?:-[\w.]{1,40})?\.db")  # one per release channel


class Transcript(NamedTuple):
    """The transcript of a session."""

    client: str
    session: str
    path: str
    written_ns: int = 0
    size: int = 0


def claude_folder_name(directory: str) -> str:
    """Return the name of the folder in which Claude Code keeps the sessions that started in a directory.

    Claude Code cuts a name at 200 characters and appends a hash: then the sessions are not found.
    """
    return re.sub(r"[^A-Za-z0-9]", lambda sign: "-" * (1 + (sign[0] > MAX_BMP_CHARACTER)), directory)


def claude_folder(root: str) -> str:
    return os.path.join(client_home(CLAUDE_CONFIG_DIR, ".claude"), "projects", claude_folder_name(root))


def claude_transcripts(root: str) -> list[Transcript]:
    """Return Claude Code's transcripts of the sessions that started in a directory."""
    folder = claude_folder(root)
    names = [name for name in list_inside(None, folder) if name.endswith(_ENDING)]
    sessions = [(name.removesuffix(_ENDING), os.path.join(folder, name)) for name in names]
    return [stamped(Transcript("claude", name, path)) for name, path in sessions if is_session_id(name)]


def stamped(transcript: Transcript) -> Transcript:
    """Return a transcript with its time and size now; 0 if it cannot be read."""
    if transcript.client == "opencode":
        from progress_plugin.transcripts.clients.opencode import session_stamp  # noqa: PLC0415 - SQLite

        written_ns, size = session_stamp(transcript.path, transcript.session)
    else:
        written_ns, size = _stamp(transcript.path)
    return transcript._replace(written_ns=written_ns, size=size)


def usual_path(client: str, session: str, root: str) -> str:
    """Return the path of an OpenCode or Copilot transcript, which no hook names; empty for other clients."""
    if client == "opencode":
        return _opencode_database(root)
    if client == "copilot":
        home = client_home(COPILOT_HOME, ".copilot", root)
        return os.path.join(home, "session-state", session, "events.jsonl")
    return ""


def subagent_transcripts(path: str) -> list[str]:
    """Return the transcripts of sub-agents, which Claude Code writes next to that of the session."""
    folder = os.path.join(path.removesuffix(_ENDING), "subagents") if path.endswith(_ENDING) else ""
    names = list_inside(None, folder) if folder else []
    return [os.path.join(folder, name) for name in names if name.endswith(_ENDING)][:MAX_SUBAGENTS]


def named_directory(transcript: Transcript) -> str:
    """Return the directory that Gemini CLI names in a file near a session's transcript; else empty."""
    if transcript.client != "gemini":
        return ""
    root_file = os.path.join(os.path.dirname(os.path.dirname(transcript.path)), ".project_root")
    return os.fsdecode(read_beginning(None, root_file, 4096)).strip()


def project_at(project: Project, directory: str) -> Project | None:
    """Return the project at a directory if it is `project`, in this or another worktree; else None."""
    try:
        if os.path.realpath(directory) == project.root:
            return project
        found = find_project(start=directory)
    except (NoProject, ValueError):  # no project there, or a null character in the name
        return None
    return found if found.main_root == project.main_root else None


def client_home(variable: str, usual: str, root: str = "") -> str:
    """Return where a client keeps its files; a variable that names a place in the project is ignored."""
    named = os.environ.get(variable, "")
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE", "")
    if named and is_outside(named, root):
        return named
    return os.path.join(home if os.path.isabs(home) else os.devnull, usual)


def transcript_events(transcript: Transcript) -> Iterator[Event]:
    """Yield the events of a session, then those of its sub-agents that have transcripts of their own."""
    client, path = transcript.client, transcript.path
    if client == "opencode":
        from progress_plugin.transcripts.clients.opencode import read_lines  # noqa: PLC0415 - SQLite: 7 ms

        yield from read_events(client, read_lines(path, transcript.session))
        return
    yield from read_events(client, transcript_lines(path))
    for subagent_path in subagent_transcripts(path):
        yield from read_events(client, transcript_lines(subagent_path))


def read_events(client: str, lines: Iterable[dict[str, Any]]) -> Iterator[Event]:
    """Yield the events of a transcript, given all of its lines as JSON objects in their order.

    A `SessionPlace` comes as soon as a line names the session's directory.
    """
    # Most machines have one client, and only OpenCode's needs SQLite.
    module = import_module(f"progress_plugin.transcripts.clients.{client}")
    found: Iterator[Event] = module.read_events(lines)
    return found


def transcript_lines(path: str) -> Iterator[dict[str, Any]]:
    """Yield each line that is a JSON object. A line that cannot be read is left out.

    Only a line feed ends a line: other line ends occur inside strings.
    """
    try:
        file = open_regular(None, path)
    except (OSError, ValueError, BadInput):
        return
    with file:
        start = max(os.fstat(file.fileno()).st_size - MAX_BYTES, 0)
        first = file.readline(FIRST_LINE_BYTES) if start else b""
        file.seek(start)
        if start:
            file.readline()  # the rest of a line whose beginning is not read
        for line in chain((first,), file):
            text = line.strip(b"\x00\n").decode("utf-8", "replace") if len(line) <= MAX_LINE_BYTES else ""
            if isinstance(value := json_or_none(text), dict):
                yield value


def _opencode_database(root: str) -> str:
    """Return OpenCode's database: the one that a variable names, or else was written last; else empty."""
    base = client_home("XDG_DATA_HOME", os.path.join(".local", "share"), root)
    folder = os.path.join(base, "opencode")
    if named := os.environ.get(OPENCODE_DB, ""):
        path = os.path.join(folder, named)
        return path if is_outside(path, root) else ""
    paths = [os.path.join(folder, name) for name in list_inside(None, folder) if _DATABASE.fullmatch(name)]
    return max(paths, key=lambda path: max(_stamp(path)[0], _stamp(f"{path}-wal")[0]), default="")


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return 0, 0
    return status.st_mtime_ns, status.st_size
