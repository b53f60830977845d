"""Append entries to the log of a project, and renew what is made from it."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from progress_plugin.config.sources import PROJECT_FILE
from progress_plugin.core import data_directory
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.start_cache import has_start_cache
from progress_plugin.log import pending_events, store
from progress_plugin.log.archive import limits_of
from progress_plugin.log.entry import EntryDraft, text_of, texts_of
from progress_plugin.log.logged_blockers import WAS_FINISHED
from progress_plugin.model.event import SCOPE_CHANGE, STATUS_OF_TYPE
from progress_plugin.model.status import FINISHED, Status
from progress_plugin.usecases.project_writes import Moved, prepare, take_turn
from progress_plugin.usecases.recording.deduplication import deduplicated, finished_elsewhere
from progress_plugin.usecases.recording.session_entries import Session
from progress_plugin.usecases.recording.shared_arrivals import take_in_arrivals
from progress_plugin.usecases.recording.story_lookup import baseline_now, find_target
from progress_plugin.usecases.summarizing.baselines import Baselines
from progress_plugin.usecases.summarizing.project_name import project_name
from progress_plugin.usecases.summarizing.sources import (
    Sources,
    appended,
    completed,
    current,
    of_others,
    read_to_append,
)
from progress_plugin.usecases.summarizing.summary_files import Compared, regenerate

_KNOWN = "this was recorded already; nothing new to add"


class EntryBatch(NamedTuple):
    """What one session has to record at one time."""

    drafts: Sequence[EntryDraft]
    when: datetime
    """With its zone."""
    session: str | None


class Logged(NamedTuple):
    """What was written."""

    entries: list[dict[str, Any]]
    """As stored, without the `session_started` that may have gone before them."""
    notes: list[str]
    """What else happened: archived, recovered, redacted; one sentence each."""


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
) -> Logged:
    """Append one entry that somebody asked for; the log is begun where there is none.

    `now` carries its zone. Raises BadInput for what may not be written, Busy where another process holds
    the lock, AgentProgressError where the disk refuses; nothing is written then.
    """
    named = {"description": description or None, "learnings": list(learnings) or None, "resolves": resolves}
    facts = _with_named({} if data is None else data, named)
    from progress_plugin.log.explicit_entry_checks import judged, refuse_unknown  # noqa: PLC0415 - no hook needs it

    draft = judged(EntryDraft(type, facts, spec=spec, task_id=task_id))
    prepare(project)
    drain_waiting(project)
    take_in_arrivals(project, DEFAULT_TIMEOUT_S)

    hints: list[str] = []

    def write(sources: Sources, last: bool) -> WrittenEntries | None:
        from progress_plugin.usecases.recording import task_hints  # noqa: PLC0415 - hooks need it not

        sources = under_lock(sources, last=last)
        seen = Baselines(project)
        refuse_unknown(draft, sources.log)
        found = _on_story(draft, sources, seen, session)
        drafts = _told_once(found, sources, session)
        hints[:] = filter(None, [task_hints.unknown_spec(draft, found, sources)])
        if not drafts:
            return None
        told = (
            task_hints.unknown_story(found, sources),
            task_hints.taken_for(draft, found, sources, session),
        )
        notes = [*hints, *filter(None, told)]
        written = write_all(sources, [EntryBatch(drafts, now, session)], now=now, seen=seen)
        written = written._replace(logged=written.logged._replace(notes=[*notes, *written.logged.notes]))
        if seen.is_first:
            seen.head = sources.head
        for plan in sources.plans:  # what is finished from now on is news: the next start may be a fresh one
            seen.plans.setdefault(plan.path, baseline_now(sources, seen, plan))
        seen.save(in_step=False)
        return written

    written = take_turn(project, DEFAULT_TIMEOUT_S, lambda: read_to_append(project), write)
    if written is None:
        return Logged(entries=[], notes=[*hints, _KNOWN])
    logged, vanished = summed_up(written), written.before.vanished
    from progress_plugin.usecases.recording.notes_of_own_session import note_own_words  # noqa: PLC0415 - no hook needs it

    note_own_words(project, session, logged.entries)
    return logged._replace(notes=[*logged.notes, *([vanished] if vanished else [])])


def _with_named(data: Any, named: dict[str, Any]) -> Any:
    """Return the data with the fields that were given by name; what is no object is judged as it is."""
    if not isinstance(data, dict):
        return data
    return {**data, **{name: value for name, value in named.items() if value is not None}}


def _on_story(draft: EntryDraft, sources: Sources, seen: Baselines, session: str | None) -> EntryDraft:
    """Give a draft the story of the plan that it names: its id as the plan spells it, and what the plan says.

    A completion or blocker without an id is about the story whose title it repeats, a change of scope about
    the only one that it requests.
    """
    to = STATUS_OF_TYPE.get(draft.type)
    named = draft.task_id or (text_of(draft.data, "description") if to else _only_requested(draft))
    target = find_target(sources, seen, named, draft.spec, to, session) if named else None
    if target is None:
        return draft
    data = {**draft.data, "key": target.key(to)} if to else draft.data
    story = target.reference()
    if to is Status.BLOCKED and target.story.status in FINISHED:
        story[WAS_FINISHED] = True
    return draft._replace(
        data=data, task_id=target.task_id or draft.task_id, spec=draft.spec or target.spec, story=story
    )


def _only_requested(draft: EntryDraft) -> str | None:
    """Return the one task that a change of scope requests: what it says is about that one."""
    requested = texts_of(draft.data, "requested_tasks") if draft.type == SCOPE_CHANGE else ()
    return requested[0] if len(requested) == 1 else None


def _told_once(draft: EntryDraft, sources: Sources, session: str | None) -> list[EntryDraft]:
    """Return the draft as an entry, or as a supplement of the entry that another signal made of the same."""
    return deduplicated([draft], sources, session) if draft.type in STATUS_OF_TYPE else [draft]


class WrittenEntries(NamedTuple):
    """What was appended, and what its summary is made of."""

    logged: Logged
    before: Sources
    """As they were before; their log is used up."""
    after: Sources | None
    """With the log as it is now; None where all is to be read again."""


def under_lock(sources: Sources, *, last: bool) -> Sources:
    """Return sources that were read without the lock, with our own log as it is. Caller holds the lock.

    Raises Moved where a source has changed since, but not at the last turn: then what was read has to do.
    """
    if not last and of_others(sources, sources.inputs.changes()):
        raise Moved("plans or logs have changed while they were read; try again")
    return current(sources)


def write_all(
    sources: Sources, told: Iterable[EntryBatch], *, now: datetime, seen: Baselines | None = None
) -> WrittenEntries:
    """Append what several sessions have to record, by one write, with branch, worktree and session.

    Caller holds the lock, and has `sources` from `under_lock`; they are used up. `seen` learns which finished
    tasks wait for a commit; it is the caller's to save. The summary is for afterwards: `summed_up`.
    """
    project, settings = sources.project, sources.settings
    sessions: dict[str | None, Session] = {}
    drafts: list[EntryDraft] = []
    # Where nobody says so, as on a branch from before sharing, what is logged may be shared later.
    is_off = not settings.share and sources.config.origin["share"] == PROJECT_FILE
    unshared = True if is_off else None
    owners: list[Session | None] = []
    """Whose entry each draft becomes; None for one that only begins a session."""
    for each in told:
        known = each.session in sessions
        own = sessions.setdefault(each.session, Session(project, each.session))
        first = None if known or not each.drafts else own.opening(each.when)
        for draft, owner in [*([(first, None)] if first else []), *((draft, own) for draft in each.drafts)]:
            dressed = _dressed(draft, project, sources.branch, each.session)
            drafts.append(dressed._replace(when=dressed.when or each.when, unshared=unshared))
            owners.append(owner)
    finishes = [
        owner is not None and draft.type == "task_completed" and ("supplements" not in draft.data or is_here)
        for draft, owner, is_here in zip(drafts, owners, finished_elsewhere(drafts, sources), strict=True)
    ]
    sharing = _Sharing(project) if settings.share else None
    written = store.append(
        project.log_directory,
        drafts,
        now=now,
        project_name=project_name(sources),
        limits=limits_of(settings),
        before=store.DirectoryState(sources.log.log, sources.log.index),
        commit=sources.main_head,
        memo=sources.answers,
        announce=sharing.announce if sharing else None,
    )
    notes = [*written.notes, *(sharing.publish(written.after.log.items) if sharing else ())]
    told_by = list(zip(written.entries, owners, finishes, strict=True))
    entries = [entry for entry, owner, _ in told_by if owner is not None]
    for own in sessions.values():
        mine = [(entry, is_done) for entry, owner, is_done in told_by if owner is own]
        own.wrote(now, [entry for entry, _ in mine], sum(is_done for _, is_done in mine))
    if seen is not None:
        finished = (entry for entry, _, is_done in told_by if is_done)
        ids = [entry["id"] for entry in finished if "commit" not in entry["data"]]
        seen.wait_for_commit(ids, sources.head)
    return WrittenEntries(Logged(entries, notes), sources, appended(sources, written.after))


class _Sharing:
    """The way of an append into the files that git carries."""

    def __init__(self, project: Project) -> None:
        from progress_plugin.usecases.recording import shared_history  # noqa: PLC0415 - only where history is shared

        self._project = project
        self._history = shared_history

    def announce(self, entries: list[dict[str, Any]]) -> None:
        """Note the entries before they are in the log."""
        self._history.announce(self._project.log_directory, entries)

    def publish(self, items: Sequence[Any]) -> list[str]:
        """Give those that were announced their files, once the log is on the disk."""
        return self._history.publish(self._project, items)


def summed_up(written: WrittenEntries, compared: Compared | None = None) -> Logged:
    """Renew the summary after a write, without the lock, and return what was written with what else happened.

    `compared` as for `regenerate`.
    """
    _tell_team(written.before.project)
    logged, settings = written.logged, written.before.settings
    if not (settings.auto_generate and settings.summary_enabled):
        return logged
    after = written.after
    notes = renew(written.before.project, (lambda: completed(after)) if after is not None else None, compared)
    _have_others_renewed(written.before.project)
    return logged._replace(notes=[*logged.notes, *notes])


def _tell_team(project: Project) -> None:
    if data_directory.has_team(project.log_directory):
        from progress_plugin.usecases.recording.sync_after_write import have_team_synced  # noqa: PLC0415

        have_team_synced(project)


def drain_waiting(project: Project) -> None:
    """Record what hooks could not, as long as there is any: it happened before."""
    if pending_events.names(project.log_directory):
        from progress_plugin.usecases.recording.record_events import drain  # noqa: PLC0415 - it records by this module

        drain(project, DEFAULT_TIMEOUT_S)


def renew(
    project: Project, read: Callable[[], Sources] | None = None, compared: Compared | None = None
) -> list[str]:
    """Renew summary and cache; where that cannot be the next start does it, since the log has changed.

    `read` is a shorter way to everything there is than reading it, `compared` as for `regenerate`.

    What was written before counts, so no failure here may look like its own: somebody would write it again.
    """
    try:
        regenerate(project, DEFAULT_TIMEOUT_S, read() if read else None, compared)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []


def _have_others_renewed(project: Project) -> None:
    """Leave it to another process to renew what other worktrees keep that was made from the same log.

    Where none can be started, their next start does it.
    """
    if any(has_start_cache(root) for root in project.roots() - {project.root}):
        from progress_plugin.usecases.recording.background import start_background  # noqa: PLC0415 - few have worktrees

        try:
            pending_events.want_summary(project.log_directory)
            start_background(project)
        except (AgentProgressError, OSError):
            return


def _dressed(draft: EntryDraft, project: Project, branch: str | None, session: str | None) -> EntryDraft:
    """Add where and by whom: branch and worktree of the checkout, the client's session."""
    data = draft.data
    if session and isinstance(data, dict) and "session_id" not in data:
        data = {**data, "session_id": session}
    return draft._replace(data=data, branch=branch, worktree=project.worktree)
