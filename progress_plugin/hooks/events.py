"""What is done at each event that a client reports."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from progress_plugin.core.hook_event import HookEvent
    from progress_plugin.hooks.entry import HookRun


def handle(event: HookEvent, run: HookRun) -> bytes:
    """Do what an event asks for and return what is to be printed, nothing for an unknown event."""
    handler = HANDLERS.get(event.name)
    return handler(event, run) if handler is not None else b""


def start_session(event: HookEvent, run: HookRun) -> bytes:
    """Return the start context."""
    from progress_plugin.hooks import session_start

    return session_start.answer(event, run)


def use_tool(event: HookEvent, run: HookRun) -> bytes:
    """Return the notes about a file that was opened, and record finished work."""
    from progress_plugin.hooks import file_notes

    run.fallback = file_notes.answer(event)
    if not event.only_reads:
        record(event, run)
    return run.fallback


def record(event: HookEvent, run: HookRun) -> bytes:
    """Pass an event to the log if it may bring something new. Nothing is printed."""
    from progress_plugin.hooks import recording

    if recording.may_bring_news(event):
        load_packages(run)
        recording.record(event)
    elif recording.reads_transcript(event):
        load_packages(run)
        recording.read_transcript(event)
    return b""


def load_packages(run: HookRun) -> None:
    """Prepare for more than a quick look: a deadline that raises, and the packages of the environment."""
    from progress_plugin.core import environment

    run.raise_at_deadline()
    environment.enter()


def begin_turn(event: HookEvent, run: HookRun) -> bytes:
    """Note that a session is at work: it may be killed before its turn ends."""
    del run
    from progress_plugin.hooks import recording

    recording.note_session(event)
    return b""


HANDLERS: dict[str, Callable[[HookEvent, HookRun], bytes]] = {
    "SessionStart": start_session,
    "UserPromptSubmit": begin_turn,
    "PostToolUse": use_tool,
    "TaskCompleted": record,
    "SubagentStop": record,
    "Stop": record,
    "PreCompact": record,
    "SessionEnd": record,
}
