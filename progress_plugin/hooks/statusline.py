"""Print the status line that the last summary left: an old line at once is better than a new one later."""

import os

from progress_plugin.core.clients import PROJECT_VARIABLE
from progress_plugin.core.snapshot import load_start_cache, root_with_cache
from progress_plugin.hooks import HookRun, read_input, run_guarded

SECONDS = 4.0


def main() -> None:
    """Print the line for the session that standard input names; does not return."""
    run_guarded("statusline", SECONDS, print_line)


def print_line(run: HookRun) -> None:
    """Print the status line of the project, nothing if there is none."""
    fields = read_input()
    workspace = fields.get("workspace")
    places = list(map(workspace.get, ("project_dir", "current_dir"))) if isinstance(workspace, dict) else []
    places += [fields.get("cwd"), os.environ.get(PROJECT_VARIABLE), os.environ.get("PWD")]
    start = next((place for place in places if isinstance(place, str) and place), None)
    root = root_with_cache(os.path.realpath(start)) if start else None
    cache = load_start_cache(root) if root is not None else None
    if cache is not None and cache.status_line:
        run.answer(f"{cache.status_line}\n".encode())
