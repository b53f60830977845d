"""Make the items of a plan from the records of a JSON document."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from progress_plugin.model.status import Status
from progress_plugin.model.work import Item, Report, Source
from progress_plugin.plans.json_records import (
    Json,
    Record,
    children_of,
    date_of,
    describe,
    fields,
    first_text,
    values_of,
)
from progress_plugin.plans.status_phrases import comes_last, is_held_back, status_of_field
from progress_plugin.text.bounds import shortened

MAX_TITLE_CHARS = 300
MAX_QUOTED_CHARS = 80  # so many first characters of a text are compared to find its line in the file
MAX_NESTING = 30
DEFAULT_PRIORITY = 2.0  # of an item without a priority, if priorities order the other items of its list
MAX_OF_SCALE = 5  # larger numbers are positions or scores, not grades such as P2
MAX_PRIORITY = 1_000_000


@dataclass
class ParseState:
    """The JSON document that is being read, and the problems found in it so far."""

    path: str
    date: dt.date | None
    lines: dict[str, list[int]] = field(default_factory=dict)  # by the beginning of a quoted text
    unknown: Counter[str] = field(default_factory=Counter)  # status phrases that no table has
    problems: list[str] = field(default_factory=list)

    def line_of(self, text: str, after: int = 0) -> int:
        """Return the first line from number `after` on that has a text in quotes; 0 if no line has it."""
        lines = self.lines.get(text[:MAX_QUOTED_CHARS], [])
        return next((line for line in lines[bisect_left(lines, after) :]), 0)


def make_items(state: ParseState, records: list[Record], path: tuple[str, ...]) -> list[Item]:
    """Make the items of a list, and put each below the parent that its record or the form of its id names."""
    kept = [record for record in records if _is_item(record)]
    pairs = [(_item(state, record, path, number), record) for number, record in enumerate(kept, start=1)]
    by_id = {item.id: item for item, _ in pairs if item.id}
    groups = _members_of_groups(by_id)
    stated = {item: by_id.get(_parent_id(record, groups)) for item, record in pairs}
    parents = {item: parent for item, parent in stated.items() if parent and _has_top(item, stated)}
    for item, parent in parents.items():
        parent.children.append(item)
    return [item for item, _ in pairs if item not in parents]


def _is_item(record: Record) -> bool:
    is_deleted = first_text(record, "status") in fields()["deleted"]
    return not is_deleted and first_text(record, "type") not in fields()["types_without_work"]


def _members_of_groups(ids: Iterable[str]) -> dict[str, str]:
    """Map what the ids of a group's members begin with to the id of the group: `1-` to `epic-1`."""
    groups = {}
    for row in fields()["group_keys"]:
        for name in ids:
            if group := re.fullmatch(row["group"], name):
                groups[row["member"].format(group[1])] = name
    return groups


def _parent_id(record: Record, groups: dict[str, str]) -> str:
    links = record.get("dependencies")
    for link in links if isinstance(links, list) else ():
        if isinstance(link, dict) and link.get("type") in fields()["parent_links"]:
            return str(link.get("depends_on_id") or link.get("id") or "")
    if parent := first_text(record, "parent"):
        return parent
    key = first_text(record, "id")
    return next((group for beginning, group in groups.items() if key.startswith(beginning)), "")


def _has_top(item: Item, parents: Mapping[Item, Item | None]) -> bool:
    """Return whether an item has fewer than 30 ancestors; with parents in a circle they have no end."""
    above: Item | None = item
    for _ in range(MAX_NESTING):
        above = parents.get(above) if above else None
    return above is None


def _item(state: ParseState, record: Record, path: tuple[str, ...], number: int) -> Item:
    name = first_text(record, "id")
    title = first_text(record, "title") or describe(record) or name
    line = state.line_of(name) or state.line_of(title)
    source = Source(state.path, line, date=date_of(record, "date") or state.date)
    key = (*path, name or str(number))
    item = Item(key, shortened(title, MAX_TITLE_CHARS), source, id=name or None)
    status, phrase = _status(state, record, name or title)
    reason = first_text(record, "reason") if status in {Status.BLOCKED, Status.FAILED, Status.SKIPPED} else ""
    item.reports.append(Report(status, reason or phrase, source, is_plan=True))
    item.depends_on = tuple(_dependencies(record))
    item.deferred_until = date_of(record, "deferred_until")
    item.is_offered = not _is_record_held_back(record, phrase)
    item.criteria = tuple(_steps(record))
    names = [
        first_text(each, "name") if isinstance(each, dict) else each for each in values_of(record, "files")
    ]
    item.files = tuple(name for name in names if name and isinstance(name, str))
    description = first_text(record, "description")
    item.description = "" if description == title else description
    item.notes, item.agent = first_text(record, "notes"), first_text(record, "agent")
    item.lines = {text: state.line_of(text, line) for text in (*item.criteria, item.notes)}
    item.attempts, item.priority = _attempts(record), _priority(record)
    children = children_of(record) if len(path) < MAX_NESTING else []
    item.children = make_items(state, children, key) if children else []
    return item


