"""Which blockers of the log are still open, and when two entries are about one task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from progress_plugin.log.entry import data_of, is_signal, text_of, texts_of
from progress_plugin.log.merge import SUPPLEMENTED_BY
from progress_plugin.text.labels import normalised

WAS_FINISHED = "finished"  # field of a blocker's `story`: the plan had marked the story as done before
_RESOLVING = ("task_completed", "debug_resolved")


class Blockers(NamedTuple):
    """The `task_blocked` entries of a log, oldest first."""

    open: list[dict[str, Any]]
    ended: list[tuple[dict[str, Any], dict[str, Any]]]  # each with the entry that ends it


def read_blockers(entries: Iterable[dict[str, Any]]) -> Blockers:
    """Return which blockers are open after these effective entries in log order.

    A blocker ends with a later completion or fix of the same task, or with any entry whose `data.resolves`
    names it or one of its additions.
    """
    given = list(entries)
    resolved = _resolved(given)
    unresolved: dict[int, dict[str, Any]] = {}
    positions: dict[tuple[str, ...], list[int]] = {}  # of open blockers, by what names their task
    ended = []
    for position, entry in enumerate(given):
        if entry.get("type") == "task_blocked":
            end = next((resolved[name] for name in _ids(entry) if name in resolved), None)
            if end is not None:
                ended.append((entry, end))
                continue
            unresolved[position] = entry
            for task in names_of_task(entry):
                positions.setdefault(task, []).append(position)
        elif unresolved and entry.get("type") in _RESOLVING:
            candidates = {each for task in names_of_task(entry) for each in positions.get(task, ())}
            ends = [
                each for each in sorted(candidates & unresolved.keys()) if same_task(unresolved[each], entry)
            ]
            ended += [(unresolved.pop(each), entry) for each in ends]
    return Blockers(list(unresolved.values()), ended)


def same_task(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two entries are about one task: one story of one plan, else one spec and id."""
    if _are_of_other_plans(one.get("story"), other.get("story")):
        return False
    first, second = set(_stories(one)), set(_stories(other))
    if first and second:
        return not first.isdisjoint(second)
    key = _spec_and_task(one)
    return bool(key[1]) and key == _spec_and_task(other)


def names_of_task(entry: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield what names the task of an entry: entries about one task share a name."""
    yield from _stories(entry)
    spec, task = _spec_and_task(entry)
    if task:
        yield "", spec, task


def _resolved(given: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the resolving entry by each id that it resolves, and by the root of a resolved addition."""
    found = {name: entry for entry in reversed(given) for name in texts_of(data_of(entry), "resolves")}
    if found:
        for entry in given:
            end = next((found[name] for name in _ids(entry) if name in found), None)
            if end is not None:
                found |= dict.fromkeys(texts_of(data_of(entry), "supplements"), end)
    return found


def _ids(entry: dict[str, Any]) -> list[str]:
    return [*texts_of(entry, "id"), *texts_of(entry, SUPPLEMENTED_BY)]


def _spec_and_task(entry: dict[str, Any]) -> tuple[str, str]:
    return (text_of(entry, "spec") or "").casefold(), (text_of(entry, "task_id") or "").casefold()


def _stories(entry: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield plan and name of the story that an entry is about; nothing without a plan.

    A task without a key in the plan may name its story by the title.
    """
    story, data = entry.get("story"), data_of(entry)
    planned = story if isinstance(story, dict) else {}
    plan = text_of(planned, "plan") or (text_of(data, "plan") if is_signal(entry) else None)
    if not plan:
        return
    key = text_of(data, "key") or ""
    if key.startswith(f"{plan}|"):
        yield plan, key.removeprefix(f"{plan}|").rsplit("|", 2)[0].casefold()
        return
    task, title = text_of(entry, "task_id"), normalised(text_of(planned, "title") or "")
    if task:
        yield plan, task.casefold()
    if title and (not task or normalised(task) == title):
        yield plan, f"title:{title}"


def _are_of_other_plans(one: Any, other: Any) -> bool:
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return False
    if one.get("plan") != other.get("plan") or one.get("branch") != other.get("branch"):
        return True
    return one.get("plan_id") != other.get("plan_id") and one.get("title") != other.get("title")
