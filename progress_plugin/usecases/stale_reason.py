"""Explain in a sentence why the start cache is stale or missing."""

from __future__ import annotations

import os
from typing import Any

from progress_plugin.core.paths import state_directory
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import MISSING, InputSnapshot, has_start_cache, load_start_cache
from progress_plugin.text.bounds import some_of
from progress_plugin.usecases.project_writes import summary_path


def describe_change(snapshot: InputSnapshot, changed: str) -> str:
    """Describe the change of an input: `prd.json is new`."""
    if changed in snapshot.variables:
        return f"{changed} names another database"
    place = os.path.join(snapshot.root, changed)
    inside = os.path.relpath(place, snapshot.root)
    if os.path.basename(changed) == "worktrees":
        return "a linked worktree was added or removed"
    if ".git" in changed.split(os.sep):
        return "the branch or its commits changed"
    if os.path.isdir(place) and inside.startswith(os.pardir):
        return "a session of a client has begun or ended"
    if os.path.isdir(place):
        return f"a file in {'the root' if inside == os.curdir else inside} is new or gone"
    before = snapshot.files.get(changed) or snapshot.start_files.get(changed)
    if not os.path.lexists(place):
        return f"{changed} is gone"
    is_new = before is None or before[0] == MISSING
    return f"{changed} is new" if is_new else f"{changed} changed"


def missing_cache_reason(project: Project) -> str:
    """Explain the missing start cache of a project."""
    if has_start_cache(project.root):
        return "the last summary was made by another version"
    if state_directory(project.root) is None:
        return "no summary can be kept: there is no home directory"
    if os.path.exists(summary_path(project)):
        return "a summary was made, but not here: the project was moved or copied, or its state was removed"
    if project.log_directory != project.directory and os.path.isdir(project.log_directory):
        return "no summary was made in this worktree yet; each has its own"
    return "no summary was made yet: the next session start makes one"


def explain_cache(project: Project) -> dict[str, Any]:
    """Return whether the start cache is fresh, and the files and folders that are not as recorded."""
    cache = load_start_cache(project.root)
    if cache is None:
        return {"fresh": False, "input": None, "changed": [], "reason": missing_cache_reason(project)}
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
