"""A session start while nothing has changed: compare stats, print the ready summary.

This module runs at every start of every session, so it uses neither `os` (0.7 ms here, a sixth of a bare
interpreter) nor `json` (twice that): `posix` is what `os` is made of, and of the client's input three flat
strings are needed. Everything else is left to `usecases.starting.start`, imported when it is.

What counts as a change is in `core.fast.start_cache` (`first_change`); what is done then, in
`usecases.starting.start`. At which kinds of start the person's line appears is decided here for both
(`start_answer`); what it says, in `summary.user_and_status_line`.
"""

try:
    import posix as system
except ImportError:
    import nt as system  # type: ignore[import-not-found, no-redef, unused-ignore]

from progress_plugin.core.clients import Client, session_start_output
from progress_plugin.core.fast.minimal_os import modified, variable_names
from progress_plugin.core.fast.shown_sessions import forget_told, has_seen, note_told, remember_session
from progress_plugin.core.fast.start_cache import (
    DATA_SUFFIX,
    Cache,
    first_change,
    read_cache,
    root_with_cache,
)
from progress_plugin.core.hook_event import HookEvent

REOPENED = "reopened"
"""What our plugin file for OpenCode calls the start of a session that goes on in a new process: there no
transcript has the summary, so it is told whole."""
_NOT_SHOWN = (
    "DISABLED",
    "NO_INSTALL",
    "DB",
    "CORPUS",
    "PROJECT_DIR",
    "TEAM_URL",
    "TEAM_PROJECT_KEY",
    "READ_ONLY",
    "WAITED",
    "WEIGHTS",
)
"""`AGENT_PROGRESS_*` variables that change nothing of what is shown."""


def ready_answer(event: HookEvent) -> bytes | None:
    """Return the answer of the SessionStart hook if it is ready, which may be nothing; None if it is not."""
    variables = variable_names()
    start, session = event.start, event.session
    if event.client.server_cwd_is_plugin and start and session:
        from progress_plugin.core.fast.session_directory import keep  # noqa: PLC0415 - only some clients need it

        keep(session, start)
    answer = _ready(event, variables)
    if event.client.has_shared_transcripts and start and session:
        # Only now: what it notes is a change, for all starts but its own.
        from progress_plugin.core.fast.begun_sessions import note_begun  # noqa: PLC0415 - not for Claude Code

        note_begun(start, event.client.name, session, event.text("transcript_path"))
    return answer


def _ready(event: HookEvent, variables: set[str]) -> bytes | None:
    start, session, source = event.start, event.session, event.text("source") or None
    root = root_with_cache(start) if start else None
    if root is not None and not changes_output(variables):
        cache = read_cache(root)
        # After a compaction the agent is told of its own session, which no other start may be; one that goes
        # on is not.
        if (
            cache is not None
            and source not in ("compact", REOPENED)
            and first_change(cache.records, root) is None
        ):
            if source != "resume":
                forget_told(root, session)
                remember_session(root, session)
                sync_if_member(root)
                return start_answer(event.client, cache, source, cache.context)
            if has_seen(root, session):
                return start_answer(event.client, cache, source, b"")
    if root is None and start:
        from progress_plugin.core.fast import unused_project  # noqa: PLC0415

        if unused_project.nothing_here(start):
            if not unused_project.known_outside(start):
                return b""
            goes_on = source in ("compact", "resume", REOPENED)
            ready = None if goes_on else unused_project.ready_outside(start)
            if ready is not None and not changes_output(variables):
                note_told(start, session, ready.context)
                return start_answer(event.client, ready, source, ready.context)
    return None


def sync_if_member(root: str) -> None:
    """Have the history synced in the background where this clone takes part in that and it is due."""
    if modified(root + DATA_SUFFIX + "/team/state") is not None:
        from progress_plugin.core.fast.sync_when_due import start_if_due  # noqa: PLC0415 - only where a team is configured

        start_if_due(root)


def start_answer(client: Client, cache: Cache, source: str | None, context: bytes) -> bytes:
    """Return the hook's answer; the line for the user only where a person has just sat down."""
    if not client.has_bin_on_path:
        from progress_plugin.core.fast.own_command import with_command  # noqa: PLC0415 - not in Claude Code

        context = with_command(context)
    line = cache.user_line if source in (None, "startup", "resume", "new") else b""
    return session_start_output(client, context, line)


def changes_output(variables: set[str] | None = None) -> bool:
    """Return whether this call's environment asks for another output than the stored one."""
    names = (
        variables if variables is not None else {name.decode("utf-8", "replace") for name in system.environ}
    )
    prefix = "AGENT_PROGRESS_"
    return any(name.startswith(prefix) and name[len(prefix) :] not in _NOT_SHOWN for name in names)
