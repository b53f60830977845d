"""Read the recorded sessions of a project, and show the last one at a start."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from progress_plugin.config.load import load
from progress_plugin.core.clients import CLAUDE_CONFIG_DIR
from progress_plugin.core.paths import state_file, user_config, user_state
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import folder_of_begun
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.entry import data_of
from progress_plugin.transcripts.session_store import SESSIONS_FILE

if TYPE_CHECKING:
    from progress_plugin.log.history import LogHistory
    from progress_plugin.summary.project_facts import Facts
    from progress_plugin.transcripts.record import SessionRecord

OFF = "transcripts are switched off (transcripts = false): nothing is read, and what was kept is not shown"
MAX_PAUSE_S = 3600  # a session without an end may still be running so long after its last line
_OF_CLAUDE = (".claude", "projects")
_CONFIG = "config.toml"
_OF_SESSIONS = ("session_started", "session_ended")


def reads_transcripts(project: Project, inputs: InputSnapshot | None = None) -> bool:
    """Return whether neither user nor project has switched it off; no project can switch it on."""
    inputs = inputs or InputSnapshot(project.root)
    users = user_config()
    own = inputs.read(os.path.join(project.directory, _CONFIG))
    named = inputs.read_users(os.path.join(users, _CONFIG)) if users else None
    return load(own, {}, None, {}).stored.transcripts and load(None, {}, named, {}).stored.transcripts


def may_have_transcripts() -> bool:
    """Return whether Claude Code or our own state can have any session, without reading one."""
    home, state = os.environ.get("HOME") or os.environ.get("USERPROFILE", ""), user_state()
    if CLAUDE_CONFIG_DIR in os.environ or os.path.isdir(os.path.join(home, *_OF_CLAUDE)):
        return True
    return state is not None and os.path.isdir(os.path.join(state, "sessions"))


def read_sessions(project: Project, inputs: InputSnapshot) -> tuple[SessionRecord, ...]:
    """Return the records of the project's sessions, the last one at the end."""
    if not reads_transcripts(project, inputs):
        return ()
    data = inputs.read_users(state_file(project.root, SESSIONS_FILE), for_starts=True)
    if data is None and not may_have_transcripts():
        _note_worktrees(project, inputs)
        if home := os.environ.get("HOME"):
            inputs.note_names(os.path.join(home, *_OF_CLAUDE))
            if begun := folder_of_begun(project.root):
                inputs.note_names(begun)
        return ()
    from progress_plugin.transcripts.session_store import SessionStore, in_order, records_of  # noqa: PLC0415

    own = records_of(data, project.root)
    records = in_order([*own, *SessionStore(project).of_gone_worktrees({record.session for record in own})])
    note_folder(project, inputs, records)
    return tuple(records)


def last_session(records: Sequence[SessionRecord], besides: str | None = None) -> SessionRecord | None:
    """Return the newest session that a next agent needs to know of, except `besides`.

    It may still be running beside the one that starts; its section says so.
    """
    if any(record.failing for record in records):
        from progress_plugin.transcripts.passes_in_later_sessions import note_later_passes  # noqa: PLC0415 - where one failed

        note_later_passes(records)
    worth = (each for each in reversed(records) if each.is_worth_telling and each.session != besides)
    return next(worth, None)


def session_beside(
    records: Sequence[SessionRecord], last: SessionRecord, besides: str | None = None
) -> SessionRecord | None:
    """Return the newest other session, except `besides`, that changed something while `last` ran."""
    beside = (
        each
        for each in reversed(records)
        if each.changed_something
        and each.session not in {last.session, besides}
        and each.started < last.ended
        and each.ended > last.started
    )
    return next(beside, None)


def last_session_section(facts: Facts, sessions: Sequence[SessionRecord], log: LogHistory) -> str:
    """Return the section of the last session as Markdown; empty if no session is worth telling.

    It holds what earlier sessions said last of stories that are blocked or current, too.
    """
    record = last_session(sessions)
    if record is None:
        return ""
    from progress_plugin.transcripts.session_section import section  # noqa: PLC0415 - only with a session
    from progress_plugin.usecases.sessions.words_on_stories import words_on_stories  # noqa: PLC0415

    return section(
        record,
        running=False,
        in_log=is_logged(log, record),
        beside=session_beside(sessions, record),
        on_stories=words_on_stories(facts.state, sessions, log.entries, record),
    )


def is_logged(history: LogHistory, record: SessionRecord) -> bool | None:
    """Return whether our log has an entry of a session; None if there is no log."""
    if not history.log.items:
        return None
    return any(
        data_of(entry).get("session_id") == record.session and entry.get("type") not in _OF_SESSIONS
        for entry in history.entries
    )


def note_folder(project: Project, inputs: InputSnapshot, records: Sequence[SessionRecord]) -> None:
    """Note the names of the client's transcripts in the snapshot: a killed session leaves no more.

    A folder in which a session may be running counts as unsettled, because its transcript still grows.
    """
    from progress_plugin.transcripts.begun_transcripts import begun_transcripts  # noqa: PLC0415
    from progress_plugin.transcripts.claude_folder import transcripts_of  # noqa: PLC0415
    from progress_plugin.transcripts.transcript_files import claude_folders, claude_transcripts  # noqa: PLC0415

    _note_worktrees(project, inputs)
    own = transcripts_of(project.root)
    if own is not None:
        inputs.note_names(f"{own}*")
    over = {record.session for record in records if record.over}
    for record in records:
        if not record.over:  # resumed, or killed: its transcript may grow
            for path in record.reading:
                inputs.note_for_starts(path)
    since = (time.time() - MAX_PAUSE_S) * 1e9
    places = [
        (folder, [file for file in claude_transcripts(folder) if file.session not in over])
        for folder in claude_folders(project)
    ]
    if begun := folder_of_begun(project.root):
        places.append((begun, begun_transcripts(project)))
    for folder, files in places:
        at_work = any(file.changed > since for file in files)
        inputs.note_names(folder, is_settled=not at_work)


def _note_worktrees(project: Project, inputs: InputSnapshot) -> None:
    """Note the linked worktrees: the sessions of a removed one are shown here."""
    if project.repository is not None and project.log_directory == project.directory:
        folder = os.path.join(project.repository.common_dir, "worktrees")
        inputs.note_names(folder)
