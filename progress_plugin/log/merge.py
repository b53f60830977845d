"""The entries that count: supplements merged in, retracted ones left out; and the open blockers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from progress_plugin.log.entry import NO_REASON, canonical, data_of, is_signal, text_of, texts_of
from progress_plugin.text.labels import normalised, share_word

SUPPLEMENTED_BY = "supplemented_by"  # in a merged blocker: ids of its supplements, by which it is known, too
WAS_FINISHED = "finished"  # in a blocker's `story`: the story was done before it was blocked
_RESOLVING = ("task_completed", "debug_resolved")

_REFERENCES = frozenset({"retracts", "supplements", "mutes"})
EMPTY: tuple[Any, ...] = (None, "", [], {})

_Group = list[tuple[int, dict[str, Any]]]  # positions in the log, with the entries


def effective(entries: Iterable[dict[str, Any]], retracted_ids: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the entries without retracted ones, retractions and mutes, each with its supplements merged in.

    `retracted_ids` were retracted by other entries. A merged entry is a new object, at the position of
    the last part that a person or agent stated, else of the first part. Supplements of a missing or retracted
    entry become an entry of their own; those of a retracted one that were made from a signal are left out.
    """
    given = list(entries)
    gone = {*retracted(given), *retracted_ids}
    if not gone and not any(_REFERENCES & data_of(entry).keys() for entry in given):
        return given
    placed = []
    for group in _group(given, gone):
        stated = [position for position, entry in group if not is_signal(entry)]
        placed.append((max([group[0][0], *stated]), _merge(group)))
    return [entry for _, entry in sorted(placed, key=lambda pair: pair[0])]


def retracted(entries: Iterable[dict[str, Any]]) -> set[str]:
    return {name for entry in entries for name in texts_of(data_of(entry), "retracts")}


def find_muted(
    entries: Iterable[dict[str, Any]], retracted_ids: Iterable[str] = ()
) -> list[tuple[str, list[str]]]:
    """Return the id of each entry that mutes learnings and was not retracted, with their texts."""
    given = list(entries)
    found = [(text_of(entry, "id") or "", texts_of(data_of(entry), "mutes")) for entry in given]
    gone = {*retracted(given), *retracted_ids}
    return [(name, texts) for name, texts in found if texts and name not in gone]


def _group(given: list[dict[str, Any]], gone: set[str]) -> list[_Group]:
    """Return each entry together with its supplements, in log order."""
    by_id: dict[str, _Group] = {}
    groups: list[_Group] = []
    for position, entry in enumerate(given):
        data, entry_id = data_of(entry), text_of(entry, "id")
        roots = texts_of(data, "supplements")
        if texts_of(data, "retracts") or texts_of(data, "mutes"):
            continue
        group = next((by_id[name] for name in roots if name in by_id), None)
        if group is None:
            group = []
            groups.append(group)
        for name in (*roots, entry_id):
            if name is not None:
                by_id.setdefault(name, group)
        if entry_id not in gone and not (is_signal(entry) and gone & set(roots)):
            group.append((position, entry))
    return [group for group in groups if group]


def _merge(group: _Group) -> dict[str, Any]:
    """Return one entry: values of people and agents replace those of signals, newer values older ones.

    Lists are united.
    """
    parts = [entry for _, entry in group]
    first = parts[0]
    roots = texts_of(data_of(first), "supplements")
    if len(parts) == 1 and not roots:
        return first
    stated = [part for part in parts if not is_signal(part)]
    data = _merge_data([*(part for part in parts if is_signal(part)), *stated], parts)
    for field in ("description", "notes"):  # no words are lost: a paragraph for each text, the newest first
        texts = dict.fromkeys(text for part in reversed(stated) if (text := text_of(data_of(part), field)))
        if texts:
            data[field] = "\n\n".join(texts)
    if stated and data.get("issue") == NO_REASON:
        del data["issue"]
    if roots:
        data["supplements"] = roots
    whole = {name: value for part in reversed(parts) for name, value in part.items()} | first | {"data": data}
    for name in {"branch", "worktree"} - first.keys():  # an entry without a branch counts on every branch
        whole.pop(name, None)
    if stated:
        whole.pop("signal", None)
    for part in parts[1:]:
        if not is_signal(part) and "timestamp" in part:
            whole["timestamp"] = part["timestamp"]
    if first.get("type") == "task_blocked":
        names = [*roots, *texts_of(first, SUPPLEMENTED_BY), *(text_of(part, "id") for part in parts[1:])]
        whole[SUPPLEMENTED_BY] = [name for name in names if name]
    return whole


