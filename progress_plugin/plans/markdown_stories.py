"""Stories from the check-boxes and headings of a Markdown plan, by way of the records of JSON.

The lines are read in `plans.markdown_plan`, the state in a title in `plans.title_status`. Which of several
statements of a heading's state counts is decided here (`item_record`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from progress_plugin.model.status import Status, parse_box, parse_status_phrase
from progress_plugin.model.story import Story
from progress_plugin.plans import json_stories
from progress_plugin.plans.json_fields import JsonRecord, identifiers
from progress_plugin.plans.json_stories import LINE_FIELD
from progress_plugin.plans.markdown_plan import Box, PlanSection
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import Legend
from progress_plugin.plans.title_status import plain, split_number, split_state
from progress_plugin.text.patterns import LazyPattern

_LEAD = LazyPattern(r"[\W_]+")
_TASK_WORD = LazyPattern(r"task\s*#?(?=\d)", re.IGNORECASE)
_DEPENDENCIES = ("dependencies", "depends on", "dependency", "abhängigkeiten", "依赖")


class Item(NamedTuple):
    """A heading that is a story, with everything below it up to the next heading of its rank."""

    number: str
    title: str
    section: PlanSection
    inner: list[PlanSection]
    """Sections inside it that are no items themselves."""
    parts: list[Item]
    """Items inside it."""

    @property
    def sections(self) -> list[PlanSection]:
        """Its own section and those inside it, in file order."""
        return [self.section, *self.inner]

    @property
    def status_line(self) -> str:
        """Text of its first status line, or nothing."""
        return next((section.status for section in self.sections if section.status), "")


def items(sections: Sequence[PlanSection], heading: LazyPattern) -> list[Item]:
    """Return the headings that match, nested ones inside the outer; groups ``number``, ``title`` name them.

    A single heading of level 1 is the title of the file, whatever it says.
    """
    top = 2 if sum(section.level == 1 for section in sections) == 1 else 1
    found: list[Item] = []
    open_items: list[Item] = []
    for section in sections:
        while open_items and section.level <= open_items[-1].section.level:
            open_items.pop()
        match = heading.match(section.text) if section.level >= top else None
        if match:
            item = Item(number=match["number"], title=_titled(match), section=section, inner=[], parts=[])
            (open_items[-1].parts if open_items else found).append(item)
            open_items.append(item)
        elif open_items:
            open_items[-1].inner.append(section)
    return found


def _titled(match: re.Match[str]) -> str:
    """Return the title of a heading, with a mark that precedes its number put at the end."""
    mark = _LEAD.match(match.string)
    return f"{match['title']} {mark[0].strip('*_ ')}".strip() if mark else match["title"]


def stories(records: list[JsonRecord], findings: PlanProblems) -> tuple[Story, ...]:
    """Return the stories of the records of a Markdown plan.

    A dependency is prose there ("Dependencies: none yet"), so only names of stories of the plan are taken.
    """
    known = {_bare(record["id"]): record["id"] for record in records if record["id"]}
    for record in records:
        named = (_bare(name) for name in identifiers(record, "dependsOn"))
        record["dependsOn"] = [known[name] for name in named if name in known]
    return json_stories.stories(records, Legend({}), findings)


def box_record(box: Box) -> JsonRecord:
    """Return a check-box as `json_stories` takes it: ticked is ``passes``, else sign or wording counts."""
    text, state = split_state(box.text)
    number, title = split_number(text)
    record: JsonRecord = {"id": number, "title": title}
    ticked = parse_box(box.mark[1]) is Status.DONE
    if ticked or box.mark == "[ ]":
        record["passes"] = ticked
        record["status"] = state if parse_status_phrase(state) else ""
    else:
        record["status"] = box.mark
    return _blocked(record, box.issue) | {LINE_FIELD: box.line}


def box_with_parts(box: Box) -> JsonRecord:
    """Return a check-box as a record, with the boxes right below it as its parts."""
    return box_record(box) | {"subtasks": [box_record(part) for part in box.parts]}


def item_record(item: Item) -> JsonRecord:
    """Return a heading as `json_stories` takes it.

    A result that is failed or blocked counts before its status line, and that before its wording.
    """
    title, in_heading = split_state(item.title)
    states = [state for state in (item.status_line, in_heading) if state]
    known = [state for state in (*_bad_results(item), *states) if parse_status_phrase(state)]
    record: JsonRecord = {
        "id": item.number,
        "title": plain(title) or item.number,
        "status": next(iter(known or states), ""),
        "subtasks": list(_parts(item)),
        "dependsOn": next(iter(_dependencies(item.sections)), ""),
        LINE_FIELD: item.section.line,
    }
    return _blocked(record, next((section.issue for section in item.sections if section.issue), None))


def contradicts_itself(item: Item) -> bool:
    """Return whether the status line and the heading of an item say different things."""
    statuses = {parse_status_phrase(item.status_line), parse_status_phrase(split_state(item.title)[1])}
    return len(statuses - {None}) > 1


def _parts(item: Item) -> Iterator[JsonRecord]:
    for section in item.sections:
        yield from (box_record(box) for box in section.boxes)
    for part in item.parts:
        record = item_record(part)
        # A heading without a status of its own has that of its boxes.
        yield from [record] if record["status"] else record["subtasks"] or [record]


def _bad_results(item: Item) -> Iterator[str]:
    """Yield a result that is worse than the status line says: complete, but failed."""
    for section in item.sections:
        if parse_status_phrase(section.result) in (Status.FAILED, Status.BLOCKED):
            yield section.result


def _dependencies(sections: Sequence[PlanSection]) -> Iterable[str]:
    for section in sections:
        yield from (section.labels[label] for label in _DEPENDENCIES if label in section.labels)


def _bare(name: str) -> str:
    return _TASK_WORD.sub("", name).strip().casefold()


def _blocked(record: JsonRecord, issue: str | None) -> JsonRecord:
    if issue is None or record.get("passes"):
        return record
    return record | {"blocker": issue, "status": "blocked"}
