"""What a session has written into the log itself: it is not told that at its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.core.session_state import note_ids
from progress_plugin.learnings.logged_learnings import from_entries
from progress_plugin.log.entry import data_of, text_of
from progress_plugin.passages.entry_passages import read_entries
from progress_plugin.text.paths_in_text import may_name_paths
from progress_plugin.usecases.summarizing.file_notes import note_id

_MOST = 20
"""Statements of one entry: what was told at files is bounded, too."""


def note_own_words(project: Project, session: str | None, entries: Sequence[dict[str, Any]]) -> None:
    """Note what entries say of files as told to the session that wrote them."""
    if session:
        told = dict.fromkeys(_said_of_files(entries))
        note_ids(session, project.root, [note_id(text) for text in told][:_MOST])


def _said_of_files(entries: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield from (each.text for each in from_entries(entries) if each.files)
    for entry in entries:
        issue = text_of(data_of(entry), "issue") or text_of(data_of(entry), "description")
        if entry.get("type") == "task_blocked" and issue:
            yield issue
    for passage in read_entries(entries, "").passages:
        if may_name_paths(passage.text):
            yield passage.text
