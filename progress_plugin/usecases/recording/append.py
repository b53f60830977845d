"""Append entries to the log by one write, each event once, and renew what is made from the log.

One finished story is one entry, however many signals report it, and no words are lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from progress_plugin.config.load import PROJECT_FILE
from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import is_session_id, load_session, save_session
from progress_plugin.core.snapshot import has_start_cache
from progress_plugin.log import pending_events, store
from progress_plugin.log.entry import NO_REASON, EntryDraft, data_of, is_signal, text_of, writer_of
from progress_plugin.log.merge import same_task
from progress_plugin.log.timestamp import written
from progress_plugin.model.status import STATUS_OF_TYPE
from progress_plugin.summary.own_log import newest_plan
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.project_writes import TURNS, lock_of
from progress_plugin.usecases.reading import LogReading, Reading, changed_sources, with_current_log, with_log
from progress_plugin.usecases.recording.changes import LastSeen, load_last_seen

_Reading = TypeVar("_Reading", bound=LogReading)
_Further = TypeVar("_Further")
_Written = TypeVar("_Written")
_NO_FACTS = ("key", "plan", "session_id", "supplements", "client_task")  # say where a signal came from
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Logged:
    """What was written, without the `session_started` that may come first, and what else happened."""

    entries: list[Entry]
    notes: list[str]
    reading: LogReading | None = None  # with the log as it is now if a summary is due


def take_turn(
    project: Project,
    timeout: float,
    read: Callable[[], tuple[_Reading, _Further]],
    write: Callable[[_Reading, _Further], _Written],
) -> _Written:
    """Read without the lock, then write under it with our own log as it is now.

    If a plan or agent's log has changed meanwhile, read again, three times at most: so no process waits for
    the lock longer than a write takes, however large the sources are. `read` returns a reading and what else
    `write` needs. Raises Busy if another process holds the lock for `timeout` seconds.
    """
    for turn in range(1, TURNS + 1):
        reading, further = read()
        with lock_of(project, timeout):
            if turn == TURNS or not changed_sources(reading):
                return write(with_current_log(reading), further)
    raise AssertionError("the last turn writes")


def write_drafts(
    project: Project,
    timeout: float,
    read: Callable[[], _Reading],
    find: Callable[[_Reading, LastSeen], list[EntryDraft]],
    now: datetime | None = None,
) -> Logged | None:
    """Append the drafts that `find` returns for a reading and what was last seen; None if there are none.

    `timeout` is for the project's lock. Raises as `take_turn` and `append`.
    """

    def write(reading: _Reading, _: None) -> Logged | None:
        drafts = find(reading, load_last_seen(project))
        return append(reading, drafts, now=now or datetime.now(UTC)) if drafts else None

    logged = take_turn(project, timeout, lambda: (read(), None), write)
    return finish_write(project, logged) if logged else None


def of_session(draft: EntryDraft, session: str | None, when: datetime) -> EntryDraft:
    """Return a draft with its session, and with the time, which carries its zone, if it has none."""
    named = {"session_id": session} if session else {}
    return draft._replace(data={**named, **draft.data}, when=draft.when or when)


def without_duplicates(drafts: Iterable[EntryDraft], reading: LogReading) -> list[EntryDraft]:
    """Return which of these drafts of `of_session` to append: new ones, and what adds facts to known entries.

    An entry of another clone is never supplemented: a person who says here that it is done gets an entry of
    their own, and a signal gets none.
    """
    logged = [entry for entry in reading.log.stories_logged() if entry.get("type") == "task_completed"]
    known = sorted([*logged, *reading.log.blockers()], key=lambda entry: text_of(entry, "timestamp") or "")
    ours = [entry for entry in known if writer_of(entry) is None]
    others = [entry for entry in known if writer_of(entry) is not None]
    kept: list[EntryDraft] = []
    for draft in drafts:
        if "supplements" in draft.data:
            kept.append(draft)
            continue
        new = {name: value for name, value in draft._asdict().items() if value is not None}
        entry = _find_same(new, ours)
        if entry is None:
            if draft.signal is None or _find_same(new, others) is None:
                kept.append(draft)
                ours.append(new)
        elif entry.get("id") and (facts := _new_facts(draft, data_of(entry))):
            session = {name: value for name, value in draft.data.items() if name == "session_id"}
            kept.append(draft._replace(data={**session, **facts, "supplements": entry["id"]}))
    return kept


def _find_same(new: Entry, known: list[Entry]) -> Entry | None:
    """Return the newest known entry about the same event; a task that was blocked later is finished anew."""
    is_unplanned_end = new["type"] == "task_completed" and not data_of(new).get("key")
    for entry in reversed(known):
        if entry.get("type") == new["type"]:
            if _is_same(new, entry):
                return entry
        elif is_unplanned_end and same_task(new, entry):
            return None
    return None


def _is_same(new: Entry, entry: Entry) -> bool:
    """Return whether two entries of one type report one event.

    They do if both have the same key of one plan; else, of one session, if they are about one task or have
    one title; else if a person names the task that a signal has reported.
    """
    if _has_other_reason(new, entry):
        return False
    keys = [text_of(data_of(each), "key") or "" for each in (new, entry)]
    if all(keys) and keys[0].partition("|")[0] == keys[1].partition("|")[0]:
        plans = {text_of(story, "plan_id") for each in (new, entry) if (story := _story(each))}
        return keys[0] == keys[1] and len(plans) < 2  # noqa: PLR2004
    is_one_task = same_task(new, entry)
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


def _story(entry: Entry) -> Entry:
    story = entry.get("story")
    return story if isinstance(story, dict) else {}


def _titles(entry: Entry) -> set[str]:
    return _texts(_story(entry), "title") | _texts(data_of(entry), "description")


def _texts(holder: Entry, *names: str) -> set[str]:
    """Return the texts in some fields for comparing; a merged entry has several, on lines of their own."""
    texts = [text for name in names if (text := text_of(holder, name))]
    return {normalised(part) for text in texts for part in (text, *text.splitlines())} - {""}


def _new_facts(draft: EntryDraft, known: Entry) -> Entry:
    """Return what a draft adds to the data of a known entry, with its key; empty if it adds nothing."""
    facts = {
        name: value
        for name, value in draft.data.items()
        if name not in _NO_FACTS
        and not (draft.signal and (name == "description" or value == NO_REASON))
        and value not in (None, "", [], {}, known.get(name))
        and not _holds_all(known.get(name), value)
    }
    return facts | {"key": known["key"]} if facts and known.get("key") is not None else facts


def _holds_all(known: Any, value: Any) -> bool:
    if isinstance(known, str):  # a merged entry has a paragraph for each text
        return value in known.split("\n\n")
    return isinstance(known, list) and isinstance(value, list) and all(item in known for item in value)


def append(reading: LogReading, drafts: Sequence[EntryDraft], *, now: datetime) -> Logged:
    """Append drafts of `of_session`, with branch and worktree. The caller holds the lock."""
    project, settings = reading.project, reading.settings
    branch = project.head()[0]
    # What is logged while the project says nothing about sharing may be shared later.
    is_off = not settings.share and reading.config.origin["share"] == PROJECT_FILE
    first = {text_of(draft.data, "session_id"): draft for draft in reversed(drafts)}
    known = reading.log.log.entries
    openings = [
        EntryDraft(
            "session_started", {"session_id": name, "started_at": written(draft.when or now)}, when=draft.when
        )
        for name, draft in first.items()
        if is_session_id(name) and not entries_of_session(known, name)
    ]
    stored = store.append(
        project.log_directory,
        [
            draft._replace(branch=branch, worktree=project.worktree, unshared=True if is_off else None)
            for draft in (*openings, *drafts)
        ],
        settings,
        now=now,
        project_name=reading.name,
    )
    notes = list(stored.notes)
    if settings.share:
        from progress_plugin.usecases.sharing import put_files  # noqa: PLC0415 - only if history is shared

        notes += put_files(project, stored.entries)
    for session in first:
        _note_session(project, session)
    entries = stored.entries[len(openings) :]
    has_story = any(entry["type"] in STATUS_OF_TYPE for entry in entries)
    if not (has_story and settings.auto_generate and settings.summary_enabled):
        return Logged(entries, notes)
    return Logged(entries, notes, with_log(reading, store.load_history(project.log_directory)))


def entries_of_session(entries: Iterable[Entry], session: str | None) -> list[Entry]:
    """Return what a session of this clone has written."""
    return [
        entry
        for entry in entries
        if session and data_of(entry).get("session_id") == session and writer_of(entry) is None
    ]


def _note_session(project: Project, session: str | None) -> None:
    """Note that a session has logged something, so that its hook looks into the log at its end."""
    state = load_session(session)
    if not state.has_logged:
        state.project = state.project or project.root
        state.has_logged = True
        save_session(session, state)


def finish_write(project: Project, logged: Logged) -> Logged:
    """Renew the summary after a story, without the lock; return what was written with what else happened.

    What else an entry changes is shown by the next start, and by the end of the session.
    """
    if data_directory.has_team(project.log_directory):
        start_sync(project)
    if logged.reading is None:
        return logged
    notes = renew(project, _reusable(logged.reading))
    if any(has_start_cache(root) for root in project.roots() - {project.root}):  # made from the same log
        with suppress(AgentProgressError, OSError):
            pending_events.start_background(project.log_directory, project.root)
    return replace(logged, notes=[*logged.notes, *notes])


def start_sync(project: Project) -> None:
    """Start a sync with the team's server; if that fails, the next start does it."""
    from progress_plugin.team import background  # noqa: PLC0415 - only in a team

    with suppress(AgentProgressError, OSError):
        background.start(project.main_root)


def _reusable(reading: LogReading) -> Reading | None:
    """Return a reading to make the summary from; None if more than our log may be different now.

    Another plan may lead by what was logged, a damaged log is mended.
    """
    if not isinstance(reading, Reading) or reading.problems:
        return None
    plan, plans = newest_plan(reading.log.entries), reading.facts.inputs.plans
    leading = plans[0].path if plans else ""
    return reading if not plan or plan in {leading, *leading.split("/")} else None


def renew(project: Project, reading: Reading | None = None) -> list[str]:
    """Renew summary and cache, from a reading if there is one; return why that cannot be.

    What was written before counts, so no failure here may look like its own. The next start makes up for it.
    """
    from progress_plugin.usecases.summary_files import regenerate  # noqa: PLC0415 - only if it is renewed

    try:
        regenerate(project, DEFAULT_TIMEOUT_S, reading)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []
