"""The newest entries of a project, what is blocked and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import store, verify
from progress_plugin.log.entry import text_of
from progress_plugin.log.history import OpenWork, RecentEntries, everything
from progress_plugin.log.merge import effective
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.summary.shown_text import name_work
from progress_plugin.transcripts.evidence import Evidence
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.last_session import describe_sessions
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.sessions.views import SessionView, list_sessions
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.views import (
    BlockerView,
    EntryView,
    describe_ends,
    entries_by_id,
    open_blockers_of_log,
    view_blockers,
    view_own_entry,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentWork:
    """The newest entries, and what is blocked."""

    recent: RecentEntries
    entries: tuple[EntryView, ...]  # the same entries as they are shown
    blocked: tuple[BlockerView, ...]  # whether our log, a plan or another document states it
    evidence: Mapping[str, Evidence]  # what its session proves of a completion, by entry id
    ended: Mapping[str, tuple[str, str]]  # how a blocker ended and by which entry, by entry id
    recorded: str  # how many sessions were recorded, in a project that has nothing else
    sessions: tuple[SessionView, ...] | None  # the last one first; None if they were not asked for
    vanished: str | None  # one line about a history that only copies hold

    def as_object(self) -> dict[str, Any]:
        """Return what `recent --json` prints; parts without content are left out."""
        evidence = {name: {**each._asdict(), "words": each.words()} for name, each in self.evidence.items()}
        parts = {
            "evidence": evidence,
            "resolved": {name: {"how": how, "by": by} for name, (how, by) in self.ended.items()},
            "notes": [self.vanished] if self.vanished else [],
        }
        data = self.recent._asdict() | {"blocked": [asdict(each) for each in self.blocked]}
        if self.sessions is not None:
            data["sessions"] = [asdict(each) for each in self.sessions]
        return data | {name: value for name, value in parts.items() if value}


def recent_of(project: Project, n: int, *, sessions: bool = False) -> RecentWork:
    """Return the newest `n` entries, archived ones included; nothing recorded is an empty answer.

    With `sessions` also as many sessions. Raises BadInput if the log is not a regular file, or if transcripts
    are switched off.
    """
    listed = tuple(list_sessions(project, n)) if sessions else None
    store.raw(project.log_directory)
    take_in_latest(project)
    reading = read_project(project, InputSnapshot(project.root))
    facts, known = reading.facts, entries_by_id(reading.log.stories_logged())
    recent = reading.log.recent(n, open_blockers_of_log(facts, known), _open_work(reading))
    leading = facts.state.plans[0].plan.path if facts.state.plans else ""
    shown = {text_of(entry, "id") for entry in recent.entries}
    proven = evidence_by_entry(reading.log, reading.sessions) if reading.sessions else {}
    return RecentWork(
        recent=recent,
        entries=tuple(view_own_entry(entry, leading) for entry in recent.entries),
        blocked=tuple(view_blockers(facts, known)),
        evidence={name: each for name, each in proven.items() if name in shown},
        recorded=describe_sessions(reading.sessions) if reading.is_empty else "",
        ended={name: end for name, end in describe_ends(facts, known).items() if name in shown},
        sessions=listed,
        vanished=verify.describe_lost(project.log_directory, store.load(project.log_directory)),
    )


def _open_work(reading: Reading) -> OpenWork:
    state = reading.facts.state
    following = name_work(state.next) if state.next else ""
    current = state.current if state.current is not state.next else None
    records = tuple(log.path for log in reading.facts.inputs.logs)
    return OpenWork(len(state.blocked), following, records, name_work(current) if current else "")


def whole_log(project: Project) -> list[str]:
    """Return every entry of our log, its archive and the agents' logs, newest first, after all learnings.

    Empty if nothing was ever recorded. Raises BadInput if the log is not a regular file.
    """
    take_in_latest(project)
    reading = read_project(project)
    own = read_own_log(effective(everything(project.log_directory), reading.log.index.hidden))
    return [line.text for line in full_log_lines(replace(reading.facts, own=own))]
