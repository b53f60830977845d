"""The newest entries of a project, what is blocked and what comes next."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, NamedTuple

from progress_plugin.core.project import Project
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log import store, verify
from progress_plugin.log.entry import text_of
from progress_plugin.log.history import OpenWork, everything
from progress_plugin.log.merge import effective
from progress_plugin.summary.full_log import full_log_lines
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.summary.shown_text import name_work
from progress_plugin.usecases.evidence import evidence_by_entry
from progress_plugin.usecases.last_session import describe_sessions
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.sessions.views import list_sessions
from progress_plugin.usecases.sharing import take_in_latest
from progress_plugin.usecases.views import (
    View,
    describe_ends,
    entries_by_id,
    open_blockers_of_log,
    view_blockers,
    view_own_entry,
)


class RecentWork(NamedTuple):
    """The newest entries, and what is blocked."""

    data: dict[str, Any]  # what `recent --json` prints; parts without content are left out
    entries: list[View]
    recorded: str  # how many sessions were recorded, in a project that has nothing else


def recent_of(project: Project, n: int, *, sessions: bool = False) -> RecentWork:
    """Return the newest `n` entries, archived ones included; nothing recorded is an empty answer.

    With `sessions` also as many sessions. Raises BadInput if the log is not a regular file, or if transcripts
    are switched off.
    """
    listed = [asdict(each) for each in list_sessions(project, n)] if sessions else None
    store.raw(project.log_directory)
    take_in_latest(project)
    reading = read_project(project, InputSnapshot(project.root))
    facts, known = reading.facts, entries_by_id(reading.log.stories_logged())
    recent = reading.log.recent(n, open_blockers_of_log(facts, known), _open_work(reading))
    ended = describe_ends(facts, known)
    proven = evidence_by_entry(reading.log, reading.sessions) if reading.sessions else {}
    lost = verify.describe_lost(project.log_directory, store.load(project.log_directory))
    shown = [text_of(entry, "id") or "" for entry in recent.entries]
    data = recent._asdict() | {"blocked": view_blockers(facts, known)}
    if listed is not None:
        data["sessions"] = listed
    if checked := {name: proven[name] for name in shown if name in proven}:
        data["evidence"] = {name: each._asdict() | {"words": each.words()} for name, each in checked.items()}
    if resolved := {name: ended[name] for name in shown if name in ended}:
        data["resolved"] = resolved
    if lost:
        data["notes"] = [lost]
    leading = facts.state.plans[0].plan.path if facts.state.plans else ""
    entries = [view_own_entry(entry, leading, ended, proven) for entry in recent.entries]
    return RecentWork(data, entries, describe_sessions(reading.sessions) if reading.is_empty else "")


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
