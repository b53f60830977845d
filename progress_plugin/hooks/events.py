"""Entry points for clients: the handler of each event, and the status line."""

import os

from progress_plugin.core.clients import PROJECT_VARIABLE, HookEvent, current_client
from progress_plugin.core.paths import is_set
from progress_plugin.core.snapshot import load_start_cache, root_with_cache
from progress_plugin.hooks import HookRun, read_input, run_guarded

START_SECONDS = 10.0  # clients give a start 30 or more; a person waits for it
RECORDING_SECONDS = 14.0  # the client gives 20 (`hooks.json`), less at the end of a session
RECORDED_EVENTS = ("PostToolUse", "TaskCompleted", "SubagentStop", "Stop", "PreCompact", "SessionEnd")
STATUS_LINE_SECONDS = 4.0


def run_event(arguments: list[str]) -> None:
    """Answer an event; `arguments` are its name and perhaps the client's. Does not return."""
    name, named_client = [*arguments, "", ""][:2]

    def work(run: HookRun) -> None:
        fields = read_input()
        if not is_set("DISABLED"):
            run.answer(handle(HookEvent(name, current_client(named_client, set(os.environ)), fields), run))

    run_guarded(name, START_SECONDS if name == "SessionStart" else RECORDING_SECONDS, work)


def handle(event: HookEvent, run: HookRun) -> bytes:
    """Handle an event and return its output, which is empty for an unknown event."""
    if event.name == "SessionStart":
        from progress_plugin.hooks import session_start

        return session_start.answer(event, run)
    if event.name == "PostToolUse":
        from progress_plugin.hooks import file_notes

        run.fallback = file_notes.answer(event)  # printed even if recording fails
    if event.name in RECORDED_EVENTS and not event.only_reads:
        from progress_plugin.hooks import recording

        recording.record(event, run)
    return run.fallback


def show_status_line() -> None:
    """Print the status line of the project that standard input or the environment names; does not return."""
    run_guarded("statusline", STATUS_LINE_SECONDS, _print_status_line)


def _print_status_line(run: HookRun) -> None:
    """Print the status line in the start cache, even if it is old: making a new one takes too long."""
    fields = read_input()
    workspace = fields.get("workspace")
    places = list(map(workspace.get, ("project_dir", "current_dir"))) if isinstance(workspace, dict) else []
    places += [fields.get("cwd"), os.environ.get(PROJECT_VARIABLE), os.environ.get("PWD")]
    start = next((place for place in places if isinstance(place, str) and place), None)
    root = root_with_cache(os.path.realpath(start)) if start else None
    cache = load_start_cache(root) if root is not None else None
    if cache is not None and cache.status_line:
        run.answer(f"{cache.status_line}\n".encode())
