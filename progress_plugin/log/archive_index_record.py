"""What the archive's index says about one month."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

from progress_plugin.log import archived_story_table
from progress_plugin.log.deciding_steps import deciding_steps
from progress_plugin.log.entry import canonical, data_of, entry_identity, text_of, texts_of, time_of
from progress_plugin.log.logged_blockers import month_blockers
from progress_plugin.log.recent_entries import headline
from progress_plugin.log.retractions import muted, retracted
from progress_plugin.log.supplements import ALSO_ON, SUPPLEMENTED_BY, effective, moves, parts_of_effective
from progress_plugin.log.timestamp import written
from progress_plugin.text.bounds import shortened

_KINDS: dict[str, Any] = {
    **dict.fromkeys(("size", "mtime", "count", "learnings_left_out"), int),
    **dict.fromkeys(("oldest", "newest", "problem"), str | None),
    **dict.fromkeys(("blockers", "closes", "renews", "retracts", "mutes"), list),
    **dict.fromkeys(("learnings", "stories", "steps", "tail"), list),
}
LEARNING_FIELDS = ("learnings", "root_cause")
"""Fields that teach something by themselves; what mended a cause is kept with it."""
_STORY_KEYS: tuple[str, ...] = (
    "id", "timestamp", "type", "spec", "task_id", "branch", ALSO_ON, "story", "signal", "writer",
)  # fmt: skip
_STORY_FACTS = ("plan", "key", "session_id")
"""Fields by which it is known whether a story is logged again (`usecases.recording.duplicates`)."""
_LONGEST_TEXT = 1000
_LONGEST_ENTRY = 8000
NEWEST = 30
"""Entries at the end of the archive that the index holds whole: as many as
`summary.unfinished_ends` looks at, and more than `recent` shows where nobody asks for more."""
_KNOWN_IN = ("stories", "steps", "blockers", "tail")
"""Members of a record that hold entries, those that hold more of one last."""
_LONGEST_TITLE = 200
"""Of a story with an id; one without is known by its title, which stays whole."""


_MOST_SUPPLEMENTS = 20
"""Ids of supplements, the newest, that are kept of a long entry, and branches."""
MonthRecord = dict[str, Any]
"""One month, as JSON:

- `size`, `mtime` (ns): stats of the file it was made from; `count`, `oldest`, `newest`: of all its entries
- `blockers`: entries open at the end of the month
- `closes`: what `partial_json.entry_identity` calls the blockers left open by earlier months that this one
resolves
- `renews`: ids of entries of earlier months of which this one says more: they are told here, not there
- `retracts`: ids that `data.retracts` names
- `mutes`: learnings that are not to be shown
- `learnings`, `stories`: the facts of `learnings` and `_stories`; `learnings_left_out`: how many went
- `steps`: the facts of `deciding_steps`
- `tail`: its last entries
- `problem`: why the figures are those of an earlier state of the file, or of a part of it; null as a rule
"""


def is_record(value: Any) -> bool:
    """Return whether a value read from the index is a record, since people and merges change files."""
    return isinstance(value, dict) and all(isinstance(value.get(key), kind) for key, kind in _KINDS.items())


def make(
    items: list[Any],
    stat: tuple[int, int],
    earlier: list[dict[str, Any]],
    hidden: set[str],
    before: Iterable[MonthRecord] = (),
) -> MonthRecord:
    """Return the record of a month with these items, given the blockers that `earlier` months left open.

    `before` are the records of those months: an entry there of which this one says more is told here.
    """
    all_entries = [item for item in items if isinstance(item, dict)]
    renewed = [entry for entry in supplemented(all_entries, before) if entry.is_renewed]
    roots = [entry.known for entry in renewed]
    renews = {text_of(root, "id") for root in roots}
    entries = effective([*roots, *all_entries], hidden)
    times = [when for entry in all_entries if (when := time_of(entry))]
    left = [blocker for blocker in earlier if text_of(blocker, "id") not in renews]
    still_blocked, resolved = month_blockers(entries, left)
    resolved += [blocker for blocker in earlier if text_of(blocker, "id") in renews]
    return {
        "size": stat[0],
        "mtime": stat[1],
        "count": len(items),
        "oldest": written(min(times)) if times else None,
        "newest": written(max(times)) if times else None,
        "blockers": [_small(entry) for entry in still_blocked],
        "closes": [entry_identity(blocker) for blocker in resolved],
        "renews": sorted(filter(None, renews)),
        "retracts": sorted(retracted(all_entries)),
        "mutes": muted(all_entries, hidden),
        "learnings": learnings(effective(all_entries, hidden) if roots else entries),
        "learnings_left_out": 0,
        "stories": _stories(entries),
        "steps": deciding_steps(_own_parts(roots, all_entries, hidden), _story),
        "tail": [_small(entry) for entry in entries[-NEWEST:]],
        "problem": None,
    }


class Supplemented(NamedTuple):
    """An archived entry that entries outside of its month add to."""

    known: dict[str, Any]
    """What the index knows of it: whole, or with a short title."""
    is_renewed: bool
    """Whether somebody says more of it, so that it is as new as that; evidence moves nothing."""


def supplemented(entries: Iterable[dict[str, Any]], records: Iterable[MonthRecord]) -> list[Supplemented]:
    """Return what the records of earlier months know of what these entries add to, oldest first."""
    given = list(entries)
    named: dict[str, bool] = {}
    for entry in given:
        if isinstance(data := entry.get("data"), dict) and "supplements" in data:
            for name in texts_of(data, "supplements"):
                named[name] = named.get(name, False) or moves(entry)
    if not named:
        return []  # nearly every log
    here = {text_of(entry, "id") for entry in given}
    found: dict[str, dict[str, Any]] = {}
    for record in records:
        for fact in chain(*(record[what] for what in _KNOWN_IN)):
            own = text_of(fact, "id")
            if own in named and own not in here:
                found.pop(own, None)
                found[own] = fact
    return [Supplemented(fact, named[own]) for own, fact in found.items()]


def _own_parts(
    roots: list[dict[str, Any]], entries: list[dict[str, Any]], hidden: set[str]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return wholes and parts of the month's own entries, given what they add to."""
    elsewhere = set(map(id, roots))
    return [pair for pair in parts_of_effective([*roots, *entries], hidden) if id(pair[1]) not in elsewhere]


