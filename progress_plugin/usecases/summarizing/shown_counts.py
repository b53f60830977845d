"""How often each learning was shown to an agent, at starts and at files.

A start counts nothing, since it must not write: the start cache has a second name for each session that saw
it (`core.fast.shown_sessions`), and these are counted when another takes its place. What hooks tell at files
they note down in a file of bounded size, which is added up then, too.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import NamedTuple

from progress_plugin.core.fast.minimal_os import folder_names, modified, read_regular
from progress_plugin.core.fast.shown_sessions import OPEN, SESSIONS, TOLD, TOLD_LOG
from progress_plugin.core.fast.start_cache import CACHE_FILE, DATA_SUFFIX, parse_cache
from progress_plugin.core.files import write_atomic

COUNTS_FILE = "/shown.counts"
_MOST = 5_000
"""Learnings that are counted; of more, those that were shown least often are forgotten."""


class ShownCounts(NamedTuple):
    """How often what was shown, by the ids of `file_notes.note_id`."""

    starts: Counter[bytes]
    files: Counter[bytes]

    def __bool__(self) -> bool:
        """Return whether anything was shown."""
        return bool(self.starts or self.files)

    def of(self, name: bytes) -> int:
        """Return how often in all."""
        return self.starts[name] + self.files[name]


def shown_counts(root: str) -> ShownCounts:
    """Return what was shown until now in the project at `root`, all that is not added up yet included."""
    folder = root + DATA_SUFFIX
    counts = ShownCounts(Counter(), Counter())
    for line in (read_regular(folder + COUNTS_FILE) or b"").splitlines():
        words = line.split(b" ")
        if len(words) == 3 and words[1].isdigit() and words[2].isdigit():  # noqa: PLR2004 - id and two counts
            counts.starts[words[0]] += int(words[1])
            counts.files[words[0]] += int(words[2])
    counts.starts.update(_of_present_cache(folder))
    counts.files.update((read_regular(folder + TOLD_LOG) or b"").split())
    return counts


def last_shown(root: str) -> float | None:
    """Return when the newest summary was made that a session was shown, in seconds; None where none is known.

    What was recorded after that has had no chance to be shown.
    """
    folder = root + DATA_SUFFIX + SESSIONS
    names = (name for name in folder_names(folder) if not name.endswith((OPEN, TOLD)))
    times = [when / 1e9 for name in names if (when := modified(folder + name)) is not None]
    return max(times, default=None)


def add_up(root: str) -> None:
    """Keep the counts before the start cache is replaced; what cannot be written is not counted.

    Caller holds the lock.
    """
    folder = root + DATA_SUFFIX
    if not (_of_present_cache(folder) or os.path.lexists(folder + TOLD_LOG)):
        return
    counts = shown_counts(root)
    names = sorted(counts.starts | counts.files, key=lambda name: (-counts.of(name), name))[:_MOST]
    if os.path.islink(folder + COUNTS_FILE):
        os.unlink(folder + COUNTS_FILE)  # a repository could have it lead to any file of the project
    lines = [b"%s %d %d\n" % (name, counts.starts[name], counts.files[name]) for name in names]
    try:
        write_atomic(folder + COUNTS_FILE, b"".join(lines), root=root, durable=False, private=True)
        os.unlink(folder + TOLD_LOG)
    except OSError:
        return  # no hook has told anything at a file, or no file stands there: nothing of it was counted


def _of_present_cache(folder: str) -> Counter[bytes]:
    """Return what the present start cache told to the sessions that have it by a second name."""
    try:
        sessions = os.stat(folder + CACHE_FILE).st_nlink - 1
    except OSError:
        return Counter()
    cache = parse_cache(read_regular(folder + CACHE_FILE) or b"") if sessions > 0 else None
    return Counter(dict.fromkeys(cache.told.split(), sessions)) if cache is not None else Counter()
