"""What must be known about the archive without opening it: `archive/index.json`.

It holds the size and time of each month, and the archived entries that still say something: the newest ones,
open blockers, the last word on each story, learnings. So readers treat log and index as one short log. If a
month has changed, the entries are chosen again from the months.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from progress_plugin import ARCHIVE_INDEX_FORMAT
from progress_plugin.core import data_directory
from progress_plugin.core.data_directory import root_of
from progress_plugin.core.files import write_atomic
from progress_plugin.log.archive import ARCHIVE_FOLDER, Move, month_names, read_month
from progress_plugin.log.entry import data_of, is_claim, text_of, texts_of, time_of, writer_of
from progress_plugin.log.headline import headline
from progress_plugin.log.merge import effective, find_muted, names_of_task, read_blockers, retracted
from progress_plugin.log.timestamp import written
from progress_plugin.text.bounds import counted, shortened
from progress_plugin.text.labels import normalised

INDEX_FILE = f"{ARCHIVE_FOLDER}/index.json"
OLD_STORY_TABLE = f"{ARCHIVE_FOLDER}/stories"  # of an earlier version, made from the months as the index is
MAX_NEWEST = 30  # the newest entries, which are always kept
MAX_STORIES = 200
MAX_LEARNINGS = 400  # entries with learnings
MAX_MENTIONS = 3  # entries that teach the same
MAX_TEXT_CHARS = 1000
MAX_ENTRY_CHARS = 8000

_STORY_TYPES = ("task_completed", "task_blocked")
_GONE = (-1, -1)  # size and time of a month that is not there
_REPAIR = "run `agent-progress repair`"


@dataclass
class Month:
    """One file of the archive as it was when it was read."""

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
    mutes: list[str] = field(default_factory=list)
    kept: list[dict[str, Any]] = field(default_factory=list)  # effective entries that still say something


@dataclass
class ArchiveIndex:
    """The months of an archive and the state of all their entries."""

    directory: str
    months: dict[str, Month] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)  # ids that were retracted when the entries were read
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

    def add(self, move: Move, hidden: Iterable[str]) -> None:
        """Add what was moved; read all months again if older entries or retractions are among it."""
        entries = [item for item in move.moved if isinstance(item, dict)]
        gone = {*hidden, *retracted(entries)}
        first = min(filter(None, map(time_of, entries)), default=None)
        is_older = first is not None and written(first) < (self.state.newest or "")
        for name, items in move.months.items():
            lost = self.months[name].lost if name in self.months else 0
            self.months[name] = Month(*_stat(self.directory, name), len(items), lost)
        hides_archived = (gone - {text_of(entry, "id") for entry in entries}) - self.hidden
        self.hidden |= gone
        if is_older or hides_archived:
            self.state = _fold_months(self.directory, self.months, self.hidden)
        else:
            self.state = _fold(self.state, move.moved, self.hidden)
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
    is_known = gone - {text_of(entry, "id") for entry in live} <= index.hidden
    if names and stats == stored and is_known:
        return index
    months, hidden = {}, index.hidden | gone
    for name in sorted({*names, *index.months}):
        log, known = read_month(directory, name), index.months.get(name)
        damage = log.read_only or ""
        if log.damage:
            path = f"{ARCHIVE_FOLDER}/{name}"
            damage = f"{path} does not parse ({log.damage}): it is read as far as it goes; {_REPAIR}"
        count = len(log.items)
        lost = max(known.count + known.lost - count, 0) if known else 0
        months[name] = Month(*stats.get(name, _GONE), count, lost, damage)
        hidden |= retracted(log.entries)
    state = _fold_months(directory, months, hidden)
    return ArchiveIndex(directory, months, hidden, state, is_stored=False)


def forget_index(directory: str) -> None:
    """Remove the index: what the months hold now counts as all there is. Caller holds the lock."""
    path = os.path.join(directory, INDEX_FILE)
    if os.path.lexists(path):
        os.unlink(path)


def _fold_months(directory: str, months: Mapping[str, Month], hidden: set[str]) -> ArchiveState:
    """Return the state of all entries in the archive."""
    state = ArchiveState()
    for name in sorted(months):
        state = _fold(state, read_month(directory, name).items, hidden)
    return state


def _fold(state: ArchiveState, items: Sequence[Any], hidden: set[str]) -> ArchiveState:
    """Return a state with more items, all of them newer than what was added before."""
    added = [item for item in items if isinstance(item, dict)]
    times = [written(when) for entry in added if (when := time_of(entry))]
    return ArchiveState(
        count=state.count + len(items),
        oldest=min([*filter(None, [state.oldest]), *times], default=None),
        newest=max([*filter(None, [state.newest]), *times], default=None),
        mutes=[*state.mutes, *(text for _, texts in find_muted(added, hidden) for text in texts)],
        kept=_choose(effective([*state.kept, *added], hidden)),
    )


def _choose(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entries that still say something, in their order; the newest ones are among them."""
    blockers = read_blockers(entries)
    chosen = {id(entry) for entry in (*entries[-MAX_NEWEST:], *blockers.open)}
    stories: set[str] = set()
    mentions: Counter[str] = Counter()
    teaching = 0
    for entry in reversed(entries):
        story = _story_of(entry)
        if story and story not in stories and len(stories) < MAX_STORIES:
            stories.add(story)
            chosen.add(id(entry))
        texts = [text for name in ("learnings", "root_cause") for text in texts_of(data_of(entry), name)]
        if teaching < MAX_LEARNINGS and any(mentions[text] < MAX_MENTIONS for text in texts):
            mentions.update(texts)
            teaching += 1
            chosen.add(id(entry))
    chosen |= {id(end) for blocker, end in blockers.ended if id(blocker) in chosen}
    return [_cut(entry) for entry in entries if id(entry) in chosen]


def _story_of(entry: dict[str, Any]) -> str | None:
    """Return which story an entry finishes, blocks or claims; one without an id is known by its title."""
    if is_claim(entry):
        return f"claim\t{writer_of(entry)}\t{text_of(entry, 'task_id')}"
    if entry.get("type") not in _STORY_TYPES:
        return None
    spec, task = text_of(entry, "spec") or "", text_of(entry, "task_id")
    if task:
        return f"{spec}\t{task}".casefold()
    if next(names_of_task(entry), None) is None and entry.get("type") == "task_blocked":
        return None
    return normalised(headline(entry))


def _cut(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry as it is, or with its long texts cut if it would bloat the index."""
    return entry if len(json.dumps(entry)) <= MAX_ENTRY_CHARS else _cut_texts(entry)


def _cut_texts(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return shortened(value, MAX_TEXT_CHARS, "…")
    if isinstance(value, list):
        return [_cut_texts(part) for part in value[-MAX_NEWEST:] if isinstance(part, str)]
    if isinstance(value, dict):
        parts = list(value.items())[:MAX_NEWEST] if depth <= 1 else []
        return {name: _cut_texts(part, depth + 1) for name, part in parts}
    return value


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
