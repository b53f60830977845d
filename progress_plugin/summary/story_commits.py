"""Find commits whose message names a story of a plan: each is a record of work on it."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence

from progress_plugin.core.git import Repository
from progress_plugin.model.work import PlanDocument
from progress_plugin.state.matching import all_items, is_named, shares_words
from progress_plugin.state.state import Record

MAX_COMMITS = 30
SHARED_TITLE = 0.5  # share of the words; an id alone may be that of an earlier plan


def read_story_commits(repository: Repository, plans: Sequence[PlanDocument]) -> list[Record]:
    """Return a record for each recent commit that names an item by id and title, oldest first."""
    items = [(plan.path, item) for plan in plans for item in all_items(plan.items) if item.id]
    if not items:
        return []
    words = ["log", f"--max-count={MAX_COMMITS}", "--format=%H%x00%cs%x00%s", "--"]
    records = []
    for line in os.fsdecode(repository.run(words) or b"").splitlines():
        commit, _, rest = line.partition("\0")
        date, _, subject = rest.partition("\0")
        for path, item in items:
            if item.id and is_named(item.id, subject) and shares_words(item.title, subject, SHARED_TITLE):
                records.append(
                    Record(commit, item.id, subject, dt.date.fromisoformat(date), None, path, "git")
                )
    return records[::-1]
