"""The events that clients report, and the handler of each."""

import os

from progress_plugin.core.clients import HookEvent, current_client
from progress_plugin.core.paths import is_set
from progress_plugin.hooks import HookRun, read_input, run_guarded

START_SECONDS = 10.0  # clients give a start 30 or more; a person waits for it
RECORDING_SECONDS = 14.0  # `hooks.json` gives 20, from an earlier moment on
RECORDED_EVENTS = (
    "PostToolUse", "TaskCompleted", "UserPromptSubmit", "SubagentStop", "Stop", "PreCompact", "SessionEnd",
)  # fmt: skip


def run_event(arguments: list[str]) -> None:
    """Answer an event; `arguments` are its name and perhaps the client's. Does not return."""
    name, named_client = [*arguments, "", ""][:2]

    def work(run: HookRun) -> None:
        fields = read_input()
        if not is_set("DISABLED"):
            run.answer(handle(HookEvent(name, current_client(named_client, set(os.environ)), fields), run))

    run_guarded(name, START_SECONDS if name == "SessionStart" else RECORDING_SECONDS, work)


def handle(event: HookEvent, run: HookRun) -> bytes:
    """Do what an event asks for and return what is to be printed, nothing for an unknown event."""
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
