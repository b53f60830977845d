"""What must be known about the archive without opening it: `archive/index.json`.

It holds the size and time of each month, and one state that is folded from the archived entries in order of
time. If a month has changed, everything is folded again from the months.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from progress_plugin import ARCHIVE_INDEX_FORMAT
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.files import write_atomic
from progress_plugin.log.archive import ARCHIVE_FOLDER, Move, month_names, read_month
from progress_plugin.log.blockers import names_of_task, read_blockers
from progress_plugin.log.document import Log
from progress_plugin.log.entry import data_of, text_of, texts_of, time_of
from progress_plugin.log.headline import headline
from progress_plugin.log.merge import ALSO_ON, SUPPLEMENTED_BY, effective, find_muted, retracted
from progress_plugin.log.timestamp import written
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.labels import normalised

INDEX_FILE = f"{ARCHIVE_FOLDER}/index.json"
LEARNING_FIELDS = ("learnings", "root_cause")
MAX_NEWEST = 30  # entries that are kept whole
MAX_STORIES = 200  # with a short title; a blocked one stays as a blocker
MAX_LEARNINGS = 400
MAX_TEXT_CHARS = 1000
MAX_ENTRY_CHARS = 8000

_STORY_TYPES = ("task_completed", "task_blocked")
_STORY_KEYS = (
    "id", "timestamp", "type", "spec", "task_id", "branch", ALSO_ON, "story", "signal", "writer",
)  # fmt: skip
_STORY_FACTS = ("plan", "key", "session_id")
OLD_STORY_TABLE = f"{ARCHIVE_FOLDER}/stories"  # of an earlier version, made from the months as the index is
_GONE = (-1, -1)  # size and time of a month that is not there
_REPAIR = "run `agent-progress repair`"


@dataclass
class Month:
    """One file of the archive as it was when it was folded."""

    size: int
    mtime: int  # in nanoseconds
    count: int
    lost: int = 0  # entries that were there once
    damage: str = ""  # what is wrong with the file, with what to do


@dataclass
class ArchiveState:
    """What entries in order of time amount to."""

    count: int = 0
    oldest: str | None = None
    newest: str | None = None
    blockers: list[dict[str, Any]] = field(default_factory=list)  # open ones
    stories: dict[str, dict[str, Any]] = field(default_factory=dict)  # the newest, the last entry on each
    learnings: list[dict[str, Any]] = field(default_factory=list)  # the newest last
    mutes: list[str] = field(default_factory=list)
    last_entries: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class ArchiveIndex:
    """The months of an archive and the state of all their entries."""

    directory: str
    months: dict[str, Month] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)  # ids that were retracted when the entries were folded
    state: ArchiveState = field(default_factory=ArchiveState)
    is_stored: bool = True

    def problems(self) -> dict[str, str]:
        """Return what is wrong with months, by name, each a sentence with what to do."""
        found = {}
        for name, month in self.months.items():
            path = f"{ARCHIVE_FOLDER}/{name}"
            if month.damage:
                found[name] = month.damage
            elif month.size < 0:
                found[name] = f"{path} is gone, with {counted(month.lost, 'entry')}; {_REPAIR}"
            elif month.lost:
                every = counted(month.count + month.lost, "entry")
                found[name] = f"{path} holds {month.count} of {every}; {_REPAIR}"
        return found

    def find(self, ids: Iterable[str]) -> list[dict[str, Any]]:
        """Return what is known of the archived entries with these ids, oldest first."""
        wanted = set(ids)
        known = [*self.state.stories.values(), *self.state.blockers, *self.state.last_entries]
        found = {name: entry for entry in known if (name := text_of(entry, "id")) in wanted} if wanted else {}
        return list(found.values())

    def add(self, move: Move, hidden: Iterable[str]) -> None:
        """Fold what was moved; everything anew if older entries or retractions are among it."""
        entries = [item for item in move.moved if isinstance(item, dict)]
        gone = {*hidden, *retracted(entries)}
        first = min(filter(None, map(time_of, entries)), default=None)
        is_older = first is not None and written(first) < (self.state.newest or "")
        for name, items in move.months.items():
            lost = self.months[name].lost if name in self.months else 0
            self.months[name] = Month(*_stat(self.directory, name), len(items), lost)
        if is_older or (gone - {text_of(entry, "id") for entry in entries}) - self.hidden:
            self.state = fold_months(self.directory, self.months, self.hidden | gone)
        else:
            self.state = fold(self.state, move.moved, self.hidden | gone)
        self.hidden |= gone
        self.is_stored = False

    def save(self) -> None:
        """Write the index. Caller holds the lock."""
        value = {
            "format": ARCHIVE_INDEX_FORMAT,
            "hidden": sorted(self.hidden),
            "months": {name: asdict(month) for name, month in self.months.items()},
            "state": asdict(self.state),
        }
        path = os.path.join(self.directory, INDEX_FILE)
        write_atomic(path, json.dumps(value).encode(), root=root_of(self.directory), durable=False)
        table = os.path.join(self.directory, OLD_STORY_TABLE)
        if os.path.lexists(table):
            os.unlink(table)
        self.is_stored = True


def load_index(directory: str, entries: Iterable[dict[str, Any]] = ()) -> ArchiveIndex:
    """Return the index of the archive, made again in memory if it does not match the months.

    `entries` are those of the live log: what they retract in the archive is left out.
    """
    live = list(entries)
    gone = retracted(live)
    names = month_names(directory)
    index = _read_stored(directory) or ArchiveIndex(directory)
    if not names and not index.months:
        return ArchiveIndex(directory)
    stats = {name: _stat(directory, name) for name in names}
    stored = {name: (month.size, month.mtime) for name, month in index.months.items() if month.size >= 0}
    is_known = gone <= index.hidden or gone - {text_of(entry, "id") for entry in live} <= index.hidden
    if names and stats == stored and is_known:
        return index
    hidden, months, state = index.hidden | gone, {}, ArchiveState()
    archived_retractions: set[str] = set()
    for name in sorted({*names, *index.months}):
        log = read_month(directory, name)
        months[name] = _describe(name, log, stats.get(name, _GONE), index.months.get(name))
        archived_retractions |= retracted(log.entries)
        state = fold(state, log.items, hidden | archived_retractions)
    if not archived_retractions <= hidden:
        hidden |= archived_retractions
        state = fold_months(directory, months, hidden)
    return ArchiveIndex(directory, months, hidden, state, is_stored=False)


def forget_index(directory: str) -> None:
    """Remove the index: what the months hold now counts as all there is. Caller holds the lock."""
    path = os.path.join(directory, INDEX_FILE)
    if os.path.lexists(path):
        os.unlink(path)


def fold_months(directory: str, months: Mapping[str, Month], hidden: set[str]) -> ArchiveState:
    """Return the state of all entries in the archive."""
    state = ArchiveState()
    for name in sorted(months):
        state = fold(state, read_month(directory, name).items, hidden)
    return state


def fold(state: ArchiveState, items: Iterable[Any], hidden: set[str]) -> ArchiveState:
    """Return a state with more items, all of them newer than what was folded before."""
    given = list(items)
    every = [item for item in given if isinstance(item, dict)]
    added_to = {name for entry in every for name in texts_of(data_of(entry), "supplements")}
    known = ArchiveIndex("", state=state).find(added_to - {text_of(entry, "id") for entry in every})
    roots = {text_of(entry, "id") for entry in known}
    entries = effective([*known, *every], hidden)

    def kept(earlier: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return [entry for entry in earlier if not roots or text_of(entry, "id") not in roots]

    times = [written(when) for entry in every if (when := time_of(entry))]
    stories = {key: entry for key, entry in state.stories.items() if text_of(entry, "id") not in roots}
    for entry in entries:
        key = _story_key(entry)
        if key:
            stories.pop(key, None)
            stories[key] = _as_story(entry)
    return ArchiveState(
        count=state.count + len(given),
        oldest=min([*filter(None, [state.oldest]), *times], default=None),
        newest=max([*filter(None, [state.newest]), *times], default=None),
        blockers=[_small(entry) for entry in read_blockers([*kept(state.blockers), *entries]).open],
        stories=dict(list(stories.items())[-MAX_STORIES:]),
        learnings=_count_learnings(state.learnings, entries, known)[-MAX_LEARNINGS:],
        mutes=[*state.mutes, *(text for _, texts in find_muted(every, hidden) for text in texts)],
        last_entries=[*kept(state.last_entries), *map(_small, entries[-MAX_NEWEST:])][-MAX_NEWEST:],
    )


def _count_learnings(
    facts: list[dict[str, Any]], entries: Iterable[dict[str, Any]], known: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return facts with the learnings of more entries: equal texts once, with how often they were logged.

    Each has text, field, cure, count, and id, spec, task_id and timestamp of the newest entry that says it.
    What the `known` entries say, to which these add, was counted before.
    """
    found = {(fact["field"], fact["text"], fact["cure"]): fact for fact in facts}
    counted_before = {text_of(entry, "id"): data_of(entry) for entry in known}
    for entry in entries:
        about = {name: text_of(entry, name) for name in ("id", "spec", "task_id", "timestamp")}
        cure = shortened(text_of(data_of(entry), "resolution") or "", MAX_TEXT_CHARS, "…")
        for name in LEARNING_FIELDS:
            before_texts = texts_of(counted_before.get(text_of(entry, "id"), {}), name)
            for text in texts_of(data_of(entry), name):
                if text in before_texts:
                    continue
                key = name, shortened(text, MAX_TEXT_CHARS, "…"), cure if name == "root_cause" else ""
                before = found.pop(key, {"count": 0})
                found[key] = {
                    "field": key[0], "text": key[1], "cure": key[2], "count": before["count"] + 1, **about,
                }  # fmt: skip
    return list(found.values())


