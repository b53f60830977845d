"""Merge entries that add to an earlier one (`data.supplements`) into one, and leave out retracted entries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from progress_plugin.log.entry import NO_REASON, canonical, data_of, is_signal, text_of, texts_of

EARLIER = "earlier_descriptions"  # field of a merged entry: older descriptions, newest first
EARLIER_NOTES = "earlier_notes"  # field of a merged entry: older notes, newest first
SUPPLEMENTED_BY = "supplemented_by"  # member of a merged blocker: ids by which it can be resolved, too
ALSO_ON = "also_on"  # member of a merged entry: the other branches on which it was logged

_REFERENCES = frozenset({"retracts", "supplements", "mutes"})
_EVIDENCE = frozenset(
    {"supplements", "commit", "files_modified", "files", "duration_minutes", "completed_at"}
    | {"key", "plan", "session_id", "client_task"}
)
_EMPTY: tuple[Any, ...] = (None, "", [], {})

_Group = list[tuple[int, dict[str, Any]]]  # positions in the log, with the entries


def effective(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Return the entries that count: no retracted ones, no retractions and mutes, additions merged in.

    `hidden` are ids that were retracted elsewhere. A merged entry is a new object at the position of its last
    statement. Additions to an entry that is missing or retracted make an entry of their own.
    """
    given = list(entries)
    gone = {*retracted(given), *hidden}
    if not gone and not any(_REFERENCES & data_of(entry).keys() for entry in given):
        return given
    groups = _group(given, gone)
    placed = [(_last_position(group), _merge(group)) for group in groups]
    return [entry for _, entry in sorted(placed, key=lambda pair: pair[0])]


def retracted(entries: Iterable[dict[str, Any]]) -> set[str]:
    """Return the ids that entries take back."""
    return {name for entry in entries for name in texts_of(data_of(entry), "retracts")}


def find_muted(entries: Iterable[dict[str, Any]], hidden: Iterable[str] = ()) -> list[tuple[str, list[str]]]:
    """Return the id of each entry that mutes learnings and was not retracted, with their texts."""
    given = list(entries)
    found = [(text_of(entry, "id") or "", texts_of(data_of(entry), "mutes")) for entry in given]
    gone = {*retracted(given), *hidden}
    return [(name, texts) for name, texts in found if texts and name not in gone]


def is_evidence(entry: dict[str, Any]) -> bool:
    """Return whether an entry only proves another one, as a commit or changed files do."""
    return is_signal(entry) and data_of(entry).keys() <= _EVIDENCE


def renews(addition: dict[str, Any]) -> bool:
    """Return whether an addition makes the merged entry as new as itself; a signal does not."""
    return not is_signal(addition) or addition.get("type") == "session_ended"


def _group(given: list[dict[str, Any]], gone: set[str]) -> list[_Group]:
    """Return entries together with what adds to them, in log order."""
    by_id: dict[str, _Group] = {}
    groups: list[_Group] = []
    for position, entry in enumerate(given):
        data, own = data_of(entry), text_of(entry, "id")
        if texts_of(data, "retracts") or texts_of(data, "mutes"):
            continue
        roots = texts_of(data, "supplements")
        group = next((by_id[name] for name in roots if name in by_id), None)
        if group is None:
            group = []
            groups.append(group)
        for name in (*roots, own):
            if name is not None:
                by_id.setdefault(name, group)
        if own not in gone:
            group.append((position, entry))
    return [group for group in groups if any(not _is_orphaned(entry, gone) for _, entry in group)]


def _is_orphaned(entry: dict[str, Any], gone: set[str]) -> bool:
    """Return whether an entry only proves one that was retracted."""
    return is_evidence(entry) and not gone.isdisjoint(texts_of(data_of(entry), "supplements"))


def _last_position(group: _Group) -> int:
    return max([group[0][0], *(position for position, entry in group[1:] if renews(entry))])


def _merge(group: _Group) -> dict[str, Any]:
    """Return one entry: stated values before those of signals, newest before older ones, lists united."""
    parts = [entry for _, entry in group]
    first = parts[0]
    roots = texts_of(data_of(first), "supplements")
    if len(parts) == 1 and not roots:
        return first
    stated = [part for part in parts if not is_signal(part)]
    data = _merge_data([*(part for part in parts if is_signal(part)), *stated], parts)
    for field, earlier in (("description", EARLIER), ("notes", EARLIER_NOTES)):
        if older := _older_texts(stated, field, earlier, data.get(field)):
            data[earlier] = older
    if stated and data.get("issue") == NO_REASON:
        del data["issue"]
    if roots:
        data["supplements"] = roots
    whole = {name: value for part in reversed(parts) for name, value in part.items()} | first | {"data": data}
    for name in {"branch", "worktree"} - first.keys():  # what holds everywhere is not narrowed to one place
        whole.pop(name, None)
    if stated:
        whole.pop("signal", None)
        whole.setdefault("story", None)  # tells it from a signal of an older version
    for part in parts[1:]:
        if renews(part) and "timestamp" in part:
            whole["timestamp"] = part["timestamp"]
    branches = _branches(parts)
    if "branch" in first and len(branches) > 1:
        whole[ALSO_ON] = branches[1:]
    if first.get("type") == "task_blocked":
        names = [*roots, *texts_of(first, SUPPLEMENTED_BY), *(text_of(part, "id") for part in parts[1:])]
        whole[SUPPLEMENTED_BY] = [name for name in names if name]
    return whole


def _merge_data(ranked: list[dict[str, Any]], parts: list[dict[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    lists: dict[str, dict[str, Any]] = {}
    for part in ranked:
        data |= {name: value for name, value in data_of(part).items() if value not in _EMPTY}
    for part in parts:
        for name, value in data_of(part).items():
            if isinstance(value, list):
                lists.setdefault(name, {}).update((canonical(item), item) for item in value)
    data |= {name: list(items.values()) for name, items in lists.items() if isinstance(data.get(name), list)}
    data.pop("supplements", None)
    return data


def _older_texts(parts: list[dict[str, Any]], field: str, earlier: str, shown: Any) -> list[str]:
    texts = [
        text
        for part in reversed(parts)
        for text in (text_of(data_of(part), field), *texts_of(data_of(part), earlier))
        if text and text != shown
    ]
    return list(dict.fromkeys(texts))


def _branches(parts: list[dict[str, Any]]) -> list[str]:
    """Return the branches on which the work was logged, the first one first."""
    named = [
        branch
        for part in parts
        if text_of(part, "signal") != "commit"
        for branch in (text_of(part, "branch"), *texts_of(part, ALSO_ON))
    ]
    return list(dict.fromkeys(branch for branch in named if branch))
