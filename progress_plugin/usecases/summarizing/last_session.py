"""Which session a start tells as the last one, and the record of what that was made from."""

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
    from progress_plugin.summary.merged_story_status import StoryHistory
    from progress_plugin.summary.summary_input import Facts
    from progress_plugin.transcripts.record import SessionRecord
    from progress_plugin.usecases.summarizing.sources import Sources

OFF = "transcripts are switched off (transcripts = false): nothing is read, and what was kept is not shown"
_RUNNING = 3600
"""Seconds after its last line in which a session that has not ended may still be at work."""
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
    """Return whether a client, or we, may know of any session: else nothing more is loaded for that."""
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
    """Return the newest session but `besides` that a next agent needs to know of; None without one.

    It may be at work still, beside the one that starts: what is told of it says whether it has ended.
    """
    if any(record.failing for record in records):
        from progress_plugin.transcripts.passes_in_later_sessions import note_later_passes  # noqa: PLC0415 - where one failed

        note_later_passes(records)
    worth = (each for each in reversed(records) if each.is_worth_telling and each.session != besides)
    return next(worth, None)


def session_beside(
    records: Sequence[SessionRecord], told: SessionRecord, besides: str | None = None
) -> SessionRecord | None:
    """Return the newest other session but `besides` that changed something while the one that is told ran."""
    beside = (
        each
        for each in reversed(records)
        if each.changed_something
        and each.session not in {told.session, besides}
        and each.started < told.ended
        and each.ended > told.started
    )
    return next(beside, None)


def told_session(sources: Sources, facts: Facts, history: StoryHistory) -> str:
    """Return the section of the last session; empty where there is nothing to tell.

    What earlier ones said last of stories that are blocked or current stands in it, too.
    """
    record = last_session(sources.sessions)
    if record is None:
        return ""
    from progress_plugin.transcripts.session_section import section  # noqa: PLC0415
    from progress_plugin.transcripts.words_on_stories import words_on_stories  # noqa: PLC0415
    from progress_plugin.usecases.summarizing.sessions_at_stories import sessions_of_plan  # noqa: PLC0415

    beside = session_beside(sources.sessions, record)
    earlier = sessions_of_plan(sources.sessions, sources.log.entries, facts.attribution)
    words = words_on_stories(earlier, record, facts, history)
    return section(
        record, running=False, in_log=is_logged(sources.log, record), beside=beside, on_stories=words
    )


def is_logged(history: LogHistory, record: SessionRecord) -> bool | None:
    """Return whether our log has an entry of a session; None where there is no log."""
    if not history.log.items:
        return None
    return any(
        data_of(entry).get("session_id") == record.session and entry.get("type") not in _OF_SESSIONS
        for entry in history.entries
    )


def note_folder(project: Project, inputs: InputSnapshot, records: Sequence[SessionRecord]) -> None:
    """Record the names of the client's transcripts: a session that ended without a word has left one.

    While a session is at work its transcript is not read to the end, so no later start may take the
    record for proof. One whose beginning is noted is at work, or writes its end.
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
    since = (time.time() - _RUNNING) * 1e9
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
    """Record which linked worktrees there are: of one that goes the sessions are told."""
    if project.repository is not None and project.log_directory == project.directory:
        folder = os.path.join(project.repository.common_dir, "worktrees")
        inputs.note_names(folder)
