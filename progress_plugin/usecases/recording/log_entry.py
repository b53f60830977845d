"""Append one entry that a person or an agent asked for: the command `log` and the tool `progress_log`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.log.entry import EntryDraft, judged, text_of, texts_of
from progress_plugin.log.merge import WAS_FINISHED
from progress_plugin.model.status import FINISHED, SCOPE_CHANGE, STATUS_OF_TYPE, Status
from progress_plugin.usecases.project_writes import prepare
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.recording.append import (
    Logged,
    of_session,
    without_duplicates,
    write_drafts,
)
from progress_plugin.usecases.recording.changes import describe_unknown, find_story
from progress_plugin.usecases.recording.last_seen import LastSeen, accept_as_seen
from progress_plugin.usecases.recording.record_events import drain
from progress_plugin.usecases.sharing import take_in_latest

KNOWN = "this was recorded already; nothing new to add"


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
    """Append one entry; the log is begun if there is none. `now` carries its zone.

    Raises BadInput for what may not be written, Busy if another process holds the lock, AgentProgressError if
    the disk refuses; nothing is written then.
    """
    named = {"description": description or None, "learnings": list(learnings) or None, "resolves": resolves}
    facts: Any = {} if data is None else data
    if isinstance(facts, dict):
        facts = {**facts, **{name: value for name, value in named.items() if value is not None}}
    draft = judged(EntryDraft(type, facts, spec=spec, task_id=task_id))
    prepare(project)
    drain(project, DEFAULT_TIMEOUT_S)
    take_in_latest(project, DEFAULT_TIMEOUT_S)
    notes: list[str] = []

    def find(reading: Reading, last_seen: LastSeen) -> list[EntryDraft]:
        reading.log.refuse_unknown(draft.data)
        found = _with_story(draft, reading, last_seen)
        notes[:] = describe_unknown(found, draft.spec, reading)
        is_about_story = draft.type in STATUS_OF_TYPE
        drafts = [of_session(found, session, now)]
        drafts = without_duplicates(drafts, reading) if is_about_story else drafts
        if drafts:
            accept_as_seen(reading)()  # what is finished from now on is news
        return drafts

    logged = write_drafts(project, DEFAULT_TIMEOUT_S, lambda: read_project(project), find, now)
    if logged is None:
        return Logged([], [*notes, KNOWN])
    lost = [logged.reading.lost_history] if logged.reading and logged.reading.lost_history else []
    return Logged(logged.entries, [*notes, *logged.notes, *lost])


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
    target = find_story(reading, last_seen, named, draft.spec) if named else None
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