def still_open(earlier: list[dict[str, Any]], record: MonthRecord) -> list[dict[str, Any]]:
    """Return the blockers that are open after a month, given those open before it."""
    closed = set(map(canonical, record["closes"]))
    kept = [blocker for blocker in earlier if canonical(entry_identity(blocker)) not in closed]
    return [*kept, *record["blockers"]]


def learnings(entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the facts that learnings are taken from, equal texts once with how often they were said.

    Each has text, field, count, id, spec, task_id, timestamp, the last five of the newest that says it, and a
    cause what mended it as `cure`, where that is known.
    """
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for entry in entries:
        about = {name: entry.get(name) for name in ("id", "spec", "task_id", "timestamp")}
        mended = shortened(text_of(data_of(entry), "resolution") or "", _LONGEST_TEXT, "…")
        for field in LEARNING_FIELDS:
            cure = mended if field == "root_cause" else ""
            for text in texts_of(data_of(entry), field):
                short = shortened(text, _LONGEST_TEXT, "…")
                before = found.pop((field, short, cure), None)
                count = before["count"] + 1 if before else 1
                found[field, short, cure] = {
                    "text": short,
                    **({"cure": cure} if cure else {}),
                    "field": field,
                    "count": count,
                    **about,
                }
    return list(found.values())


def _stories(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the last completion or blocker of each story, as an entry with little more than a title."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        key = (
            archived_story_table.key_of(entry)
            if entry.get("type") in archived_story_table.STORY_ENTRY_TYPES
            else None
        )
        if key is None:
            continue
        before = found.pop(key, None)
        data = data_of(entry)
        named = text_of(entry, "task_id") is not None
        title = text_of(data, "description") if named else headline(entry)
        title = title or (str(data_of(before)["description"]) if before else "")
        longest = _LONGEST_TITLE if named else _LONGEST_TEXT
        found[key] = _story(entry, shortened(title, longest))
    return list(found.values())


def _story(entry: dict[str, Any], title: str | None = None) -> MonthRecord:
    """Return an entry with little more than what it is about."""
    data = data_of(entry)
    if title is None:
        title = shortened(text_of(data, "description") or "", _LONGEST_TITLE)
    kept = {name: entry[name] for name in _STORY_KEYS if name in entry}
    facts = {name: data[name] for name in _STORY_FACTS if isinstance(data.get(name), str)}
    return {**kept, "data": {"description": title, **facts}}


def _small(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry as it is, or with its long texts cut where it would bloat the index.

    Which plan's story it is about stays: the same task of another plan is another task.
    """
    if len(json.dumps(entry)) <= _LONGEST_ENTRY:
        return entry
    short = {
        name: shortened(value, _LONGEST_TEXT, "…") if isinstance(value, str) else value
        for name, value in data_of(entry).items()
        if isinstance(value, str | int | float)
    }
    kept: MonthRecord = {name: value for name, value in entry.items() if isinstance(value, str)}
    if isinstance(story := entry.get("story"), dict):
        kept["story"] = {
            name: shortened(value, _LONGEST_TEXT) for name, value in story.items() if isinstance(value, str)
        }
    for name in (SUPPLEMENTED_BY, ALSO_ON):
        if name in entry:
            kept[name] = texts_of(entry, name)[-_MOST_SUPPLEMENTS:]
    return {**kept, "data": short}
