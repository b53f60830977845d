"""Record entries that people and agents log, and the events that hooks report.

A hook puts its event into the spool. One process locks the spool, records all waiting events, and checks
again. Events report changed plans, finished tasks of the client, and ends of sessions. One finished story
makes one entry, however many signals report it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from progress_plugin.config.load import PROJECT_FILE
from progress_plugin.core import data_directory, error_log
from progress_plugin.core.errors import AgentProgressError, BadInput, Busy, ReadOnly
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project, find_project
from progress_plugin.core.session_state import is_session_id, load_session, save_session
from progress_plugin.core.snapshot import has_start_cache
from progress_plugin.log import pending_events, store
from progress_plugin.log.entry import (
    NO_REASON,
    EntryDraft,
    check_draft,
    data_of,
    is_signal,
    text_of,
    texts_of,
    time_of,
    writer_of,
)
from progress_plugin.log.merge import WAS_FINISHED, same_task
from progress_plugin.log.pending_events import PendingEvent
from progress_plugin.log.timestamp import written
from progress_plugin.model.status import FINISHED, SCOPE_CHANGE, STATUS_OF_TYPE, Status
from progress_plugin.state.state import State
from progress_plugin.summary.own_log import newest_plan
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.project_writes import TURNS, lock_of, prepare
from progress_plugin.usecases.reading import (
    LogReading,
    Reading,
    changed_sources,
    read_log,
    read_project,
    with_current_log,
    with_log,
)
from progress_plugin.usecases.recording import changes
from progress_plugin.usecases.recording.changes import Head, LastSeen
from progress_plugin.usecases.sharing import import_shared_entries, put_files

KNOWN = "this was recorded already; nothing new to add"
_Reading = TypeVar("_Reading", bound=LogReading)
_Further = TypeVar("_Further")
_Written = TypeVar("_Written")
_NO_FACTS = ("key", "plan", "session_id", "supplements", "client_task")  # say where a signal came from
Entry = dict[str, Any]


class LogResult(NamedTuple):
    """The entries that were written, without the `session_started` that may come first, and notes."""

    entries: list[Entry]
    notes: list[str]
    reading: LogReading | None = None  # with the log as it is now if a summary is due


def log_entry(  # noqa: PLR0913 - one parameter per field of an entry
    project: Project,
    type: str,  # noqa: A002 - the field's name
    *,
    now: datetime,
    description: str | None = None,
    task_id: str | None = None,
    spec: str | None = None,
    learnings: Sequence[str] = (),
    resolves: str | None = None,
    data: dict[str, Any] | None = None,
    session: str | None = None,
) -> LogResult:
    """Append one entry; the log is begun if there is none. `now` carries its zone.

    Raises BadInput for what may not be written, Busy if another process holds the lock, AgentProgressError if
    the disk refuses; nothing is written then.
    """
    named = {"description": description or None, "learnings": list(learnings) or None, "resolves": resolves}
    facts: Any = {} if data is None else data
    if isinstance(facts, dict):
        facts = {**facts, **{name: value for name, value in named.items() if value is not None}}
    draft = check_draft(EntryDraft(type, facts, spec=spec, task_id=task_id))
    prepare(project)
    drain(project, DEFAULT_TIMEOUT_S)
    import_shared_entries(project, DEFAULT_TIMEOUT_S)
    notes: list[str] = []

    def find(reading: Reading, last_seen: LastSeen) -> list[EntryDraft]:
        reading.log.refuse_unknown(draft.data)
        found = _with_story(draft, reading, last_seen)
        notes[:] = changes.describe_unknown(found, draft.spec, reading)
        is_about_story = draft.type in STATUS_OF_TYPE
        drafts = [with_session(found, session, now)]
        drafts = without_duplicates(drafts, reading) if is_about_story else drafts
        if drafts:
            changes.mark_as_seen(reading)  # so that later changes make entries
        return drafts

    logged = write_drafts(project, DEFAULT_TIMEOUT_S, lambda: read_project(project), find, now)
    if logged is None:
        return LogResult([], [*notes, KNOWN])
    lost = [logged.reading.lost_history] if logged.reading and logged.reading.lost_history else []
    return LogResult(logged.entries, [*notes, *logged.notes, *lost])


def _with_story(draft: EntryDraft, reading: Reading, last_seen: LastSeen) -> EntryDraft:
    """Give a draft the story of the plan that it names: its id as the plan spells it, and what the plan says.

    A completion or blocker without an id is about the story whose title it repeats, a change of scope about
    the only one that it requests.
    """
    to = STATUS_OF_TYPE.get(draft.type)
    named = draft.task_id or (text_of(draft.data, "description") if to else None)
    if named is None and draft.type == SCOPE_CHANGE:
        requested = texts_of(draft.data, "requested_tasks")
        named = requested[0] if len(requested) == 1 else None
    target = changes.find_story(reading, last_seen, named, draft.spec) if named else None
    if target is None:
        return draft
    story = target.reference()
    if to is Status.BLOCKED and target.item.status in FINISHED:
        story[WAS_FINISHED] = True
    return draft._replace(
        data={**draft.data, "key": target.key(to)} if to else draft.data,
        task_id=target.task_id or draft.task_id,
        spec=draft.spec or target.spec,
        story=story,
    )


def record_spooled(project: Project, timeout: float) -> None:
    """Record what a hook has put into the spool.

    If another process keeps the log locked for longer than `timeout` a background process does it. Raises
    what writing raises.
    """
    try:
        drain(project, timeout)
    except Busy:
        pending_events.start_background(project.log_directory, project.root)


def drain(project: Project, timeout: float) -> None:
    """Record every waiting event once, and remove it. `timeout` is for the project's lock.

    If another process holds the spool lock, return: that process checks again after it releases the lock.
    Raises what writing raises; events that are not recorded stay in the spool.
    """
    before: list[str] = []
    while (names := pending_events.names(project.log_directory)) and names != before:
        before = names
        with ExitStack() as held:
            try:
                held.enter_context(pending_events.spool_lock(project.log_directory))
            except Busy:
                return
            drain_as_holder(project, timeout)


def drain_as_holder(project: Project, timeout: float) -> None:
    """Record all events that wait now. The caller holds the lock of the spool."""
    events = []
    for path, event in pending_events.waiting(project.log_directory).items():
        if event is None:
            with suppress(OSError):
                os.replace(path, f"{path}.unreadable")
            error_log.note("spool", BadInput(f"{path} holds no event; it is kept under another name"))
        else:
            events.append((path, event))
    for (kind, _), group in groupby(events, key=lambda pair: (pair[1].kind, pair[1].root)):
        paths, together = zip(*group, strict=True)
        try:
            _record_group(project, together, timeout)
        except ReadOnly:
            if kind == "look":  # once the log can be written, the next look finds what changed
                _remove(paths)
            raise
        _remove(paths)


def _remove(paths: Iterable[str]) -> None:
    for path in paths:
        with suppress(FileNotFoundError):
            os.unlink(path)


def _record_group(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Append what events of one kind in one checkout report; `timeout` is for the lock, in seconds."""
    first = events[0]
    here = project if first.root == project.root else worktree_at(first.root, project)
    if first.kind == "look" and here is not None:
        # One look finds everything; the first session has done it. A checkout that is gone has no news.
        record_changes(here, now=first.when, session=first.session, timeout=timeout)
    elif first.kind == "task":
        record_tasks(here or project, events, timeout)
    elif first.kind == "end" and project.has_directory:
        record_ends(here or project, events, timeout)


def worktree_at(root: str, project: Project) -> Project | None:
    """Return the project of a linked worktree with the same log; None if that was removed.

    A file can name any root, so only worktrees that our repository knows count.
    """
    if root not in project.roots() or not os.path.isdir(root):
        return None
    try:
        found = find_project(root)
    except AgentProgressError:
        return None
    return found if found.log_directory == project.log_directory else None


def observe(project: Project, *, now: datetime, session: str | None) -> LogResult | None:
    """Record what waits and what has changed since the last look; None if nothing was appended."""
    drain(project, DEFAULT_TIMEOUT_S)
    return record_changes(project, now=now, session=session, timeout=DEFAULT_TIMEOUT_S)


def _look(project: Project) -> tuple[Reading, tuple[State, Head]]:
    """Read plans and logs, decide their state without our own log, and describe HEAD."""
    reading = read_project(project)
    stated = changes.state_of_files(reading)
    return reading, (stated, changes.read_head(reading, changes.load_last_seen(project), stated.plans))


def record_changes(
    project: Project, *, now: datetime, session: str | None, timeout: float
) -> LogResult | None:
    """Append an entry for each story that turned done or blocked since the last look; None if none did.

    `now` is when the signal came, `timeout` is for the project's lock. Nothing is written into a project
    without our directory before that. Raises Busy if another process holds the lock, or compares plans too.
    """
    if not project.has_directory:
        reading, (stated, head) = _look(project)
        last_seen = changes.load_last_seen(project)
        if not changes.find_changes(stated, last_seen, head):
            changes.save_last_seen(last_seen, project, reading.inputs)
            return None
        prepare(project)
    import_shared_entries(project, timeout)

    def write(reading: Reading, look: tuple[State, Head]) -> tuple[Reading, LogResult | None]:
        if changed_sources(reading):
            raise Busy("plans or logs kept changing during the read; try again")
        (stated, head), last_seen = look, changes.load_last_seen(project)
        drafts = changes.find_changes(stated, last_seen, head)
        drafts += changes.find_evidence(reading.log, reading.branch, session, head)
        drafts = without_duplicates([with_session(draft, session, now) for draft in drafts], reading)
        written = append(reading, drafts, now=datetime.now(UTC)) if drafts else None
        changes.save_last_seen(last_seen, project, reading.inputs)
        return reading, written

    reading, written = take_turn(project, timeout, lambda: _look(project), write)
    if written is not None:
        return finish_write(project, written)
    if reading.settings.auto_generate and reading.settings.summary_enabled:
        renew(project, reading)  # another story may be current now
    return None