def _status(state: ParseState, record: Record, name: str) -> tuple[Status, str]:
    """Return the status of a record and its phrase. If only some of its fields say "done", it is not done.

    An `in_progress` flag that was left on a done item is ignored.
    """
    table, stated = fields(), []
    for field_name in (*table["status"], *table["done_flags"]):
        value = record.get(field_name)
        if isinstance(value, bool):
            stated.append((Status.DONE if value else Status.PENDING, f"{field_name}: {str(value).lower()}"))
        elif isinstance(value, str) and value.strip():
            status = status_of_field(value)
            if field_name in table["done_flags"] and status is None:
                status = Status.DONE if date_of(record, field_name) else None
                if status is None:
                    continue
            if status is None:
                state.unknown[shortened(value.strip(), 60)] += 1
            stated.append((status or Status.PENDING, value.strip()))
    has_ended = bool(stated) and all(status is Status.DONE for status, _ in stated)
    for field_name, status in table["flags"].items():
        if record.get(field_name) is True and not (has_ended and status == Status.ACTIVE.value):
            stated.append((Status(status), field_name))
    others = [pair for pair in stated if pair[0] not in {Status.PENDING, Status.DONE}]
    is_done = [status is Status.DONE for status, _ in stated]
    if any(is_done) and not all(is_done):
        phrases = " and ".join(phrase for _, phrase in stated)
        state.problems.append(f"{state.path}: {name} has {phrases}: correct one of them; counted as not done")
        return others[0] if others else next(pair for pair in stated if pair[0] is Status.PENDING)
    return others[0] if others else stated[0] if stated else (Status.PENDING, "")


def _is_record_held_back(record: Record, phrase: str) -> bool:
    table = fields()
    is_phrase_held_back = is_held_back(phrase) and not comes_last(phrase)
    if is_phrase_held_back or any(record.get(name) is True for name in table["held_back_flags"]):
        return True
    key = first_text(record, "id")
    return first_text(record, "type") in table["held_back_types"] or any(
        re.search(pattern, key) for pattern in table["held_back_keys"]
    )


def _dependencies(record: Record) -> Iterator[str]:
    for link in values_of(record, "depends_on"):
        other = link
        if isinstance(link, dict) and link.get("type", "") in fields()["blocking_links"]:
            other = link.get("depends_on_id") or link.get("id")
        if isinstance(other, str | int) and not isinstance(other, bool) and str(other).strip():
            yield str(other).strip()


def _steps(record: Record) -> Iterator[str]:
    for step in values_of(record, "criteria"):
        if isinstance(step, str) and step.strip():
            yield step.strip()
        elif isinstance(step, dict) and not _is_step_done(step):
            yield first_text(step, "title") or describe(step)


def _is_step_done(step: Record) -> bool:
    table = fields()
    words = [step[name] for name in (*table["status"], *table["done_flags"]) if name in step]
    return any(
        word is True or (isinstance(word, str) and status_of_field(word) is Status.DONE) for word in words
    )


def _attempts(record: Record) -> int:
    return int(next((record[name] for name in fields()["attempts"] if isinstance(record.get(name), int)), 0))


def _priority(record: Record) -> float | None:
    value: Json = next((record[name] for name in fields()["priority"] if name in record), None)
    if isinstance(value, str):
        value = fields()["priorities"].get(value.strip().casefold())
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < MAX_PRIORITY else None


def normalise_priorities(items: list[Item]) -> list[Item]:
    """Give items without a priority the default, or remove all priorities if they do not order the items.

    They order nothing if those given are equal, or if the largest is above 5 and they fall or one is missing.
    """
    given = [item.priority for item in items if item.priority is not None]
    is_scale = max(given, default=0) <= MAX_OF_SCALE
    is_partial = len(given) < len(items) and not is_scale
    counts_down = given == sorted(given, reverse=True) and not is_scale
    for item in items:
        normalise_priorities(item.children)
        if is_partial or counts_down or len(set(given)) <= 1:
            item.priority = None
        elif item.priority is None:
            item.priority = DEFAULT_PRIORITY
    return items
