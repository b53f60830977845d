"""A session start when something has changed: read, render, print, and keep for the next one.

Whether anything has changed is decided before, in `core.fast.start_cache`; what the text says and how large
it may be, in `summary.start_context` and `summary.budget`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable

from progress_plugin.core import environment, error_log
from progress_plugin.core.clients import Client, literal, session_start_output
from progress_plugin.core.data_directory import has_team
from progress_plugin.core.errors import AgentProgressError, HookTimeout, NoProject
from progress_plugin.core.fast.minimal_os import read_regular
from progress_plugin.core.fast.shown_sessions import (
    forget_told,
    note_told,
    remember_session,
    session_path,
    was_told,
)
from progress_plugin.core.fast.start_cache import Cache, parse_cache, read_cache
from progress_plugin.core.fast.start_hook import REOPENED, start_answer
from progress_plugin.core.hook_event import HookEvent
from progress_plugin.core.project import Project, find_project, has_sources
from progress_plugin.log.writer_identity import has_writers

_READ_QUICKLY = 8 * 1024 * 1024
"""Bytes of a log that can be read when the time is nearly up."""

_TOO_LONG = "progress: the summary takes longer than a start may; it is made in the background"
_FAILED = "progress: no summary could be made; see: agent-progress doctor"


def failed_answer(client: Client) -> bytes:
    """Return the answer of a start for which no summary could be made."""
    return session_start_output(client, b"", literal(_FAILED))


def start_slowly(event: HookEvent, cancel_deadline: Callable[[], None]) -> bytes:
    """Return the answer of a SessionStart hook whose cache is missing or stale.

    `cancel_deadline` is called when there is something to show: what follows must not be cut short.
    """
    client = event.client
    source, session = event.text("source") or None, event.session
    environment.enter()
    project = _project(event)
    if project is None:
        gone = _vanished(event)
        line = f"progress: {gone}" if gone else ""
        return start_answer(
            client, Cache([], b"", literal(line)), source, _told(gone) or _session_alone(event)
        )
    goes_on = source == "resume"
    before = _shown_before(project, session) if goes_on else None
    told_before = _told_before(project, session) if goes_on and session else []
    cache = _best(project, session)
    cancel_deadline()
    context = cache.context
    if source in ("compact", "resume", REOPENED):
        context = _for_session(project, session, context, compacted=source == "compact")
    told_now = _session_lines(context) if goes_on else {}
    if before is not None:
        context = _only_changes(before, context, _seen_of(told_now, project, session))
    elif not project.has_directory:
        context = _told_once(project, event, context)
    if not goes_on:
        forget_told(project.root, session)
    remember_session(project.root, session)
    if told_before or told_now:
        from progress_plugin.core.fast.notes_told_already import carry_over  # noqa: PLC0415 - after a resume

        carry_over(project.root, session, [*told_before, *told_now])
    _sync(project)
    return start_answer(client, cache, source, context)


def _told_before(project: Project, session: str) -> list[bytes]:
    """Return the ids of what its last start context told a session that goes on."""
    from progress_plugin.core.fast.notes_told_already import told_at_start  # noqa: PLC0415 - after a resume

    return told_at_start(project.root, session)


def _session_lines(context: bytes) -> dict[bytes, str]:
    """Return by their ids the lines of a context that tell of another session."""
    if not context:
        return {}
    from progress_plugin.usecases.starting.resumed_or_compacted import lines_by_id  # noqa: PLC0415 - after a resume

    return lines_by_id(json.loads(context))


def _seen_of(lines: dict[bytes, str], project: Project, session: str | None) -> list[str]:
    """Return those that a session was told at an earlier resume: no cache that it was shown holds them."""
    if not lines or not session:
        return []
    from progress_plugin.core.fast.notes_told_already import told_before  # noqa: PLC0415 - after a resume

    known = set(told_before(project.root, session, None))
    return [line for name, line in lines.items() if name in known]


def _project(event: HookEvent) -> Project | None:
    """Return the project of a start, None where there is none or it has nothing of ours."""
    try:
        project = find_project(start=event.start)
    except NoProject:
        return None
    return project if project.has_directory or has_sources(project.root) else None


def _vanished(event: HookEvent) -> str | None:
    """Return a line about the history of a project that has nothing of ours any more."""
    from progress_plugin.usecases.recent import vanished_of  # noqa: PLC0415 - a summary brings it by itself

    try:
        project = find_project(start=event.start)
        if has_writers():
            from progress_plugin.log.team_standing import lost_part  # noqa: PLC0415 - next to nobody has any

            return lost_part(project) or vanished_of(project)
        return vanished_of(project)
    except NoProject:
        return None
    except AgentProgressError as error:
        error_log.note("SessionStart", error)
        return None


def _told(line: str | None) -> bytes:
    return literal(f"agent-progress: {line}\n") if line else b""


def _sync(project: Project) -> None:
    """Have the history synced in the background where this clone takes part and that is due.

    Here every mark of the clone is looked at: our directory's alone changes with its `.gitignore`.
    """
    if has_team(project.log_directory):
        from progress_plugin.core.fast import sync_when_due  # noqa: PLC0415 - where a team is configured
        from progress_plugin.log import team_state  # noqa: PLC0415

        if team_state.load(project.log_directory) is not None:
            sync_when_due.start_if_due(project.main_root, is_member=True)


def _session_alone(event: HookEvent) -> bytes:
    """Return what is told of the last session in a project that has nothing else of ours."""
    from progress_plugin.usecases.starting.resumed_or_compacted import session_alone  # noqa: PLC0415 - hardly ever

    try:
        project = find_project(start=event.start)
        return _told_once(
            project, event, literal(session_alone(project, event.session, (event.text("source") or None)))
        )
    except NoProject:
        return b""
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)
        return b""


def _told_once(project: Project, event: HookEvent, told: bytes) -> bytes:
    """Return what is told where nothing is kept in the project; nothing where a resumed session knows it."""
    from progress_plugin.usecases.summarizing.summary_files import looks_only  # noqa: PLC0415 - it may fail

    source, session = (event.text("source") or None), event.session
    if source == "resume" and was_told(project.root, session, told):
        return b""
    if source != "compact" and not looks_only():
        note_told(project.root, session, told)
    return told


def _for_session(project: Project, session: str | None, context: bytes, *, compacted: bool) -> bytes:
    """Return the context for a session that goes on: it knows itself, or has just lost its place."""
    from progress_plugin.usecases.starting.resumed_or_compacted import context_for_session  # noqa: PLC0415

    try:
        text = json.loads(context) if context else ""
        return literal(context_for_session(project, session, text, compacted=compacted))
    except (AgentProgressError, OSError) as error:
        error_log.note("SessionStart", error)
        return context


def _best(project: Project, session: str | None) -> Cache:
    """Return the output for now; where it cannot be made in time, the best there is in its place."""
    try:
        from progress_plugin.usecases.starting.start_output import start_output  # noqa: PLC0415 - may fail, too

        return start_output(project, session)
    except (Exception, HookTimeout) as error:  # noqa: BLE001 - the one boundary: an older summary beats none
        error_log.note("SessionStart", error)
        late = isinstance(error, HookTimeout)
        if isinstance(error, ImportError | SyntaxError):
            from progress_plugin.bootstrap import start_build  # noqa: PLC0415 - after a failure

            start_build()  # a package may be damaged
    if late:
        _finish_in_background(project)
    cache = _best_older(project)
    cache.user_line = literal(_TOO_LONG if late else _FAILED)
    return cache


def _finish_in_background(project: Project) -> None:
    """Have the summary made by a process that may take its time: else none would ever be ready."""
    from progress_plugin.log import pending_events  # noqa: PLC0415
    from progress_plugin.usecases.recording.background import start_background  # noqa: PLC0415 - subprocess, for once
    from progress_plugin.usecases.starting.start_output import keeps_output  # noqa: PLC0415
    from progress_plugin.usecases.summarizing.summary_files import prepare  # noqa: PLC0415

    if keeps_output(project):
        try:
            prepare(project)
            pending_events.want_summary(project.log_directory)
            start_background(project)
        except (OSError, AgentProgressError) as error:
            error_log.note("SessionStart", error)


def _best_older(project: Project) -> Cache:
    """Return the last output that was ready, marked as such; an empty one where there never was any."""
    older = read_cache(project.root)
    if older is None or not older.context:
        return Cache([], _last_entries(project), b"")
    text = "agent-progress: the summary could not be renewed (`agent-progress doctor`); an older one:\n"
    return Cache([], literal(text + json.loads(older.context)), older.user_line)


def _last_entries(project: Project) -> bytes:
    """Return the last five entries of our log as plain text, from whatever can be read of it."""
    from progress_plugin.log import history  # noqa: PLC0415
    from progress_plugin.log.recent_entries import headline  # noqa: PLC0415
    from progress_plugin.log.store import LOG_FILE  # noqa: PLC0415
    from progress_plugin.text.safe_output import item, one_line  # noqa: PLC0415

    try:
        if os.path.getsize(os.path.join(project.log_directory, LOG_FILE)) > _READ_QUICKLY:
            return b""
        entries = history.load(project.log_directory).entries[-5:]
    except (AgentProgressError, OSError):
        return b""
    lines = [
        item(f"{one_line(str(entry.get('timestamp', '')), 40)} {headline(entry)}", 300)
        for entry in reversed(entries)
    ]
    lines = [f"- {line}" for line in lines]
    return (
        literal("agent-progress: the last entries of the log\n" + "\n".join(lines) + "\n") if lines else b""
    )


def _shown_before(project: Project, session: str | None) -> str | None:
    """Return the context that this session was shown last, None where that is unknown."""
    path = session_path(project.root, session)
    data = read_regular(path) if path else None
    cache = parse_cache(data) if data is not None else None
    return json.loads(cache.context) if cache is not None and cache.context else None


def _only_changes(before: str, context: bytes, seen: list[str]) -> bytes:
    """Return what is new since `before` and `seen`, which are still in a resumed session's transcript."""
    from progress_plugin.summary.start_context import changes  # noqa: PLC0415

    return literal(changes("\n".join([before, *seen]), json.loads(context))) if context else b""
