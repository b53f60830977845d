"""What a start tells where nothing is ours but the record of a session, kept ready for it."""

from __future__ import annotations

import os
from collections.abc import Mapping

from progress_plugin.config.load import load
from progress_plugin.core.known_paths import has_sources
from progress_plugin.core.paths import user_config
from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.core.start_cache import StartCache
from progress_plugin.log import outside_copies
from progress_plugin.transcripts.claude_folder import has_transcripts
from progress_plugin.transcripts.session_section import HEAD, section
from progress_plugin.transcripts.session_store import SessionStore
from progress_plugin.usecases.last_session import (
    last_session,
    note_folder,
    reads_transcripts,
    session_beside,
)
from progress_plugin.usecases.summarizing.summary_files import put_cache


def last_session_alone(project: Project, inputs: InputSnapshot, besides: str | None = None) -> str:
    """Return what is told in a project without log and plan: the last session but `besides`, if any."""
    if not reads_transcripts(project, inputs):
        return ""
    records = SessionStore(project).told_records()
    note_folder(project, inputs, records)
    last = last_session(records, besides)
    if last is None:
        return ""
    told = section(last, running=False, in_log=None, beside=session_beside(records, last, besides))
    return HEAD + told if told else ""


def is_shown(project: Project, inputs: InputSnapshot, environ: Mapping[str, str]) -> bool:
    """Return whether a start may print anything here, as the user has set it."""
    users = user_config()
    named = inputs.read_users(os.path.join(users, "config.toml")) if users else None
    own = inputs.read(os.path.join(project.directory, "config.toml"))
    return load(own, {}, named, environ).effective.inject


def keep_ready(project: Project) -> None:
    """Make the text for the next start in a project that has nothing of ours but records of sessions."""
    if project.has_directory or has_sources(project.root) or outside_copies.folders(project.log_directory):
        return  # there is more to show, or a history that is gone
    inputs = InputSnapshot(project.root)
    text = last_session_alone(project, inputs) if is_shown(project, inputs, {}) else ""
    if text or has_transcripts(project.root):
        put_cache(project, StartCache(inputs, text))