def record_tasks(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Append an entry for each finished task that is not known yet; `timeout` is for the project's lock.

    In a project without a log or plan nothing is recorded.
    """
    if not project.has_directory:
        if read_project(project).is_empty:
            return
        prepare(project)

    def find(reading: Reading, last_seen: LastSeen) -> list[EntryDraft]:
        drafts = [(changes.draft_of_task(reading, last_seen, event), event) for event in events]
        named = [with_session(draft, event.session, event.when) for draft, event in drafts if draft]
        return without_duplicates(named, reading)

    write_drafts(project, timeout, lambda: read_project(project), find)


def record_ends(project: Project, events: Sequence[PendingEvent], timeout: float) -> None:
    """Append the ends of sessions that logged something since their last end."""

    def find(reading: LogReading, _: LastSeen) -> list[EntryDraft]:
        first = {event.session: event for event in reversed(events)}.values()
        closings = (
            _closing(entries_of_session(reading.log.log.entries, each.session), each) for each in first
        )
        return [draft for draft in closings if draft is not None]

    write_drafts(project, timeout, lambda: read_log(project), find)


def _closing(entries: Sequence[dict[str, Any]], event: PendingEvent) -> EntryDraft | None:
    """Return the entry that ends a session, None if it has written nothing since its last end.

    If the agent has logged an end, or the session was resumed, what its hook knows adds to that end.
    """
    ends = [entry for entry in entries if entry.get("type") == "session_ended"]
    is_over = not entries or "tasks_completed" in data_of(entries[-1])
    if is_over or not is_session_id(event.session):
        return None
    finished = [entry for entry in entries if entry.get("type") == "task_completed"]
    number = sum("supplements" not in data_of(entry) for entry in finished)
    data: dict[str, Any] = {"tasks_completed": number, "session_id": event.session}
    started = time_of(entries[0])
    if started is not None:
        data["duration_minutes"] = round((event.when.astimezone(UTC) - started).total_seconds() / 60)
    if reason := event.facts.get("reason"):
        data["reason"] = reason
    if ends:
        data["supplements"] = text_of(data_of(ends[0]), "supplements") or text_of(ends[0], "id")
    return EntryDraft("session_ended", data, when=event.when)


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
) -> LogResult | None:
    """Append the drafts that `find` returns for a reading and what was last seen; None if there are none.

    `timeout` is for the project's lock. Raises as `take_turn` and `append`.
    """

    def write(reading: _Reading, _: None) -> LogResult | None:
        drafts = find(reading, changes.load_last_seen(project))
        return append(reading, drafts, now=now or datetime.now(UTC)) if drafts else None

    logged = take_turn(project, timeout, lambda: (read(), None), write)
    return finish_write(project, logged) if logged else None


def with_session(draft: EntryDraft, session: str | None, when: datetime) -> EntryDraft:
    """Return a draft with its session, and with the time, which carries its zone, if it has none."""
    named = {"session_id": session} if session else {}
    return draft._replace(data={**named, **draft.data}, when=draft.when or when)


def without_duplicates(drafts: Iterable[EntryDraft], reading: LogReading) -> list[EntryDraft]:
    """Drop drafts that are logged already; turn drafts with new facts into supplements.

    The drafts come from `with_session`. An entry of another clone is never supplemented: a person who
    completes its story here gets an entry of their own, and a signal gets none.
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
    """Return the new facts of a draft with the key of the known entry; empty if there are none."""
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


def append(reading: LogReading, drafts: Sequence[EntryDraft], *, now: datetime) -> LogResult:
    """Append drafts of `with_session`, with branch and worktree. The caller holds the lock."""
    project, settings, branch = reading.project, reading.settings, reading.branch
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
        notes += put_files(project, stored.entries)
    for session in first:
        _note_session(project, session)
    entries = stored.entries[len(openings) :]
    has_story = any(entry["type"] in STATUS_OF_TYPE for entry in entries)
    if not (has_story and settings.auto_generate and settings.summary_enabled):
        return LogResult(entries, notes)
    return LogResult(entries, notes, with_log(reading, store.load_history(project.log_directory)))


def entries_of_session(entries: Iterable[Entry], session: str | None) -> list[Entry]:
    """Return the entries that a session of this clone has written."""
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


def finish_write(project: Project, logged: LogResult) -> LogResult:
    """Renew the summary after an entry about a story. Return the result with notes added.

    The caller holds no lock. Other entries are shown by the next start and at the end of the session.
    """
    if data_directory.has_team(project.log_directory):
        start_sync(project)
    if logged.reading is None:
        return logged
    notes = renew(project, _reusable(logged.reading))
    if any(has_start_cache(root) for root in project.roots() - {project.root}):  # made from the same log
        with suppress(AgentProgressError, OSError):
            pending_events.start_background(project.log_directory, project.root)
    return logged._replace(notes=[*logged.notes, *notes])


def start_sync(project: Project) -> None:
    """Start a sync with the team's server; if that fails, the next start does it."""
    from progress_plugin.team import background  # noqa: PLC0415 - only in a team

    with suppress(AgentProgressError, OSError):
        background.start(project.main_root)


def _reusable(reading: LogReading) -> Reading | None:
    """Return a reading to make the summary from; None if the sources have to be read again.

    The new entry may make another plan the primary one, or the write repaired a damaged log.
    """
    if not isinstance(reading, Reading) or reading.problems:
        return None
    plan, plans = newest_plan(reading.log.entries), reading.facts.inputs.plans
    leading = plans[0].path if plans else ""
    return reading if not plan or plan in {leading, *leading.split("/")} else None


def renew(project: Project, reading: Reading | None = None) -> list[str]:
    """Write summary and cache, from a reading if there is one; return a note if that fails.

    The entry is already on disk, so a failure here is a note, not an error. The next start tries again.
    """
    from progress_plugin.usecases.summary_files import regenerate  # noqa: PLC0415 - only if it is renewed

    try:
        regenerate(project, DEFAULT_TIMEOUT_S, reading)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []
