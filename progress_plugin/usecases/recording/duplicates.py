"""One finished story is one entry, however many signals report it, and no words are lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import NO_REASON, EntryDraft, data_of, is_signal, text_of, texts_of, writer_of
from progress_plugin.log.merge import EARLIER, EARLIER_NOTES, same_task
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.reading import LogReading

_NO_FACTS = ("key", "plan", "session_id", "supplements", "client_task")  # say where a signal came from
_Entry = dict[str, Any]


def without_duplicates(
    drafts: Iterable[EntryDraft], reading: LogReading, session: str | None
) -> list[EntryDraft]:
    """Return the drafts to append: new ones, and supplements to known entries that gain facts.

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
        new = as_entry(draft, session)
        entry = _find_same(new, ours)
        if entry is None:
            if draft.signal is None or _find_same(new, others) is None:
                kept.append(draft)
                ours.append(new)
            continue
        addition = _addition(draft, entry)
        if addition is not None and entry.get("id"):
            kept.append(draft._replace(data={**addition, "supplements": entry["id"]}))
    return kept


def as_entry(draft: EntryDraft, session: str | None) -> _Entry:
    """Return a draft as the entry it will become, without id and time."""
    entry = draft._asdict() | {"id": None, "data": {**draft.data, "session_id": session}}
    return {name: value for name, value in entry.items() if value is not None or name == "id"}


def _find_same(new: _Entry, known: list[_Entry]) -> _Entry | None:
    """Return the newest known entry about the same event; a task that was blocked later is finished anew."""
    is_unplanned_end = new["type"] == "task_completed" and not data_of(new).get("key")
    for entry in reversed(known):
        if entry.get("type") == new["type"]:
            if _is_same(new, entry):
                return entry
        elif is_unplanned_end and same_task(new, entry):
            return None
    return None


def _is_same(new: _Entry, entry: _Entry) -> bool:
    """Return whether two entries report one event.

    They do if both have the same key of one plan; else, of one session, if they are about one task or have
    one title; else if a person names the task that a signal has reported.
    """
    if not is_signal(new) and _is_other_reason(new, entry):
        return False
    keys = [text_of(data_of(each), "key") or "" for each in (new, entry)]
    if all(keys) and keys[0].partition("|")[0] == keys[1].partition("|")[0]:
        plans = [_plan(each) for each in (new, entry)]
        return keys[0] == keys[1] and (None in plans or plans[0] == plans[1])
    tasks = [text_of(each, "task_id") for each in (new, entry)]
    is_one_task = all(tasks) and same_task(new, entry)
    if all(tasks) and not is_one_task:
        return False
    sessions = [data_of(each).get("session_id") for each in (new, entry)]
    is_end = new["type"] == "task_completed"
    if sessions[0] == sessions[1] and (sessions[0] or not is_signal(new)):
        return (is_one_task and is_end) or bool(_titles(new) & _titles(entry))
    return is_one_task and is_end and not is_signal(new) and (is_signal(entry) or None in sessions)


def _is_other_reason(new: _Entry, entry: _Entry) -> bool:
    """Return whether two blockers that people stated have different reasons: each is resolved by itself."""
    if new["type"] != "task_blocked" or is_signal(entry):
        return False
    data, other = data_of(new), data_of(entry)
    reason = text_of(data, "issue") or text_of(data, "description")
    stated = (text_of(other, "issue"), text_of(other, "description"), *texts_of(other, EARLIER))
    known = {normalised(text) for text in stated if text and text != NO_REASON}
    return reason is not None and bool(known) and normalised(reason) not in known


def _plan(entry: _Entry) -> tuple[str | None, ...] | None:
    story = entry.get("story")
    return (
        tuple(text_of(story, name) for name in ("plan", "plan_id", "branch"))
        if isinstance(story, dict)
        else None
    )


def _titles(entry: _Entry) -> set[str]:
    story = entry.get("story")
    planned = text_of(story, "title") if isinstance(story, dict) else None
    return {normalised(text) for text in (planned, text_of(data_of(entry), "description")) if text} - {""}


def _addition(draft: EntryDraft, entry: _Entry) -> dict[str, Any] | None:
    """Return what a draft adds to a known entry; None if it adds nothing."""
    known = data_of(entry)
    earlier = {"description": texts_of(known, EARLIER), "notes": texts_of(known, EARLIER_NOTES)}
    facts = {
        name: value
        for name, value in draft.data.items()
        if name not in _NO_FACTS
        and not (draft.signal and (name == "description" or value == NO_REASON))
        and value not in (None, "", [], {})
        and not _holds(known.get(name), value)
        and value not in earlier.get(name, [])
    }
    if not facts:
        return None
    return {**facts, "key": known["key"]} if known.get("key") is not None else facts


def _holds(known: Any, value: Any) -> bool:
    if isinstance(known, list) and isinstance(value, list):
        return all(item in known for item in value)
    return bool(known == value)
