"""Answer the start of a session: with the ready context if no input has changed, else with one made now."""

from __future__ import annotations

import os

from progress_plugin.core.clients import session_start_output
from progress_plugin.core.paths import folders_upward, state_file
from progress_plugin.core.session_state import (
    SessionState,
    begin_session,
    load_session,
    note_begun,
)
from progress_plugin.core.start_cache import (
    FAILED,
    OLDER,
    REOPENED,
    TOO_LONG,
    load_fresh_cache,
    load_start_cache,
    root_with_cache,
)
from progress_plugin.core.variables import asked_otherwise, looks_only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from progress_plugin.core.clients import HookEvent
    from progress_plugin.hooks.process import HookRun


SOURCES_WITH_MESSAGE = ("", "startup", "resume", "new")  # at other starts a person reads no message


def answer(event: HookEvent, run: HookRun) -> bytes:
    """Return what a session is shown at its start, in the form of its client."""
    return _output(event, *(_ready(event) or _made(event, run)))


def _made(event: HookEvent, run: HookRun) -> tuple[str, str]:
    """Return context and user message made now; at the deadline the last ones are printed, marked as older.

    A background process then makes what the next start and the first event of this session need.
    """
    root = root_with_cache(event.start) if event.start else None
    cache = load_start_cache(root) if root else None
    older = OLDER + cache.context if cache is not None and cache.context else ""
    run.fallback = _output(event, older, TOO_LONG)
    run.at_deadline = ["start", event.start or os.getcwd()]
    from progress_plugin.core import environment

    def keep(context: str, user_message: str) -> None:
        run.fallback, run.at_deadline = _output(event, context, user_message), []

    try:
        environment.enter()
        from progress_plugin.usecases.starting.start import start

        return start(event, keep)
    except Exception:
        run.fallback = _output(event, older, FAILED)
        raise


def _ready(event: HookEvent) -> tuple[str, str] | None:
    """Return context and user message if they are ready, None if they have to be made."""
    directory, source = event.start, event.text("source")
    if directory is None:
        return None
    root = root_with_cache(directory)
    if root is None:
        return _ready_outside(event, directory)
    if asked_otherwise() or source in ("compact", REOPENED):
        return None
    cache = load_fresh_cache(root)
    if cache is None:
        return None
    if source == "resume":
        return ("", cache.user_message) if load_session(event.session).shown == cache.context else None
    if not looks_only():
        state = SessionState({"project": root, "directory": directory, "shown": cache.context})
        state.start_ids = cache.learning_ids
        state.entries = load_session(event.session).entries
        begin_session(event.session, state)
    _note_begun(event, root)
    if os.path.exists(state_file(root, "team/state")):
        from progress_plugin.log.team_sync import start_if_due

        start_if_due(root)
    return cache.context, cache.user_message


def _ready_outside(event: HookEvent, directory: str) -> tuple[str, str] | None:
    """Return nothing to show in a directory that is no project; None in any other."""
    if folders_upward(directory):
        return None
    if event.client.server_cwd_is_plugin:
        begin_session(event.session, SessionState({"directory": directory}))
    return "", ""


def _note_begun(event: HookEvent, root: str) -> None:
    if event.client.has_shared_transcripts:
        note_begun(root, event.client.name, event.session, event.text("transcript_path"))


def _output(event: HookEvent, context: str, user_message: str) -> bytes:
    if context and not event.client.has_bin_on_path:
        from progress_plugin.core.own_command import command_line

        context += command_line()
    message = user_message if event.text("source") in SOURCES_WITH_MESSAGE else ""
    return session_start_output(event.client, context, message)
