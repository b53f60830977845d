"""Where the clients keep the transcripts of a project's sessions, and whose project one is of."""

import json
import os
from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.core.clients import CLAUDE_CONFIG_DIR, COPILOT_HOME, OPENCODE_DB
from progress_plugin.core.errors import NoProject
from progress_plugin.core.files import list_inside, read_range
from progress_plugin.core.paths import is_outside
from progress_plugin.core.project import Project, find_project
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.transcripts.claude_folder import folder_of
from progress_plugin.transcripts.clients.json_members import text

_ENDING = ".jsonl"
_MOST_BESIDE = 20
"""Folders of sessions started below the root that are looked at, those that were written last."""
_BEGINNING = 64 * 1024
"""Bytes of a transcript in which it says where its session works."""
_SUBAGENTS = 50
_MOST_CHANNELS = 10
_DATABASE_OF_A_CHANNEL = LazyPattern(r"opencode(?:-[\w.]{1,40})?\.db")


class TranscriptFile(NamedTuple):
    """A transcript of a session."""

    client: str
    session: str
    path: str
    changed: int
    """When it was written last, in ns."""


def claude_folders(project: Project) -> list[str]:
    """Return the folders of Claude Code's transcripts of sessions started in the root, and below it.

    A name is also that of other directories (`harbour-2`, `harbour/2`), so a transcript in there decides.
    """
    home = _home_of(CLAUDE_CONFIG_DIR, ".claude", project.root)
    projects = os.path.join(home, "projects") if home else ""
    if not os.path.isdir(projects):
        return []
    own = folder_of(project.root)
    beside = [
        os.path.join(projects, name) for name in list_inside(None, projects) if name.startswith(f"{own}-")
    ]
    beside = sorted(beside, key=_changed, reverse=True)[:_MOST_BESIDE]
    return [os.path.join(projects, own), *(folder for folder in beside if _is_below(project, folder))]


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _is_below(project: Project, folder: str) -> bool:
    files = claude_transcripts(folder)
    for line in read_range(None, files[0].path, 0, _BEGINNING).split(b"\n") if files else ():
        try:
            directory = text(json.loads(line), "cwd")
        except (ValueError, RecursionError):
            continue
        if directory:
            return is_of(project, directory)
    return False


def _home_of(variable: str, usual: str, root: str) -> str | None:
    """Return where a client keeps its things, by no variable in a project; None without a home."""
    named = os.environ.get(variable, "")
    home = os.environ.get("HOME") or os.environ.get("USERPROFILE", "")
    if named and is_outside(named, root):
        return named
    return os.path.join(home, usual) if os.path.isabs(home) else None


def claude_transcripts(folder: str) -> list[TranscriptFile]:
    """Return the transcripts in a folder of Claude Code's, the newest first."""
    found = []
    for name in list_inside(None, folder):
        path = os.path.join(folder, name)
        if name.endswith(_ENDING):
            try:
                status = os.stat(path)
            except OSError:
                continue
            found.append(TranscriptFile("claude", name[: -len(_ENDING)], path, status.st_mtime_ns))
    return sorted(found, key=lambda file: file.changed, reverse=True)


def usual_path(client: str, session: str, root: str) -> str | None:
    """Return where a client keeps transcripts that it names in no hook's input; None for other clients."""
    if client == "opencode":
        return _database_with(session, root)
    if client != "copilot":
        return None
    home = _home_of(COPILOT_HOME, ".copilot", root)
    return os.path.join(home, "session-state", session, "events.jsonl") if home else None


def _database_with(session: str, root: str) -> str | None:
    """Return OpenCode's database with a session, else the one that was written last; None without one."""
    paths = _opencode_databases(root)
    if len(paths) > 1:
        from progress_plugin.transcripts.clients.opencode_rows import has_session  # noqa: PLC0415 - SQLite: 7 ms

        return next((path for path in paths if has_session(path, session)), paths[0])
    return paths[0] if paths else None


def _opencode_databases(root: str) -> list[str]:
    """Return OpenCode's databases, one per release channel; the one that was written last comes first."""
    base = _home_of("XDG_DATA_HOME", os.path.join(".local", "share"), root)
    folder = os.path.join(base, "opencode") if base else ""
    named = os.environ.get(OPENCODE_DB, "")
    if named:
        path = os.path.join(folder, named)  # one named in full stands for itself
        return [path] if is_outside(path, root) else []
    names = list_inside(None, folder) if base else []
    paths = (os.path.join(folder, name) for name in names if _DATABASE_OF_A_CHANNEL.fullmatch(name))
    return sorted(paths, key=_written_last, reverse=True)[:_MOST_CHANNELS]


def _written_last(path: str) -> int:
    """Return when a database was written last, in ns: while it is in use that is its write-ahead log."""
    times = [0]
    for name in (path, f"{path}-wal"):
        try:
            times.append(os.stat(name).st_mtime_ns)
        except OSError:
            continue
    return max(times)


def newest(folders: Iterable[str], number: int, *, besides: str | None) -> list[TranscriptFile]:
    """Return the transcripts that were written last, the oldest first, without that of a session."""
    found = [file for folder in folders for file in claude_transcripts(folder) if file.session != besides]
    return sorted(found, key=lambda file: file.changed)[-number:]


def of_subagents(path: str) -> list[str]:
    """Return the files of a session's sub-agents, which Claude Code writes beside its transcript."""
    folder = os.path.join(path[: -len(_ENDING)], "subagents") if path.endswith(_ENDING) else ""
    names = list_inside(None, folder) if folder else []
    return [os.path.join(folder, name) for name in names if name.endswith(_ENDING)][:_SUBAGENTS]


def is_of(project: Project, directory: str) -> bool:
    """Return whether a session that worked in a directory worked in this project."""
    try:
        real = os.path.realpath(directory)
        return real == project.root or find_project(start=directory).root == project.root
    except (NoProject, ValueError):  # or no directory has such a name: half a character, a null byte
        return False
