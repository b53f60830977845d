"""The newest entries of a project, what is blocked and what comes next (S4)."""

from __future__ import annotations

from typing import NamedTuple

from progress_plugin.core.files.input_records import Inputs
from progress_plugin.core.project import Project
from progress_plugin.log import recovery, store
from progress_plugin.log.entry import text_of
from progress_plugin.log.recent import RecentEntries, Standing
from progress_plugin.summary.blocked import Blocked, blocked, count_blockers
from progress_plugin.summary.next_work import next_work
from progress_plugin.summary.story_states import read_history
from progress_plugin.usecases.status import told_blockers
from progress_plugin.usecases.summarizing.gather import gather
from progress_plugin.usecases.summarizing.sources import read_sources


class RecentWork(NamedTuple):
    """The newest entries, and what is blocked."""

    recent: RecentEntries
    blocked: list[Blocked]
    """What is in the way, without what merely waits for it; not only entries of this log say so."""


def recent_of(project: Project, n: int) -> RecentWork:
    """Return the newest `n` entries, archived ones included; nothing recorded is an empty answer.

    Raises BadInput where something else than a file stands in the place of the log.
    """
    store.raw(project.log_directory)
    sources = read_sources(project, Inputs(project.root))
    facts = gather(sources)
    history = read_history(facts)
    stuck, following = blocked(history), next_work(facts, history).line
    still_open = {blocker.id for blocker in told_blockers(facts, stuck)}
    entries = [entry for entry in sources.log.blockers() if text_of(entry, "id") in still_open]
    records = tuple(log.source for log in sources.logs)
    told = sources.log.recent(n, entries, Standing(count_blockers(stuck), following, records))
    return RecentWork(told, [each for each in stuck if not each.waits])


def vanished_of(project: Project) -> str | None:
    """Return a line about a history that only copies hold; None where there is none (S1.5)."""
    return recovery.vanished(project.log_directory, store.load(project.log_directory))