def _merge_data(weakest_first: list[dict[str, Any]], parts: list[dict[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    lists: dict[str, dict[str, Any]] = {}
    for part in weakest_first:
        data |= {name: value for name, value in data_of(part).items() if value not in EMPTY}
    for part in parts:
        for name, value in data_of(part).items():
            if isinstance(value, list):
                lists.setdefault(name, {}).update((canonical(item), item) for item in value)
    data |= {name: list(items.values()) for name, items in lists.items() if isinstance(data.get(name), list)}
    data.pop("supplements", None)
    return data


class Blockers(NamedTuple):
    """The `task_blocked` entries of a log, oldest first."""

    open: list[dict[str, Any]]
    ended: list[tuple[dict[str, Any], dict[str, Any]]]  # each with the entry that ends it


def read_blockers(entries: Iterable[dict[str, Any]]) -> Blockers:
    """Return the open and the ended blockers of effective entries in log order.

    A blocker ends with a later completion or fix of the same task, or with any entry whose `data.resolves`
    names it or one of its supplements.
    """
    given = list(entries)
    resolved = {name: entry for entry in reversed(given) for name in texts_of(data_of(entry), "resolves")}
    unresolved: dict[int, dict[str, Any]] = {}
    positions: dict[tuple[str, ...], list[int]] = {}  # of open blockers, by the names of their task
    ended = []
    for position, entry in enumerate(given):
        if entry.get("type") == "task_blocked":
            end = next((resolved[name] for name in blocker_ids(entry) if name in resolved), None)
            if end is not None:
                ended.append((entry, end))
                continue
            unresolved[position] = entry
            for task in names_of_task(entry):
                positions.setdefault(task, []).append(position)
        elif unresolved and entry.get("type") in _RESOLVING:
            candidates = {each for task in names_of_task(entry) for each in positions.get(task, ())}
            still_open = sorted(candidates & unresolved.keys())
            ends = [each for each in still_open if is_same_task(unresolved[each], entry)]
            ended += [(unresolved.pop(each), entry) for each in ends]
    return Blockers(list(unresolved.values()), ended)


def may_be_one_story(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return False if plan, branch or title show that two entries are about different stories."""
    first, second = one.get("story"), other.get("story")
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return True
    if any(first.get(name) != second.get(name) for name in ("plan", "branch")):
        return False
    return share_word(text_of(first, "title") or "", text_of(second, "title") or "")


def is_same_task(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether two entries are about one task: one story of one plan, else one spec and id."""
    return may_be_one_story(one, other) and not set(names_of_task(one)).isdisjoint(names_of_task(other))


def names_of_task(entry: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the names of an entry's task; entries about one task share a name."""
    yield from _stories(entry)
    if task := text_of(entry, "task_id"):
        yield "", (text_of(entry, "spec") or "").casefold(), task.casefold()


def blocker_ids(entry: dict[str, Any]) -> list[str]:
    """Return the ids by which a blocker can be resolved."""
    return [*texts_of(entry, "id"), *texts_of(entry, SUPPLEMENTED_BY)]


def _stories(entry: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield plan and name of the story that an entry is about; nothing without a plan.

    A plan may give its stories no ids: then the `task_id` of an entry is the title of the story.
    """
    story = entry.get("story")
    planned = story if isinstance(story, dict) else {}
    plan = text_of(planned, "plan")
    if not plan:
        return
    task, title = text_of(entry, "task_id"), normalised(text_of(planned, "title") or "")
    if task:
        yield plan, task.casefold()
    if title and (not task or normalised(task) == title):
        yield plan, f"title:{title}"
