"""Which blockers are still open, and when two entries are about one task.

Of the log alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from progress_plugin.log.entry import data_of, is_signal, text_of, texts_of
from progress_plugin.log.supplements import SUPPLEMENTED_BY
from progress_plugin.text.normalise_title import normalised

WAS_FINISHED = "finished"
"""Field of a blocker's `story`: the plan called that finished already, and its word ends it not."""
RESOLVING = ("task_completed", "debug_resolved")
TaskKey = tuple[str | None, str | None]
"""Spec and task id, in small letters."""


def logged_blockers(
    entries: Iterable[dict[str, Any]], earlier: Iterable[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Return the `task_blocked` entries that nothing in the log resolves, oldest first, whatever their age.

    `entries` are effective ones in log order; `earlier` are blockers open before the first of them, as the
    archive's index says. A blocker ends with a later completion or fix of the same task (`same_task`), or
    with any entry whose `data.resolves` names its id, or that of a supplement, which is all one. What a plan
    says of its stories is not looked at here.
    """
    before, given = list(earlier), list(entries)
    if not before and all(entry.get("type") != "task_blocked" for entry in given):
        return []  # as in nearly every log, which is asked several times at an append
    return _parted([*before, *given])[0]


def blocker_ends(entries: Iterable[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return the `task_blocked` entries that one of these entries resolves, each with the one that does.

    `entries` are as for `logged_blockers`, which returns all others.
    """
    return _parted(list(entries))[1]


def _parted(
    given: list[dict[str, Any]],
) -> tuple[list[dict[str, Any]], list[tuple[dict[str, Any], dict[str, Any]]]]:
    """Return the blockers that are open, oldest first, and those resolved, each with what resolves it."""
    named = _resolved(given)
    unresolved: dict[int, dict[str, Any]] = {}
    places: dict[tuple[str, ...], list[int]] = {}
    """Of the blockers on what is named so."""
    over: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for place, entry in enumerate(given):
        if entry.get("type") == "task_blocked":
            by = next((named[name] for name in _names(entry) if name in named), None)
            if by is None:
                unresolved[place] = entry
                for name in names_of_task(entry):
                    places.setdefault(name, []).append(place)
            else:
                over.append((entry, by))
        elif unresolved and entry.get("type") in RESOLVING:
            about = {at for name in names_of_task(entry) for at in places.get(name, ())}
            ended = [at for at in sorted(about) if at in unresolved and same_task(unresolved[at], entry)]
            over += [(unresolved.pop(at), entry) for at in ended]
    return list(unresolved.values()), over


def _resolved(given: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return what resolves each id that entries resolve, with what is resolved by way of its supplement."""
    named = {name: entry for entry in reversed(given) for name in texts_of(data_of(entry), "resolves")}
    if named:  # a supplement that is not where its entry is stands for itself
        for entry in given:
            by = next((named[name] for name in _names(entry) if name in named), None)
            if by is not None:
                named |= dict.fromkeys(texts_of(data_of(entry), "supplements"), by)
    return named


def _names(entry: dict[str, Any]) -> list[str]:
    return [*texts_of(entry, "id"), *texts_of(entry, SUPPLEMENTED_BY)]


def month_blockers(
    entries: Iterable[dict[str, Any]], earlier: Iterable[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return which blockers of these entries are open at their end, and which `earlier` ones they resolve."""
    before = list(earlier)
    left = logged_blockers(entries, before)
    known, still = {id(blocker) for blocker in before}, {id(blocker) for blocker in left}
    own = [blocker for blocker in left if id(blocker) not in known]
    return own, [blocker for blocker in before if id(blocker) not in still]


def task_key(entry: dict[str, Any]) -> TaskKey:
    """Return (spec, task id): the same task of another spec is another task, in any letters."""
    spec, task = text_of(entry, "spec"), text_of(entry, "task_id")
    return spec and spec.casefold(), task and task.casefold()


def same_task(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two entries are about one task.

    Which story of which plan each was about when it was written decides, whatever it calls the spec. Where
    one of them names no plan, spec and id have to agree.
    """
    if _of_other_plans(one.get("story"), other.get("story")):
        return False
    first, second = set(_stories(one)), set(_stories(other))
    if first and second:
        return not first.isdisjoint(second)
    key = task_key(one)
    return key[1] is not None and key == task_key(other)


def names_of_task(entry: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield by what the task of an entry is found: every two of which `same_task` holds share one."""
    yield from _stories(entry)
    spec, task = task_key(entry)
    if task is not None:
        yield ("", spec or "", task)


def _stories(entry: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield plan and name of the story that an entry was about, as its key has them; nothing without a plan.

    Where no key says whether the story has an id, a task that is called as it may name it by its title.
    """
    story, data = entry.get("story"), data_of(entry)
    told: dict[str, Any] = story if isinstance(story, dict) else {}
    plan = text_of(told, "plan") or (text_of(data, "plan") if is_signal(entry) else None)
    if not plan:
        return
    key = text_of(data, "key") or ""
    if key.startswith(f"{plan}|"):
        yield plan, key.removeprefix(f"{plan}|").rsplit("|", 2)[0].casefold()
        return
    task, title = text_of(entry, "task_id"), normalised(text_of(told, "title") or "")
    if task:
        yield plan, task.casefold()
    if title and (not task or normalised(task) == title):
        yield plan, f"title:{title}"


def _of_other_plans(one: Any, other: Any) -> bool:
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return False
    if one.get("plan") != other.get("plan") or one.get("branch") != other.get("branch"):
        return True
    return one.get("plan_id") != other.get("plan_id") and one.get("title") != other.get("title")
