"""Show an agent what is recorded about a file that it reads or edits."""

import os

from progress_plugin.core.clients import HookEvent
from progress_plugin.core.file_note_index import MAX_TOKENS, FileNoteIndex, load_index
from progress_plugin.core.paths import is_read_only
from progress_plugin.core.snapshot import load_start_cache, root_with_cache

MAX_NAMED_FILES = 3
FRAME_TOKENS = 16  # the sentence before the notes, without the paths
LINE_TOKENS = 2  # the mark before a note and the end of its line
MAX_COMMAND_WORDS = 40  # that are looked up as files
SHELL_SIGNS = "'`\"()<>|&;=$,:!?*{}"


def answer(event: HookEvent) -> bytes:
    """Return the notes that are shown after a tool's use, in the form of the client; mostly none."""
    client = event.client
    if not client.takes_tool_context or client.tool_context_event not in ("", event.text("hook_event_name")):
        return b""
    named = _named_paths(event)
    start = event.start if named else None
    root = root_with_cache(start) if start else None
    if root is None or event.session is None:
        return b""
    paths = [
        path for name in named for path in _below_root(root, os.path.join(event.text("cwd") or root, name))
    ]
    index = load_index(root, paths) if paths else None
    return _answer(event, root, index, [path for path in paths if path in index.files]) if index else b""


def _named_paths(event: HookEvent) -> list[str]:
    """Return the paths that a tool's use may be about: of a shell command, each word."""
    if event.path or not event.client.edits_by_shell:
        return [event.path] if event.path else []
    return event.command.translate({ord(sign): " " for sign in SHELL_SIGNS}).split()[:MAX_COMMAND_WORDS]


def _below_root(root: str, path: str) -> list[str]:
    """Return the path of a file below the root, and that of the file it is a link to; none outside of it."""
    try:
        folder, name = os.path.split(os.path.abspath(path))
        places = {os.path.join(os.path.realpath(folder), name): None, os.path.realpath(path): None}
    except ValueError:  # a null character
        return []
    prefix = root.rstrip(os.sep) + os.sep
    return [place[len(prefix) :].replace(os.sep, "/") for place in places if place.startswith(prefix)]


def _answer(event: HookEvent, root: str, index: FileNoteIndex, paths: list[str]) -> bytes:
    """Return the notes of these files that the session was not shown yet, and remember that it was."""
    from progress_plugin.core.session_state import MAX_FILE_IDS, load_session, save_session

    cache = load_start_cache(root)
    if cache is None or cache.snapshot.first_change(at_start=False):  # what the index was made from
        if not is_read_only():
            _renew(root)
        return b""
    agent = event.text("agent_id") or None  # a sub-agent does not see what its session was shown
    state = load_session(event.session, agent)
    known = {*state.file_ids, *([] if agent else state.start_ids)}
    chosen = _chosen(index, paths, known, MAX_FILE_IDS - len(state.file_ids))
    if not chosen:
        return b""
    state.project = state.project or root
    state.file_ids = [*state.file_ids, *chosen]
    if not is_read_only() and not save_session(event.session, state, agent):
        return b""  # it would be shown again and again
    return _output(event, index, paths, chosen)


def _chosen(index: FileNoteIndex, paths: list[str], known: set[str], limit: int) -> list[str]:
    """Return the ids of the notes to show, as many as there is room for."""
    room = MAX_TOKENS - FRAME_TOKENS - sum(len(path) // 3 for path in paths[:MAX_NAMED_FILES])
    chosen: list[str] = []
    for name in dict.fromkeys(name for path in paths for name in index.files[path]):
        tokens = index.notes[name][1] + LINE_TOKENS
        if name not in known and tokens <= room and len(chosen) < limit:
            chosen.append(name)
            room -= tokens
    return chosen


def _output(event: HookEvent, index: FileNoteIndex, paths: list[str], chosen: list[str]) -> bytes:
    from progress_plugin.core.clients import tool_output

    about = [path for path in paths if not set(chosen).isdisjoint(index.files[path])][:MAX_NAMED_FILES]
    lines = [f"agent-progress: recorded in this project about {', '.join(about)}:"]
    lines += [f"- {index.notes[name][0]}" for name in chosen]
    return tool_output(event.client, "\n".join(lines) + "\n")


def _renew(root: str) -> None:
    """Have a background process make the index anew: what it was made from has changed."""
    from progress_plugin.core.project import find_project
    from progress_plugin.log import pending_events

    project = find_project(root)
    pending_events.start_background(project.log_directory, project.root)