def _story_key(entry: dict[str, Any]) -> str | None:
    """Return which story an entry finishes or blocks; one without an id is known by its title."""
    if entry.get("type") not in _STORY_TYPES:
        return None
    spec, task = text_of(entry, "spec") or "", text_of(entry, "task_id")
    if task:
        return f"{spec}\t{task}".casefold()
    if next(names_of_task(entry), None) is None and entry.get("type") == "task_blocked":
        return None
    return f"\t\t{normalised(headline(entry))[:MAX_TEXT_CHARS]}"


def _as_story(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry with little more than what it is about."""
    data = data_of(entry)
    facts = {name: data[name] for name in _STORY_FACTS if isinstance(data.get(name), str)}
    title = text_of(data, "description") if text_of(entry, "task_id") else headline(entry)
    kept = {name: entry[name] for name in _STORY_KEYS if name in entry}
    return {**kept, "data": {"description": shortened(title or "", MAX_TEXT_CHARS), **facts}}


def _small(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry as it is, or with its long texts cut if it would bloat the index."""
    if len(json.dumps(entry)) <= MAX_ENTRY_CHARS:
        return entry
    data = {name: shortened(value, MAX_TEXT_CHARS, "…") if isinstance(value, str) else value
            for name, value in data_of(entry).items() if isinstance(value, str | int | float)}  # fmt: skip
    kept: dict[str, Any] = {name: value for name, value in entry.items() if isinstance(value, str)}
    if isinstance(story := entry.get("story"), dict):
        kept["story"] = {
            name: shortened(value, MAX_TEXT_CHARS) for name, value in story.items() if isinstance(value, str)
        }
    for name in (SUPPLEMENTED_BY, ALSO_ON):
        if name in entry:
            kept[name] = texts_of(entry, name)[-MAX_NEWEST:]
    return {**kept, "data": data}


def _describe(name: str, log: Log, stat: tuple[int, int], known: Month | None) -> Month:
    """Return a month as it is now; entries that the index knows of and that are missing are counted."""
    damage = log.read_only or ""
    if log.damage:
        damage = (
            f"{ARCHIVE_FOLDER}/{name} does not parse ({log.damage}): it is read as far as it goes; {_REPAIR}"
        )
    before = known.count + known.lost if known else 0
    return Month(*stat, len(log.items), max(before - len(log.items), 0), damage)


def _stat(directory: str, name: str) -> tuple[int, int]:
    try:
        status = os.stat(os.path.join(directory, ARCHIVE_FOLDER, name))
    except OSError:
        return _GONE
    return status.st_size, status.st_mtime_ns


def _read_stored(directory: str) -> ArchiveIndex | None:
    """Return the stored index; None if there is none that this version has written."""
    try:
        value = json.loads(data_directory.read(directory, INDEX_FILE) or b"null")
        if not isinstance(value, dict) or value["format"] != ARCHIVE_INDEX_FORMAT:
            return None
        months = {name: Month(**month) for name, month in value["months"].items()}
        return ArchiveIndex(directory, months, set(value["hidden"]), ArchiveState(**value["state"]))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None
