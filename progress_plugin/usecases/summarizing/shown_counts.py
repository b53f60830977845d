"""How often each learning was shown to an agent, at starts and when files were opened.

It is counted over the sessions of which the state is kept, that is the newest 200 of the user.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import NamedTuple

from progress_plugin.core.session_state import sessions_of


class ShownCounts(NamedTuple):
    """How often a learning was shown, by its id (`file_notes.note_id`)."""

    starts: Counter[str]
    files: Counter[str]

    def __bool__(self) -> bool:
        """Return whether anything was shown."""
        return bool(self.starts or self.files)

    def of(self, name: str) -> int:
        """Return how often in all."""
        return self.starts[name] + self.files[name]


def shown_counts(root: str) -> ShownCounts:
    """Return what was shown in the project at `root`."""
    counts = ShownCounts(Counter(), Counter())
    for _, state in sessions_of(root):
        counts.starts.update(state.start_ids)
        counts.files.update(state.file_ids)
    return counts


def last_shown(root: str) -> float | None:
    """Return when a session was last shown a start context, in seconds since 1970; None if none was."""
    times = [os.path.getmtime(path) for path, state in sessions_of(root) if state.shown]
    return max(times, default=None)
