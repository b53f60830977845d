"""Append new entries to the log under its lock, and renew the summary after a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, TypeVar

from progress_plugin.config.settings import PROJECT_FILE
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.processes import start_detached
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id, load_session, save_session
from progress_plugin.core.snapshot import has_start_cache
from progress_plugin.log import store
from progress_plugin.log.entry import NO_REASON, UNSHARED, data_of, is_signal, new_draft, text_of, writer_of
from progress_plugin.log.merge import is_same_task, may_be_one_story
from progress_plugin.log.store import LogResult
from progress_plugin.log.timestamp import format_time
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.project_writes import MAX_READ_ATTEMPTS, lock_of, start_sync
from progress_plugin.usecases.reading import LogReading, changed_sources, read_settings, with_current_log
from progress_plugin.usecases.sharing import write_shared_files

_Reading = TypeVar("_Reading", bound=LogReading)
Entry = dict[str, Any]
_ORIGIN_FIELDS = ("key", "plan", "session_id", "supplements", "client_task")  # say where a signal came from


def read_and_write(
    project: Project,
    timeout: float,
    read: Callable[[Project], _Reading],
    write: Callable[[_Reading], LogResult],
) -> LogResult:
    """Read without the lock, then `write` under it. The reading then has our own log as it is now.

    If a plan or agent's log has changed meanwhile, read again; write after the third read in any case. So the
    lock is held only for a write, however long it takes to read the sources.
    """
    for attempt in range(1, MAX_READ_ATTEMPTS + 1):
        reading = read(project)
        with lock_of(project, timeout):
            if attempt == MAX_READ_ATTEMPTS or not changed_sources(reading):
                logged = write(with_current_log(reading))
                break
    if logged.entries:
        start_sync(project)
    return logged


def stamp_draft(draft: Entry, session: str | None, when: datetime) -> Entry:
    """Return a draft with its session and time; `when` has a time zone."""
    named = {"session_id": session} if session else {}
    return {**draft, "timestamp": format_time(when), "data": {**named, **draft["data"]}}


def append(reading: LogReading, drafts: Sequence[Entry]) -> LogResult:
    """Append stamped drafts that are not logged yet, with branch and worktree.

    A `session_started` may be written first, and is not returned. The caller holds the lock.
    """
    drafts = without_duplicates(drafts, reading)
    if not drafts:
        return LogResult([], [])
    project, settings = reading.project, reading.settings
    # An entry written while the project's own configuration says `share = false` is not shared later either.
    is_off = not settings.share and reading.config.origin["share"] == PROJECT_FILE
    first = {text_of(draft["data"], "session_id"): draft["timestamp"] for draft in reversed(drafts)}
    known = reading.log.log.entries
    openings = [
        new_draft("session_started", {"session_id": name, "started_at": when}, timestamp=when)
        for name, when in first.items()
        if is_session_id(name) and not entries_of_session(known, name)
    ]
    origin = {"branch": reading.branch, "worktree": project.worktree, UNSHARED: is_off or None}
    added = {name: value for name, value in origin.items() if value is not None}
    stored = store.append(
        project.log_directory,
        [{**draft, **added} for draft in (*openings, *drafts)],
        settings,
        now=datetime.now(UTC),
        project_name=reading.names[0],
    )
    notes = list(stored.notes)
    if settings.share:
        notes += write_shared_files(project, stored.entries)
    for session in first:
        state = load_session(session)
        if not state.has_logged:  # only then does the hook at the session's end look into the log
            state.project, state.has_logged = state.project or project.root, True
            save_session(session, state)
    return LogResult(stored.entries[len(openings) :], notes)


def entries_of_session(entries: Iterable[Entry], session: str | None) -> list[Entry]:
    """Return the entries that a session of this clone has written."""
    return [
        entry
        for entry in entries
        if session and data_of(entry).get("session_id") == session and writer_of(entry) is None
    ]


def renew_summaries(project: Project) -> list[str]:
    """Renew the summary after an entry or a claim, here and in the linked worktrees that have one.

    The entry is already on the disk, so a failure here is a note. The next start tries again.
    """
    settings = read_settings(project).stored
    if not (settings.auto_generate and settings.summary_enabled):
        return []
    notes = try_write_summary(project)
    if any(has_start_cache(root) for root in project.roots() - {project.root}):
        with suppress(AgentProgressError, OSError):
            start_detached("background", "record", project.root)
    return notes


def try_write_summary(project: Project) -> list[str]:
    """Write summary and cache; return a note if that fails."""
    from progress_plugin.usecases.summaries import write_summary  # noqa: PLC0415 - only if it is written

    try:
        write_summary(project, DEFAULT_TIMEOUT_S)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []


def without_duplicates(drafts: Iterable[Entry], reading: LogReading) -> list[Entry]:
    """Drop completions and blockers that are logged already; turn those with new facts into supplements.

    The drafts are stamped. An entry of another clone is never supplemented. If such an entry reports the same
    event, a draft that somebody stated is still logged, and a draft of a hook (a signal) is dropped.
    """
    logged = [entry for entry in reading.log.effective_entries if entry.get("type") == "task_completed"]
    known = sorted([*logged, *reading.log.blockers()], key=lambda entry: text_of(entry, "timestamp") or "")
    ours = [entry for entry in known if writer_of(entry) is None]
    others = [entry for entry in known if writer_of(entry) is not None]
    kept: list[Entry] = []
    for draft in drafts:
        if "supplements" in draft["data"]:
            kept.append(draft)
            continue
        entry = _find_same(draft, ours)
        if entry is None:
            if not is_signal(draft) or _find_same(draft, others) is None:
                kept.append(draft)
                ours.append(draft)
        elif entry.get("id") and (facts := _new_facts(draft, data_of(entry))):
            session = {name: value for name, value in draft["data"].items() if name == "session_id"}
            kept.append({**draft, "data": {**session, **facts, "supplements": entry["id"]}})
    return kept


def _find_same(new: Entry, known: list[Entry]) -> Entry | None:
    """Return the newest known entry about the event; None if a task without a key was blocked after it."""
    is_unplanned_end = new["type"] == "task_completed" and not data_of(new).get("key")
    for entry in reversed(known):
        if entry.get("type") == new["type"]:
            if _is_same(new, entry):
                return entry
        elif is_unplanned_end and is_same_task(new, entry):
            return None
    return None


def _is_same(new: Entry, entry: Entry) -> bool:
    """Return whether two entries of one type report one event.

    With keys of one plan: the same key. In one session: one completed task, or one title. Otherwise: a stated
    completion of a task that the known entry completed, if that entry is from a signal or one of the two
    names no session.
    """
    if _has_other_reason(new, entry):
        return False
    keys = [text_of(data_of(each), "key") or "" for each in (new, entry)]
    if all(keys) and keys[0].partition("|")[0] == keys[1].partition("|")[0]:
        return keys[0] == keys[1] and may_be_one_story(new, entry)
    is_one_task = is_same_task(new, entry)
    if text_of(new, "task_id") and text_of(entry, "task_id") and not is_one_task:
        return False
    is_one_end = is_one_task and new["type"] == "task_completed"
    sessions = [data_of(each).get("session_id") for each in (new, entry)]
    if sessions[0] == sessions[1] and (sessions[0] or not is_signal(new)):
        return is_one_end or bool(_titles(new) & _titles(entry))
    return is_one_end and not is_signal(new) and (is_signal(entry) or None in sessions)


def _has_other_reason(new: Entry, entry: Entry) -> bool:
    """Return whether two blockers that people stated have different reasons: each is resolved by itself."""
    if new["type"] != "task_blocked" or is_signal(new) or is_signal(entry):
        return False
    reason = text_of(data_of(new), "issue") or text_of(data_of(new), "description")
    known = _texts(data_of(entry), "issue", "description")
    return reason is not None and bool(known) and normalised(reason) not in known


def _titles(entry: Entry) -> set[str]:
    story = entry.get("story")
    return _texts(story if isinstance(story, dict) else {}, "title") | _texts(data_of(entry), "description")


def _texts(holder: Entry, *names: str) -> set[str]:
    """Return the texts in some fields for comparing; a merged entry has several, on lines of their own."""
    texts = [text for name in names if (text := text_of(holder, name))]
    return {normalised(part) for text in texts for part in (text, *text.splitlines())} - {""}


def _new_facts(draft: Entry, known: Entry) -> Entry:
    """Return the new facts of a draft with the key of the known entry; empty if there are none."""
    facts = {
        name: value
        for name, value in draft["data"].items()
        if name not in _ORIGIN_FIELDS
        and not (is_signal(draft) and (name == "description" or value == NO_REASON))
        and value not in (None, "", [], {}, known.get(name))
        and not _holds_all(known.get(name), value)
    }
    return facts | {"key": known["key"]} if facts and known.get("key") is not None else facts


def _holds_all(known: Any, value: Any) -> bool:
    if isinstance(known, str):  # a merged entry has a paragraph for each text
        return value in known.split("\n\n")
    return isinstance(known, list) and isinstance(value, list) and all(item in known for item in value)
