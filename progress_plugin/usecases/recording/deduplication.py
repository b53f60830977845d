"""One finished story is one entry, however many signals report it, and nobody's words are lost.

What counts as newly finished, and the key that is compared here, is in `plans.status_changes`; who asks is
`usecases.recording.entries_from_signals` for what was noticed, `usecases.recording.log_entry` for what was
said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from progress_plugin.log.entry import NO_REASON, EntryDraft, data_of, is_signal, text_of, texts_of, writer_of
from progress_plugin.log.events import event, planned_as
from progress_plugin.log.logged_blockers import TaskKey, same_task, task_key
from progress_plugin.log.supplements import EARLIER, EARLIER_NOTES
from progress_plugin.model.event import PlannedAs
from progress_plugin.plans.plan_and_story_identity import normalised
from progress_plugin.usecases.summarizing.sources import Sources

_NO_FACTS = ("key", "plan", "session_id", "supplements", "client_task")
"""Members that say where a signal came from, not what was done."""


def deduplicated(drafts: Iterable[EntryDraft], sources: Sources, session: str | None) -> list[EntryDraft]:
    """Return the drafts to append: new ones, and supplements where a known entry gains facts.

    A draft is known by its `data.key`, or, where one of the two has none, by session, task and title. A task
    that no plan knows is finished once, until something blocks it or another session finishes it. What
    somebody said is a fact; the title that a signal puts in its place is none. A blocker that was resolved is
    over: the next one on the same story is another, and so is one for another reason. An entry of another
    clone is never supplemented: who says here that it is done has an entry of one's own. What
    is finished on a branch where it was not yet is news by that alone (`_is_first_here`).
    """
    entries = sources.log.stories_logged()
    known = [*(each for each in entries if each.get("type") == "task_completed"), *sources.log.blockers()]
    reopened = cache(lambda: _reopened(entries))  # of what a signal reports nobody asks
    ours = [entry for entry in known if writer_of(entry) is None]
    others = [entry for entry in known if writer_of(entry) is not None]
    kept: list[EntryDraft] = []
    for draft in drafts:
        if "supplements" in draft.data:
            kept.append(draft)
            continue
        entry = _same(draft, ours, session, reopened)
        if entry is None and draft.signal is not None and _same(draft, others, session, reopened) is not None:
            continue  # a merge has brought it, and what a signal makes of that is no work of ours
        if entry is None:
            kept.append(draft)
            ours.append(as_entry(draft, session))
            continue
        facts = _new_facts(draft, data_of(entry))
        is_first_here = _is_first_here(draft, entry, sources.branch, session)
        if is_first_here and draft.signal is not None:
            facts = {"description": draft.data.get("description"), "plan": draft.data.get("plan"), **facts}
        if (facts or is_first_here) and entry.get("id"):
            # Should the entry be erased, this one takes its place, and is known by the same key.
            known_by = {"key": key} if (key := data_of(entry).get("key")) is not None else {}
            kept.append(draft._replace(data={**facts, **known_by, "supplements": entry["id"]}))
    return kept


def finished_elsewhere(drafts: Iterable[EntryDraft], sources: Sources) -> list[bool]:
    """Return of each draft whether it finishes here what an entry says was finished on another branch."""
    named = [
        text_of(draft.data, "supplements") if draft.type == "task_completed" else None for draft in drafts
    ]
    if not any(named):
        return [False for _ in named]
    known = {text_of(entry, "id"): entry for entry in sources.log.stories_logged()}
    entries = (known.get(name) if name is not None else None for name in named)
    return [entry is not None and event(entry, "", 0).is_elsewhere(sources.branch) for entry in entries]


def _is_first_here(draft: EntryDraft, entry: dict[str, Any], branch: str | None, session: str | None) -> bool:
    """Return whether a draft says on this branch what was said on others alone.

    Of signals those count by which a plan turned here, or another session finished its task: the list of the
    one that wrote the entry tells the same once more, whatever is checked out by now.
    """
    if not event(entry, "", 0).is_elsewhere(branch):
        return False
    if draft.signal is None:
        return True
    is_another = session is not None and session != data_of(entry).get("session_id")
    return draft.type == "task_completed" and (draft.signal == "plan" or is_another)


def as_entry(draft: EntryDraft, session: str | None) -> dict[str, Any]:
    """Return a draft as the entry it will become, but for id and time."""
    told = draft._asdict() | {"id": None, "data": {**draft.data, "session_id": session}}
    return {name: value for name, value in told.items() if value is not None or name == "id"}


def _same(
    draft: EntryDraft,
    known: list[dict[str, Any]],
    session: str | None,
    reopened: Callable[[], set[int]],
) -> dict[str, Any] | None:
    told = as_entry(draft, session)
    key = draft.data.get("key")
    entry: dict[str, Any]
    for entry in reversed(known):
        if entry.get("type") != draft.type or _is_another_blocker(draft, entry):
            continue
        if key is not None and data_of(entry).get("key") == key and _same_plan(told, entry):
            return entry
        if session and data_of(entry).get("session_id") == session and _same_words(told, entry):
            return entry
        if draft.signal is None and key is None and _only_noticed(told, entry):
            return entry
        is_said = draft.signal is None and key is None
        if is_said and _said_again(told, entry) and id(entry) not in reopened():
            return entry
    return None


def _is_another_blocker(draft: EntryDraft, known: dict[str, Any]) -> bool:
    """Return whether somebody gives another reason than somebody gave before: each is resolved by itself."""
    if draft.type != "task_blocked" or draft.signal is not None or is_signal(known):
        return False
    reason = text_of(draft.data, "issue") or text_of(draft.data, "description")
    data = data_of(known)
    said = (text_of(data, "issue"), text_of(data, "description"), *texts_of(data, EARLIER))
    given = {normalised(text) for text in said if text and text != NO_REASON}
    return reason is not None and bool(given) and normalised(reason) not in given


def _reopened(entries: Iterable[dict[str, Any]]) -> set[int]:
    """Return the completions, by identity, after which their task was blocked: it is finished anew then."""
    found: set[int] = set()
    finished: dict[TaskKey, list[dict[str, Any]]] = {}
    for entry in entries:
        if not text_of(entry, "task_id"):
            continue
        before = finished.setdefault(task_key(entry), [])
        if entry.get("type") == "task_completed":
            before.append(entry)
        elif entry.get("type") == "task_blocked":
            found.update(id(each) for each in before if same_task(each, entry))
    return found


def _same_plan(one: dict[str, Any], other: dict[str, Any]) -> bool:
    first, second = planned_as(one), planned_as(other)
    return first is None or second is None or not _differ(first, second)


def _differ(one: PlannedAs, other: PlannedAs) -> bool:
    """Return whether two entries name stories of two plans; a title may have been put in other words."""
    if one.path != other.path or (one.branch and other.branch and one.branch != other.branch):
        return True
    if one.plan_id and other.plan_id:
        return one.plan_id != other.plan_id
    return normalised(one.title) != normalised(other.title)


def _same_words(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two entries of one session say the same, and nothing distinguishes them."""
    if _decided(data_of(one).get("key"), data_of(other).get("key")):
        return False
    if text_of(one, "task_id") and text_of(other, "task_id") and not same_task(one, other):
        return False
    return bool(_titles(one) & _titles(other))


