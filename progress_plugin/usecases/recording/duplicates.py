"""Recognise drafts whose event is logged already."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import NO_REASON, data_of, is_signal, text_of, writer_of
from progress_plugin.log.merge import may_be_one_story, same_task
from progress_plugin.text.labels import normalised
from progress_plugin.usecases.reading import LogReading

_ORIGIN_FIELDS = ("key", "plan", "session_id", "supplements", "client_task")  # say where a signal came from
Entry = dict[str, Any]


def without_duplicates(drafts: Iterable[Entry], reading: LogReading) -> list[Entry]:
    """Drop drafts that are logged already; turn drafts with new facts into supplements.

    The drafts come from `with_session`. An entry of another clone is never supplemented: a person who
    completes its story here gets an entry of their own, and a signal gets none.
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
    """Return the newest known entry about the same event; a task blocked since then can be finished again."""
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
        return keys[0] == keys[1] and may_be_one_story(new, entry)
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
