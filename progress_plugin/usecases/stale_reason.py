"""Explain in a sentence why the start cache is stale or missing."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import MISSING, InputSnapshot, load_start_cache
from progress_plugin.text.bounds import some_of

NO_CACHE = "no summary was made yet: the next session start makes one"


def describe_change(snapshot: InputSnapshot, changed: str) -> str:
    """Describe the change of an input: `prd.json is new`."""
    if changed in snapshot.variables:
        return f"{changed} names another database"
    if ".git" in changed.split(os.sep):
        return "branch, commits or worktrees changed"
    if not os.path.lexists(os.path.join(snapshot.root, changed)):
        return f"{changed} is gone"
    before = snapshot.files.get(changed) or snapshot.start_files.get(changed)
    return f"{changed} is new" if before is None or before[0] == MISSING else f"{changed} changed"


def explain_cache(project: Project) -> dict[str, Any]:
    """Return whether the start cache is fresh, and the files and folders that are not as recorded."""
    cache = load_start_cache(project.root)
    if cache is None:
        return {"fresh": False, "input": None, "changed": [], "reason": NO_CACHE}
    snapshot = cache.snapshot
    first = snapshot.first_change()
    if first is None:
        count = len(snapshot.files)
        reason = f"all {count} files and folders that it depends on are as they were"
        return {"fresh": True, "input": None, "changed": [], "reason": reason}
    changed = list(dict.fromkeys([first, *snapshot.changes()]))
    folders = {os.path.dirname(path) or "." for path in changed}  # they say no more than their files
    changed = [path for path in changed if path == first or os.path.normpath(path) not in folders]
    reason = some_of(list(dict.fromkeys(describe_change(snapshot, path) for path in changed)))
    return {"fresh": False, "input": first, "changed": changed, "reason": reason}
