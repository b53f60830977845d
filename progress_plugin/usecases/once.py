"""One finished story is one entry, however many signals tell of it (S11.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import Draft, data_of, text_of
from progress_plugin.model.status import Status
from progress_plugin.model.story import Story
from progress_plugin.plans.naming import normalised
from progress_plugin.plans.transitions import Transition, transitions
from progress_plugin.usecases.seen import Seen
from progress_plugin.usecases.sources import Sources

_NO_FACTS = ("key", "plan", "session_id", "description", "supplements", "client_task")
"""Members that tell where a signal came from, not what was done."""


def key_of(transition: Transition) -> str:
    """Return a transition's key as it stands in `data.key`."""
    return "|".join(str(part) for part in transition.key)


def story_key(sources: Sources, seen: Seen, story: Story, to: Status) -> str | None:
    """Return the key of the transition that a signal outside the leading plan tells of."""
    plan = sources.lead
    if plan is None:
        return None
    baseline = seen.plans.get(plan.path) or transitions(None, plan, sources.head)[1]
    return key_of(Transition(plan=plan.path, story=story, to=to, nth=baseline.nth(story, to)))


def once_only(drafts: Iterable[Draft], sources: Sources, session: str | None) -> list[Draft]:
    """Return the drafts to append: new ones, and supplements where a known entry gains facts.

    A draft is known by its `data.key`, or, where one of the two has none, by session and title.
    """
    known = [
        entry for entry in sources.log.entries if entry.get("type") in ("task_completed", "task_blocked")
    ]
    kept: list[Draft] = []
    for draft in drafts:
        if "supplements" in draft.data:
            kept.append(draft)
            continue
        entry = _same(draft, known, session)
        if entry is None:
            kept.append(draft)
            known.append({"id": None, "type": draft.type, "data": {**draft.data, "session_id": session}})
            continue
        facts = _new_facts(draft.data, data_of(entry))
        if facts and entry.get("id"):
            kept.append(draft._replace(data={**facts, "supplements": entry["id"]}))
    return kept


def _same(draft: Draft, known: list[dict[str, Any]], session: str | None) -> dict[str, Any] | None:
    key = draft.data.get("key")
    title = normalised(str(draft.data.get("description") or ""))
    entry: dict[str, Any]
    for entry in reversed(known):
        data = data_of(entry)
        if entry.get("type") != draft.type:
            continue
        if key is not None and data.get("key") == key:
            return entry
        same_title = title and title == normalised(text_of(data, "description") or "")
        if (
            same_title
            and session
            and data.get("session_id") == session
            and not _decided(key, data.get("key"))
        ):
            return entry
    return None


def _decided(first: Any, second: Any) -> bool:
    """Tell whether both keys come from one plan, log or task list: then they alone decide."""
    if not (isinstance(first, str) and isinstance(second, str)):
        return False
    return first.partition("|")[0] == second.partition("|")[0]


def _new_facts(data: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in data.items()
        if name not in _NO_FACTS and value not in (None, "", []) and not _holds(known.get(name), value)
    }


def _holds(known: Any, value: Any) -> bool:
    """Tell whether what is known says as much already."""
    if isinstance(known, list) and isinstance(value, list):
        return all(item in known for item in value)
    return bool(known == value)
