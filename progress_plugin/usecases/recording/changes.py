"""Entries for stories that plans and agents' logs call finished or blocked since they were last seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from progress_plugin.log.entry import AGENTS_LOG, NO_REASON, EntryDraft
from progress_plugin.model.status import FINISHED, TYPE_OF_STATUS, Status
from progress_plugin.model.work import AgentLog, Entry
from progress_plugin.plans.documents import FORMAT as WORK_LIST
from progress_plugin.state.decide import blocking_reason
from progress_plugin.state.state import ItemState, State
from progress_plugin.text.bounds import shortened
from progress_plugin.usecases.reading import Reading
from progress_plugin.usecases.recording.commits import Commit, Head
from progress_plugin.usecases.recording.last_seen import LastSeen, count_finished
from progress_plugin.usecases.recording.plan_snapshot import Change, PlanSnapshot, compare_plan
from progress_plugin.usecases.recording.stories import Target, explicit_plans, find_story

MAX_NOTE_CHARS = 1000


def find_changes(reading: Reading, stated: State, last_seen: LastSeen, head: Head) -> list[EntryDraft]:
    """Return entries for what has changed since the last look, and bring `last_seen` up to date.

    `stated` is what the files state without our own log.
    """
    is_silent = last_seen.is_first or head.is_foreign
    drafts = []
    for plan in stated.plans:
        changes, seen = compare_plan(plan, last_seen.plans.get(plan.plan.path), is_silent=is_silent)
        last_seen.plans[plan.plan.path] = seen
        drafts += [_draft_of_change(change, seen, head.commit) for change in changes]
    for log in reading.facts.inputs.logs:
        before, after = last_seen.logs.get(log.path), count_finished(log)
        last_seen.logs[log.path] = after
        if before is not None and not is_silent:
            new = [key for key, count in after.items() if count > before.get(key, 0)]
            drafts += _drafts_of_log(reading, last_seen, log, new, head.commit)
    last_seen.head = head.id
    return drafts


def draft_of_story(target: Target, to: Status, commit: Commit | None = None) -> EntryDraft:
    """Return the entry by which a signal says that a story is done or blocked."""
    data = _data(target.item, to, target.key(to), commit) | {"plan": target.path}
    return EntryDraft(
        TYPE_OF_STATUS[to],
        data,
        spec=target.spec,
        task_id=target.task_id,
        story=target.reference(),
        signal="plan",
    )


def _draft_of_change(change: Change, seen: PlanSnapshot, commit: Commit | None) -> EntryDraft:
    item = change.item.item
    proof = commit if commit and commit.proves(item.id) else None
    target = Target(change.plan, change.item, change.name, seen)
    if change.plan.plan.format != WORK_LIST:
        return draft_of_story(target, change.to, proof)
    data = _data(change.item, change.to, target.key(change.to), proof)
    return EntryDraft(TYPE_OF_STATUS[change.to], data, task_id=item.id, signal=AGENTS_LOG)


def _drafts_of_log(
    reading: Reading, last_seen: LastSeen, log: AgentLog, keys: list[str], commit: Commit | None
) -> Iterator[EntryDraft]:
    """Yield an entry for each new one in an agent's log; beside a plan only for the plan's stories."""
    counts = last_seen.logs[log.path]
    has_plan = bool(explicit_plans(reading.facts.state.plans))
    for key in keys:
        word, _, name = key.partition("|")
        status, proof = Status(word), commit if commit and commit.proves(name) else None
        entry = next(
            each
            for each in reversed(log.entries)
            if each.status is status and name in (*each.ids, each.title)
        )
        if not has_plan:
            yield _draft_without_plan(log, entry, name, counts[key], proof)
            continue
        target = find_story(reading, last_seen, name)
        if target is None or (status is Status.BLOCKED and target.item.status in FINISHED):
            continue
        draft = draft_of_story(target, status, proof)
        reason = "\n".join(entry.blockers)
        issue = {"issue": reason} if reason and not blocking_reason(target.item) else {}
        yield draft._replace(data=draft.data | issue, signal=AGENTS_LOG)


def _draft_without_plan(
    log: AgentLog, entry: Entry, name: str, count: int, commit: Commit | None
) -> EntryDraft:
    status = entry.status or Status.DONE
    data: dict[str, Any] = {
        "description": entry.title or name,
        "key": f"{log.path}|{name}|{status}|{count}",
    }
    if status is Status.BLOCKED:
        data["issue"] = "\n".join(entry.blockers) or NO_REASON
    data |= commit.as_data() if commit else {}
    task = name if name in entry.ids else None
    return EntryDraft(TYPE_OF_STATUS[status], data, task_id=task, signal=AGENTS_LOG)


def _data(state: ItemState, to: Status, key: str, commit: Commit | None) -> dict[str, Any]:
    item = state.item
    data: dict[str, Any] = {"description": item.title or item.id or "", "key": key}
    if item.notes:
        data["notes"] = shortened(item.notes, MAX_NOTE_CHARS)
    if to is Status.BLOCKED:
        data["issue"] = blocking_reason(state) or item.notes or NO_REASON
    return data | (commit.as_data() if commit else {})
