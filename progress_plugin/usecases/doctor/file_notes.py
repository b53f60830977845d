"""Whether an agent is told what is recorded about a file, by the hook as a client starts it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from progress_plugin.core import data_directory
from progress_plugin.core.clients import as_claude_code, current_client
from progress_plugin.core.fast.file_hook import MOST_TOKENS, still_holds
from progress_plugin.core.fast.file_note_index import INDEX_FILE
from progress_plugin.core.fast.start_cache import DATA_SUFFIX
from progress_plugin.core.project import Project
from progress_plugin.summary.tokens import estimate
from progress_plugin.text.bounds import counted
from progress_plugin.text.safe_output import one_line
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong
from progress_plugin.usecases.doctor.process import run_hook
from progress_plugin.usecases.summarizing.file_notes import FileNote, file_notes
from progress_plugin.usecases.summarizing.summary_files import compose_for_this_call

_AREA = "files"
_LOOKING_ONLY = {"AGENT_PROGRESS_READ_ONLY": "1", "AGENT_PROGRESS_NO_INSTALL": "1"}
_REMEDY = "`agent-progress status summarize` makes the index anew"


def look_at_file_notes(project: Project, variables: set[str]) -> Iterator[Finding]:
    """Read a file that is recorded, as far as the hook can see, and say what it answers; nothing is noted.

    `variables` are the names of the environment's, by which the client is known.
    """
    client = current_client(None, variables)
    if client.title and not client.takes_tool_context:
        yield note(_AREA, f"{client.title} takes no context after a tool's use: nothing is told at files")
        return
    composed = compose_for_this_call(project)
    settings = composed.sources.settings
    off = [name for name, is_on in (("inject", settings.inject), ("jit", settings.jit)) if not is_on]
    if off:
        remedy = ", ".join(f"`agent-progress config set {name} true`" for name in off)
        yield note(_AREA, "nothing is told at files: it is switched off", remedy)
        return
    roots = (project.root, data_directory.root_of(project.log_directory))
    notes = file_notes(composed.facts, roots)
    path = _first_there(project.root, notes)
    if path is None:
        if notes:
            yield ok(_AREA, f"{counted(len(notes), 'statement')} recorded about files, of which none is here")
        return
    if not os.path.exists(project.root + DATA_SUFFIX + INDEX_FILE):
        yield note(_AREA, "no index of what is recorded about files yet", "the next session start makes it")
        return
    if not still_holds(project.root):
        yield note(
            _AREA,
            "what is recorded about files has changed since the last summary",
            "the next session start, or use of such a file, renews it",
        )
        return
    yield _tried(project, path, len(notes))


def _first_there(root: str, notes: list[FileNote]) -> str | None:
    """Return a recorded path that leads to a file of the project."""
    paths = (path for each in notes for path in each.paths)
    return next((path for path in paths if os.path.isfile(os.path.join(root, path))), None)


def _tried(project: Project, path: str, notes: int) -> Finding:
    told = {
        "session_id": "doctor",
        "tool_name": "Read",
        "tool_input": {"file_path": os.path.join(project.root, path)},
    }
    ran = run_hook("PostToolUse", project.root, told, _LOOKING_ONLY | as_claude_code(project.root))
    name = one_line(path, 80)
    if ran.code or ran.errors:
        return wrong(
            _AREA, f"a read of {name}: the hook failed", "run `agent-progress setup`, then this again"
        )
    text = _context(ran.output)
    if text is None:
        return wrong(_AREA, f"a read of {name} brought no context that a client takes", _REMEDY)
    if estimate(text) > MOST_TOKENS:
        return wrong(_AREA, f"a read of {name} brought more than {MOST_TOKENS} tokens", _REMEDY)
    size = f"{estimate(text)} tokens (estimated), {ran.seconds * 1000:.0f} ms"
    return ok(
        _AREA,
        f"a read of {name} brings what is recorded about it: {size}; {counted(notes, 'statement')} in all",
    )


def _context(output: bytes) -> str | None:
    """Return the text that a client takes from a hook's output, None where it takes none."""
    try:
        value = json.loads(output)
        inner = value.get("hookSpecificOutput", {**value, "hookEventName": "PostToolUse"})
        text = inner["additionalContext"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return text if isinstance(text, str) and text and inner["hookEventName"] == "PostToolUse" else None
