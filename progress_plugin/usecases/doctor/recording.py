"""Whether finished work is recorded by itself here.

Each group of findings has a module here; `examination` lists them.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any

from progress_plugin.core.clients import TASK_LIST_VARIABLE, as_claude_code, current_client
from progress_plugin.core.known_paths import DATA_DIRECTORY, FILE_NAMES
from progress_plugin.log.store import LOG_FILE
from progress_plugin.text.bounds import counted
from progress_plugin.usecases.demo import EXAMPLE, EXAMPLE_FILES
from progress_plugin.usecases.doctor.finding import Finding, note, ok, wrong
from progress_plugin.usecases.doctor.process import by_script, run, site_packages
from progress_plugin.usecases.summarizing.sources import Sources

_AREA, _TRIED = "recording", "rehearsal"
_STORY = "US-013"
_HOMES = ("HOME", "LOCALAPPDATA")


def look_at_signals(sources: Sources) -> Iterator[Finding]:
    """Say which signals of finished work can fire in this project."""
    if sources.is_empty and not sources.project.has_directory:
        yield note(
            _AREA, "nothing is recorded by itself: no plan, no log", "`agent-progress init` begins a log"
        )
        return
    named = [plan.path for plan in sources.plans] + [log.source for log in sources.logs]
    late = [path for path in named if path.rpartition("/")[2] not in FILE_NAMES]
    if late:
        yield note(_AREA, f"{', '.join(late)}: compared at the end of a turn, not at each edit")
    if sources.plans:
        yield ok(_AREA, f"finished stories of {sources.plans[0].path} are recorded by edits and commits")
    else:
        yield note(
            _AREA,
            "without a plan only TaskCompleted, the agents' log and `agent-progress log` report finished "
            f"work; newer models of Claude Code have no task list unless {TASK_LIST_VARIABLE}=1 is set",
        )


def look_at_client(variables: set[str]) -> Finding:
    """Say which client the names of these variables show, and what reports finished work there."""
    client = current_client(None, variables)
    if not client.title:
        return ok("client", "none in this environment, as where a person starts this")
    return ok("client", f"{client.title}; finished work is noticed by {client.work_signals}")


def rehearse() -> Finding:
    """Finish a story in a copy of the example, and see whether the real hooks record it, once.

    The copy has a home of its own: nothing of the user's is touched.
    """
    with tempfile.TemporaryDirectory(prefix="agent-progress-doctor-") as scratch:
        root, home = os.path.join(scratch, "harbour"), os.path.join(scratch, "home")
        os.mkdir(root)
        os.mkdir(home)
        for name in EXAMPLE_FILES:
            shutil.copyfile(os.path.join(EXAMPLE, name), os.path.join(root, name))
        return _rehearsed(root, home)


def _rehearsed(root: str, home: str) -> Finding:
    first = _hook("SessionStart", root, home, {"source": "startup"})
    _finish_story(os.path.join(root, "prd.json"))
    file = {"file_path": os.path.join(root, "prd.json")}
    edit = {"tool_name": "Write", "tool_input": file}
    faults = [first, _hook("PostToolUse", root, home, edit), _hook("Stop", root, home, {})]
    told = [fault for fault in faults if fault]
    entries = _completed(os.path.join(root, DATA_DIRECTORY, LOG_FILE))
    if told or entries != [_STORY]:
        what = told[0] if told else f"a finished story made {counted(len(entries), 'entry')} instead of one"
        return wrong(
            _TRIED, f"tried in a copy of the example: {what}", "run `agent-progress setup`, then this again"
        )
    return ok(_TRIED, "tried in a copy of the example: a story finished in a plan is recorded, once")


def _hook(event: str, root: str, home: str, told: dict[str, Any]) -> str | None:
    """Start one hook; return what went wrong."""
    fields = {"session_id": "doctor", "cwd": root, "hook_event_name": event, **told}
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "AGENT_PROGRESS_", "CLAUDE"))
    }
    variables |= {**as_claude_code(root), "AGENT_PROGRESS_NO_INSTALL": "1"}
    variables |= {"AGENT_PROGRESS_SITE": site_packages() or "", **dict.fromkeys(_HOMES, home)}
    ran = run(by_script(event), root, json.dumps(fields).encode(), variables)
    return f"{event} failed: {ran.errors.strip() or ran.code}" if ran.code or ran.errors else None


def _finish_story(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    for story in plan["userStories"]:
        if story["id"] == _STORY:
            story["passes"] = True
    with open(path, "w", encoding="utf-8") as file:
        json.dump(plan, file)


def _completed(path: str) -> list[str | None]:
    try:
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)["entries"]
    except (OSError, ValueError, KeyError):
        return []
    return [entry.get("task_id") for entry in entries if entry["type"] == "task_completed"]