def _only_noticed(said: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return whether a signal alone has reported so far the task that somebody speaks about now."""
    named = text_of(said, "task_id") is not None and said.get("type") == "task_completed"
    return named and is_signal(entry) and same_task(said, entry)


def _said_again(said: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return whether somebody has said before what no plan knows: of the same task, else in the same words.

    Where a client does not name its session, another one may be the same.
    """
    if is_signal(entry) or planned_as(entry) is not None:
        return False
    first, second = (data_of(each).get("session_id") for each in (said, entry))
    if text_of(said, "task_id") and said.get("type") == "task_completed":
        return (first == second or None in (first, second)) and same_task(said, entry)
    return first == second and _same_words(said, entry)


def _titles(entry: dict[str, Any]) -> set[str]:
    planned = planned_as(entry)
    named = (planned.title if planned else "", text_of(data_of(entry), "description") or "")
    return {normalised(title) for title in named} - {""}


def _decided(first: Any, second: Any) -> bool:
    """Return whether both keys come from one plan, log or task list: then they alone decide."""
    if not (isinstance(first, str) and isinstance(second, str)):
        return False
    return first.partition("|")[0] == second.partition("|")[0]


def _new_facts(draft: EntryDraft, known: dict[str, Any]) -> dict[str, Any]:
    said = [text_of(known, "description"), *texts_of(known, EARLIER)]
    return {
        name: value
        for name, value in draft.data.items()
        if name not in _NO_FACTS
        and not (draft.signal and (name == "description" or value == NO_REASON))
        and value not in (None, "", [], {})
        and not (value in said if name == "description" else _holds(known.get(name), value))
        and not (name == "notes" and value in texts_of(known, EARLIER_NOTES))
    }


def _holds(known: Any, value: Any) -> bool:
    """Return whether what is known says as much already."""
    if isinstance(known, list) and isinstance(value, list):
        return all(item in known for item in value)
    return bool(known == value)
