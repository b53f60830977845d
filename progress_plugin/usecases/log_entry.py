"""Append entries to the log of a project, and renew what is made from it (S11.4, S14.7)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from progress_plugin.config.settings import Settings
from progress_plugin.core.clients import SESSION_VARIABLES
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.core.project import Project
from progress_plugin.log import spool, store
from progress_plugin.log.archive import Limits
from progress_plugin.log.entry import Draft, faults_of
from progress_plugin.model.status import Status
from progress_plugin.plans.naming import story_named
from progress_plugin.usecases.once import once_only, story_key
from progress_plugin.usecases.regenerate import lock_of, prepare, regenerate
from progress_plugin.usecases.seen import Seen
from progress_plugin.usecases.session import Session
from progress_plugin.usecases.sources import (
    Sources,
    after_append,
    inputs_under_lock,
    project_name,
    read_plans,
)

_TURNS = {"task_completed": Status.DONE, "task_blocked": Status.BLOCKED}
_KNOWN = "this was recorded already; nothing new to add"

PATIENCE = 10.0
"""Seconds to wait for another writer."""


class Told(NamedTuple):
    """What one session has to tell at one time."""

    drafts: Sequence[Draft]
    when: datetime
    """With its zone."""
    session: str | None


class Logged(NamedTuple):
    """What was written."""

    entries: list[dict[str, Any]]
    """As stored, without the `session_started` that may have gone before them."""
    notes: list[str]
    """What else happened: archived, recovered, redacted; one sentence each."""


def log_entry(  # noqa: PLR0913 - one parameter per field that S14.7 names
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
    """Append one entry that somebody asked for; the log is begun where there is none (S11.6).

    `now` carries its zone. Raises BadInput for what may not be written, Busy where another process holds
    the lock, AgentProgressError where the disk refuses; nothing is written then.
    """
    facts: dict[str, Any] = {} if data is None else data
    if isinstance(facts, dict):
        named = {"description": description, "learnings": list(learnings), "resolves": resolves}
        facts = {**facts, **{name: value for name, value in named.items() if value}}
    draft = Draft(type, facts, spec=spec, task_id=task_id)
    prepare(project)
    with lock_of(project, PATIENCE):
        drain_waiting(project)
        sources = read_plans(project, inputs_under_lock(project))
        drafts = _told_once(sources, draft, session)
        if not drafts:
            return Logged(entries=[], notes=[_KNOWN])
        logged = write(sources, drafts, now=now, session=session)
        return logged._replace(notes=[*logged.notes, *([sources.vanished] if sources.vanished else [])])


def _told_once(sources: Sources, draft: Draft, session: str | None) -> list[Draft]:
    """Give the draft of a plan's story the key that other signals of it will have (S11.3)."""
    to = _TURNS.get(draft.type)
    if to is None or faults_of(draft):
        return [draft]
    named = draft.task_id or str(draft.data.get("description") or "")
    story = story_named(sources.lead, named) if sources.lead and named else None
    key = story_key(sources, Seen(sources.project), story, to) if story else None
    if key is None:
        return [draft]
    task = draft.task_id or (None if story is None or story.positional else story.id)
    return once_only([draft._replace(task_id=task, data={**draft.data, "key": key})], sources, session)


def write(sources: Sources, drafts: Iterable[Draft], *, now: datetime, session: str | None) -> Logged:
    """Append drafts with branch, worktree and session, and renew the summary.

    Caller holds the lock, and has read `sources` under it; they are used up.
    """
    return write_all(sources, [Told(list(drafts), now, session)], now=now)


def write_all(sources: Sources, told: Iterable[Told], *, now: datetime) -> Logged:
    """Append what several sessions have to tell, by one write; otherwise as `write`."""
    project, settings = sources.project, sources.settings
    sessions: dict[str | None, Session] = {}
    drafts: list[Draft] = []
    owners: list[Session | None] = []
    """Whose entry each draft becomes; None for one that only begins a session."""
    for each in told:
        known = each.session in sessions
        own = sessions.setdefault(each.session, Session(project, each.session))
        first = None if known or not each.drafts else own.opening(each.when)
        for draft, owner in [*([(first, None)] if first else []), *((draft, own) for draft in each.drafts)]:
            dressed = _dressed(draft, project, sources.branch, each.session)
            drafts.append(dressed._replace(when=dressed.when or each.when))
            owners.append(owner)
    appended = store.append(
        project.log_directory,
        drafts,
        now=now,
        project_name=project_name(sources),
        limits=limits_of(settings),
        before=store.State(sources.log.log, sources.log.index),
    )
    pairs = list(zip(appended.entries, owners, strict=True))
    entries = [entry for entry, owner in pairs if owner is not None]
    for own in sessions.values():
        own.wrote(now, sum(_finishes(entry) for entry, owner in pairs if owner is own))
    notes = list(appended.notes)
    if settings.auto_generate and settings.summary_enabled:
        notes += renew(project, lambda: after_append(sources, appended.after))
    return Logged(entries=entries, notes=notes)


def drain_waiting(project: Project) -> None:
    """Record what hooks could not, as long as there is any: it happened before. Caller holds the lock."""
    if spool.names(project.log_directory):
        from progress_plugin.usecases.intake import drain  # noqa: PLC0415 - it records by this module

        drain(project)


def _finishes(entry: dict[str, Any]) -> bool:
    return entry["type"] == "task_completed" and "supplements" not in entry["data"]


def renew(project: Project, read: Callable[[], Sources] | None = None) -> list[str]:
    """Renew summary and cache; where that cannot be the next start does it, since the log has changed.

    `read` is a shorter way to everything there is than reading it.

    What was written before stands, so no failure here may look like its own: somebody would write it again.
    """
    try:
        regenerate(project, read() if read else None)
    except (AgentProgressError, OSError) as error:
        return [f"could not renew the summary: {error}"]
    return []


def _dressed(draft: Draft, project: Project, branch: str | None, session: str | None) -> Draft:
    """Add where and by whom: branch and worktree of the checkout (S5.1), the client's session."""
    data = draft.data
    if session and isinstance(data, dict) and "session_id" not in data:
        data = {**data, "session_id": session}
    return draft._replace(data=data, branch=branch, worktree=project.worktree)


def limits_of(settings: Settings) -> Limits:
    """Return when entries leave the log, as the settings say (S3.1)."""
    return Limits(
        entries=settings.archive_entries,
        days=settings.archive_days,
        ceiling=settings.archive_cap,
        floor=settings.archive_keep,
    )


def session_from_environment() -> str | None:
    """Return the session a command runs in, where its client says so."""
    return next((session for name in SESSION_VARIABLES if (session := os.environ.get(name))), None)
