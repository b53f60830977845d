"""Append one entry that a person or an agent asked for: the command `log` and the tool `progress_log`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from progress_plugin.core.lock import DEFAULT_TIMEOUT_S
from progress_plugin.core.project import Project
from progress_plugin.core.session_state import note_ids
from progress_plugin.log.entry import EntryDraft, text_of, texts_of
from progress_plugin.log.explicit_entry_checks import judged, refuse_unknown
from progress_plugin.log.merge import WAS_FINISHED
from progress_plugin.model.status import FINISHED, SCOPE_CHANGE, STATUS_OF_TYPE, Status
from progress_plugin.summary.own_log import read_own_log
from progress_plugin.text.paths_in_text import may_name_paths
from progress_plugin.usecases.file_notes import CAUSE, note_id
from progress_plugin.usecases.project_writes import prepare, take_turn
from progress_plugin.usecases.reading import Reading, read_project
from progress_plugin.usecases.recording.append import Batch, Logged, Written, append, finish_write, under_lock
from progress_plugin.usecases.recording.duplicates import without_duplicates
from progress_plugin.usecases.recording.last_seen import (
    LastSeen,
    compare_plan,
    load_last_seen,
    save_last_seen,
    state_of_files,
)
from progress_plugin.usecases.recording.record_events import drain
from progress_plugin.usecases.recording.stories import describe_unknown, find_story
from progress_plugin.usecases.sharing import take_in_arrivals

MAX_STATEMENTS = 20  # of one entry: what was shown at files is bounded, too
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
    take_in_arrivals(project, DEFAULT_TIMEOUT_S)
    notes: list[str] = []

    def write(reading: Reading, is_last: bool) -> Written | None:
        reading = under_lock(reading, is_last=is_last)
        refuse_unknown(draft, reading.log)
        last_seen = load_last_seen(project)
        found = _with_story(draft, reading, last_seen)
        notes[:] = describe_unknown(found, draft.spec, reading)
        drafts = [found]
        if draft.type in STATUS_OF_TYPE:
            drafts = without_duplicates(drafts, reading, session)
        if not drafts:
            return None
        written = append(reading, [Batch(drafts, now, session)], now=now, last_seen=last_seen)
        _note_first_sight(reading, last_seen)
        return written

    written = take_turn(project, DEFAULT_TIMEOUT_S, lambda: read_project(project), write)
    if written is None:
        return Logged([], [*notes, KNOWN])
    logged = finish_write(written)
    _note_own_words(project, session, logged.entries)
    lost = written.reading.lost_history
    return Logged(logged.entries, [*notes, *logged.notes, *([lost] if lost else [])])


def _note_first_sight(reading: Reading, last_seen: LastSeen) -> None:
    """Keep plans that were never seen as they are now: what is finished from now on is news."""
    if last_seen.is_first:
        last_seen.head = reading.project.head()[1]
    for plan in state_of_files(reading).plans:
        if plan.plan.path not in last_seen.plans:
            last_seen.plans[plan.plan.path] = compare_plan(plan, None, is_silent=True)[1]
    save_last_seen(last_seen, reading.project)


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


def _note_own_words(project: Project, session: str | None, entries: Sequence[dict[str, Any]]) -> None:
    """Note what entries say of files as shown to the session that wrote them."""
    if not session:
        return
    own = read_own_log(entries)
    statements = [each.text for each in own.log.learnings]
    statements += [each.text for each in own.log.statements]
    statements += [each.text for each in own.stated.blockers]
    texts = [text for text in dict.fromkeys(statements) if may_name_paths(text) or text.startswith(CAUSE)]
    note_ids(session, project.root, [note_id(text) for text in texts[:MAX_STATEMENTS]])
