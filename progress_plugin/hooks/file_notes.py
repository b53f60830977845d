"""Show an agent the notes about a file that it reads or edits.

A hook looks into the index of notes after every tool use, so a file without notes must cost little.
"""

import os

from progress_plugin.core import fast_json
from progress_plugin.core.clients import HookEvent
from progress_plugin.core.paths import is_read_only, state_file
from progress_plugin.core.snapshot import FILE_NOTES_FILE, load_start_cache, root_with_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.session_state import SessionState

IndexedNote = tuple[str, str, int]
"""A note: its key, which is its beginning as a start context shows it; its text; its number of tokens."""

MAX_SHOWN_NOTES = 400  # in one session
MAX_TOKENS = 300  # of all notes that are shown after one tool use
MAX_NAMED_FILES = 3
FRAME_TOKENS = 16  # the sentence before the notes, without the paths
LINE_TOKENS = 2  # the mark before a note and the end of its line
MAX_COMMAND_WORDS = 40  # words of a shell command that are looked up as files
SHELL_SIGNS = "'`\"()<>|&;=$,:!?*{}"


def answer(event: HookEvent) -> bytes:
    """Return the notes to show after a tool use, in the client's output format; usually there are none."""
    client = event.client
    if not client.takes_tool_context or client.tool_context_event not in ("", event.text("hook_event_name")):
        return b""
    named = _named_paths(event)
    start = event.directory if named else None
    root = root_with_cache(start) if start else None
    if root is None or event.session is None:
        return b""
    paths = [
        path for name in named for path in _below_root(root, os.path.join(event.text("cwd") or root, name))
    ]
    notes = _load_notes(root, paths) if paths else {}
    return _answer(event, root, notes) if notes else b""


def _named_paths(event: HookEvent) -> list[str]:
    """Return the paths that a tool may have used: for a shell command, each of its first 40 words."""
    if event.path or not event.client.edits_by_shell:
        return [event.path] if event.path else []
    return event.command.translate({ord(sign): " " for sign in SHELL_SIGNS}).split()[:MAX_COMMAND_WORDS]


def _below_root(root: str, path: str) -> list[str]:
    """Return a path relative to the root, and that of its target if it is a link; none outside the root."""
    try:
        folder, name = os.path.split(os.path.abspath(path))
        places = {os.path.join(os.path.realpath(folder), name): None, os.path.realpath(path): None}
    except ValueError:  # a null character
        return []
    prefix = root.rstrip(os.sep) + os.sep
    return [place[len(prefix) :].replace(os.sep, "/") for place in places if place.startswith(prefix)]


def _load_notes(root: str, paths: list[str]) -> dict[str, list[IndexedNote]]:
    """Return the notes about these files; a file without notes in the index of the project is left out."""
    try:
        with open(state_file(root, FILE_NOTES_FILE), "rb") as file:
            data = file.read()
        if not any(fast_json.dumps(path).encode("utf-8", "replace") + b":" in data for path in paths):
            return {}
        notes = fast_json.loads(data.decode())
        return {path: notes[path] for path in paths if path in notes}
    except (OSError, ValueError, TypeError, RecursionError):
        return {}


def _answer(event: HookEvent, root: str, notes: dict[str, list[IndexedNote]]) -> bytes:
    """Return the notes that the session was not shown yet, and remember that they were shown."""
    from progress_plugin.core.clients import tool_output
    from progress_plugin.core.session_state import load_session, save_session

    cache = load_start_cache(root)
    if cache is None or cache.snapshot.first_change(at_start=False):  # the index is stale
        if not is_read_only():
            from progress_plugin.core.processes import start_detached

            start_detached("background", "record", root)  # it makes the index again
        return b""
    agent = event.text("agent_id") or None  # a sub-agent does not see the context of its session
    state = load_session(event.session, agent)
    chosen = _choose(notes, state)
    if not chosen:
        return b""
    state.project = state.project or root
    state.shown_notes = [*state.shown_notes, *chosen]
    if not is_read_only() and not save_session(event.session, state, agent):
        return b""  # otherwise the session would be shown the same notes at every tool use
    about = [path for path in notes if any(note[0] in chosen for note in notes[path])][:MAX_NAMED_FILES]
    lines = [f"agent-progress: recorded in this project about {', '.join(about)}:"]
    lines += [f"- {text}" for text in chosen.values()]
    return tool_output(event.client, "\n".join(lines) + "\n")


def _choose(notes: dict[str, list[IndexedNote]], state: "SessionState") -> dict[str, str]:
    """Return the texts of the notes to show, by key, as many as there is room for."""
    room = MAX_TOKENS - FRAME_TOKENS - sum(len(path) // 3 for path in [*notes][:MAX_NAMED_FILES])
    chosen: dict[str, str] = {}
    for name, text, tokens in (note for path in notes for note in notes[path]):
        is_new = name not in state.shown and name not in state.shown_notes and name not in chosen
        if is_new and tokens + LINE_TOKENS <= room and len(state.shown_notes) + len(chosen) < MAX_SHOWN_NOTES:
            chosen[name] = text
            room -= tokens + LINE_TOKENS
    return chosen
