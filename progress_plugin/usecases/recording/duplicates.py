"""One finished story is one entry, however many signals report it, and no words are lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.blockers import same_task
from progress_plugin.log.entry import NO_REASON, EntryDraft, data_of, is_signal, text_of, texts_of, writer_of
from progress_plugin.log.merge import ALSO_ON, EARLIER, EARLIER_NOTES
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.reading import LogReading

_NO_FACTS = ("key", "plan", "session_id", "supplements", "client_task")  # say where a signal came from


def without_duplicates(
    drafts: Iterable[EntryDraft], reading: LogReading, branch: str | None, session: str | None
) -> list[EntryDraft]:
    """Return the drafts to append: new ones, and supplements to known entries that gain facts.

    An entry of another clone is never supplemented: a person who says here that it is done gets an entry of
    their own, and a signal gets none. What is finished on a branch on which it was not is news by that alone.
    """
    logged = reading.log.stories_logged()
    known = [*(entry for entry in logged if entry.get("type") == "task_completed"), *reading.log.blockers()]
    ours = [entry for entry in known if writer_of(entry) is None]
    others = [entry for entry in known if writer_of(entry) is not None]
    kept: list[EntryDraft] = []
    for draft in drafts:
        if "supplements" in draft.data:
            kept.append(draft)
            continue
        entry = _find_same(draft, ours, logged, session)
        if entry is None:
            if draft.signal is None or _find_same(draft, others, logged, session) is None:
                kept.append(draft)
                ours.append(as_entry(draft, session))
            continue
        addition = _addition(draft, entry, branch, session)
        if addition is not None and entry.get("id"):
            kept.append(draft._replace(data={**addition, "supplements": entry["id"]}))
    return kept


def as_entry(draft: EntryDraft, session: str | None) -> dict[str, Any]:
    """Return a draft as the entry it will become, without id and time."""
    entry = draft._asdict() | {"id": None, "data": {**draft.data, "session_id": session}}
    return {name: value for name, value in entry.items() if value is not None or name == "id"}


def is_elsewhere(entry: dict[str, Any], branch: str | None) -> bool:
    """Return whether an entry was written on other branches only."""
    written_on = text_of(entry, "branch")
    return bool(branch and written_on and written_on != branch and branch not in texts_of(entry, ALSO_ON))


def _find_same(
    draft: EntryDraft, known: list[dict[str, Any]], logged: list[dict[str, Any]], session: str | None
) -> dict[str, Any] | None:
    """Return the newest known entry about the same completion or blocker."""
    new = as_entry(draft, session)
    return next(
        (
            entry
            for entry in reversed(known)
            if entry.get("type") == draft.type
            and _is_same(new, entry)
            and not _is_reopened(new, entry, logged)
        ),
        None,
    )


def _is_same(new: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return whether two entries report one event.

    They do if both have the same key of one plan; else, of one session, if they are about one task or have
    one title; else if a person names the task that a signal has reported.
    """
    is_said = not is_signal(new)
    if is_said and _is_other_reason(new, entry):
        return False
    keys = [text_of(data_of(each), "key") for each in (new, entry)]
    plans = [_plan(each) for each in (new, entry)]
    is_one_plan = None in plans or plans[0] == plans[1]
    if keys[0] and keys[1] and keys[0].partition("|")[0] == keys[1].partition("|")[0]:
        return keys[0] == keys[1] and is_one_plan
    sessions = [data_of(each).get("session_id") for each in (new, entry)]
    tasks = [text_of(each, "task_id") for each in (new, entry)]
    is_one_task = bool(tasks[0] and tasks[1]) and same_task(new, entry)
    if tasks[0] and tasks[1] and not is_one_task:
        return False
    if sessions[0] == sessions[1] and (sessions[0] or is_said):
        is_completion = new["type"] == "task_completed"
        return (is_one_task and is_completion) or bool(_titles(new) & _titles(entry))
    is_unplanned = plans == [None, None] and None in sessions
    return is_said and is_one_task and new["type"] == "task_completed" and (is_signal(entry) or is_unplanned)


def _is_other_reason(new: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return whether two blockers that people stated have different reasons: each is resolved by itself."""
    if new["type"] != "task_blocked" or is_signal(entry):
        return False
    data, other = data_of(new), data_of(entry)
    reason = text_of(data, "issue") or text_of(data, "description")
    stated = (text_of(other, "issue"), text_of(other, "description"), *texts_of(other, EARLIER))
    known = {normalised(text) for text in stated if text and text != NO_REASON}
    return reason is not None and bool(known) and normalised(reason) not in known


def _is_reopened(new: dict[str, Any], entry: dict[str, Any], logged: list[dict[str, Any]]) -> bool:
    """Return whether a task without a plan was blocked after it was finished, so that it is finished anew."""
    if data_of(new).get("key") or entry.get("type") != "task_completed" or entry not in logged:
        return False
    later = logged[logged.index(entry) + 1 :]
    return any(each.get("type") == "task_blocked" and same_task(each, entry) for each in later)


def _plan(entry: dict[str, Any]) -> tuple[str | None, ...] | None:
    story = entry.get("story")
    if not isinstance(story, dict):
        return None
    return text_of(story, "plan"), text_of(story, "plan_id"), text_of(story, "branch")


def _titles(entry: dict[str, Any]) -> set[str]:
    story = entry.get("story")
    planned = text_of(story, "title") if isinstance(story, dict) else None
    return {normalised(text) for text in (planned, text_of(data_of(entry), "description")) if text} - {""}


def _addition(
    draft: EntryDraft, entry: dict[str, Any], branch: str | None, session: str | None
) -> dict[str, Any] | None:
    """Return what a draft adds to a known entry; None if it adds nothing."""
    known = data_of(entry)
    words = [text_of(known, "description"), *texts_of(known, EARLIER)]
    facts = {
        name: value
        for name, value in draft.data.items()
        if name not in _NO_FACTS
        and not (draft.signal and (name == "description" or value == NO_REASON))
        and value not in (None, "", [], {})
        and not (value in words if name == "description" else _holds(known.get(name), value))
        and not (name == "notes" and value in texts_of(known, EARLIER_NOTES))
    }
    # The client's task list repeats what it has reported, whatever branch is checked out by now.
    is_repeated = draft.signal not in {None, "plan"} and known.get("session_id") == session
    is_first_here = is_elsewhere(entry, branch) and not is_repeated
    if not facts and not is_first_here:
        return None
    if is_first_here and draft.signal is not None:
        named: dict[str, Any] = {
            name: draft.data[name] for name in ("description", "plan") if name in draft.data
        }
        facts = {**named, **facts}
    return {**facts, "key": known["key"]} if known.get("key") is not None else facts


def _holds(known: Any, value: Any) -> bool:
    if isinstance(known, list) and isinstance(value, list):
        return all(item in known for item in value)
    return bool(known == value)
