"""The sessions that ended without a word: their transcripts are read at a start, or behind it.

A start reads the newest, within bounds; the others are read by a process of its own, until all are known: the
client deletes its transcripts after a while.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.log.timestamp import moment
from progress_plugin.transcripts.begun_transcripts import begun_transcripts
from progress_plugin.transcripts.session_store import MAX_RECORDS, SessionStore
from progress_plugin.transcripts.transcript_files import TranscriptFile, claude_folders, newest
from progress_plugin.transcripts.transcripts_of_other_projects import pass_over, passed_over
from progress_plugin.usecases.sessions.transcript_reading import read_transcript, unread

AT_A_START = 5
"""Transcripts that are read while a client waits."""
AT_ONCE = 8 * 1024 * 1024
"""Bytes of transcripts that are read while a client waits; more are left to a process of its own."""


class Missing(NamedTuple):
    """A transcript that holds what nobody has read."""

    file: TranscriptFile
    unread: int
    """Bytes."""


def missing_sessions(project: Project, store: SessionStore, besides: str | None) -> list[Missing]:
    """Return the transcripts that hold what nobody has read, the oldest first, but for one session's.

    Those before the oldest record are left out where there are as many records as are kept.
    """
    folders = claude_folders(project)
    files = newest(folders, MAX_RECORDS, besides=besides) if folders else []
    if begun := begun_transcripts(project, besides=besides):
        files = sorted([*files, *begun], key=lambda file: file.changed)
    records = {record.session: record for record in store.records()} if files else {}
    found = [Missing(file, unread(records.get(file.session), file)) for file in files]
    found = [each for each in found if each.unread > 0]
    if any(each.file.session not in records for each in found):
        nothing = passed_over(project.root)
        found = [each for each in found if nothing.get(each.file.session) != each.unread]
    if len(records) >= MAX_RECORDS:
        oldest = min((when for each in records.values() if (when := moment(each.ended))), default=None)
        since = oldest.timestamp() * 1e9 if oldest is not None else 0
        found = [each for each in found if each.file.session in records or each.file.changed > since]
    return found


def divided(missing: list[Missing]) -> tuple[list[Missing], list[Missing]]:
    """Return what a start reads of it, the newest, and what is left to a process of its own."""
    now: list[Missing] = []
    left = AT_ONCE
    for each in reversed(missing):
        if len(now) < AT_A_START and each.unread <= left:
            now.insert(0, each)
            left -= each.unread
    return now, [each for each in missing if each not in now]


def read_missing(store: SessionStore, missing: Iterable[Missing], patience: float) -> None:
    """Read these transcripts, and note those that told nothing.

    `patience` is for the lock, in seconds. Raises AgentProgressError or OSError where a record cannot be
    written, or somebody else reads.
    """
    nothing = {}
    for each in missing:
        with store.lock(patience):
            if read_transcript(store, each.file, over=False).record is None:
                nothing[each.file.session] = each.unread
    if nothing:
        pass_over(store.project.root, nothing)
