"""What a session has written into the log itself: it is not shown that at its files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.core.session_state import note_ids
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.text.paths_in_text import may_name_paths
from progress_plugin.usecases.file_notes import CAUSE, note_id

MAX_STATEMENTS = 20  # of one entry: what was shown at files is bounded, too


def note_own_words(project: Project, session: str | None, entries: Sequence[dict[str, Any]]) -> None:
    """Note what entries say of files as shown to the session that wrote them."""
    if not session:
        return
    own = read_own_log(entries)
    said = [each.text for each in own.log.learnings]
    said += [each.text for each in own.log.statements]
    said += [each.text for each in own.stated.blockers]
    texts = [text for text in dict.fromkeys(said) if may_name_paths(text) or text.startswith(CAUSE)]
    note_ids(session, project.root, [note_id(text) for text in texts[:MAX_STATEMENTS]])
