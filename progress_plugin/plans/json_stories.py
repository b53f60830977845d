"""Lists of stories in JSON, as prd.json, feature_list.json and task files of several tools have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from progress_plugin.model.status import Status
from progress_plugin.model.story import Story
from progress_plugin.plans.json_fields import (
    JsonRecord,
    flag,
    identifier,
    identifiers,
    line,
    number,
    objects,
    raw_line,
    text,
)
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import Legend
from progress_plugin.plans.story_priority import in_order
from progress_plugin.plans.story_status import (
    BEGUN_FLAGS,
    FLAGS,
    STATUS_FIELDS,
    apply_dependencies,
    is_deleted,
    recorded_status,
    says_pending,
)

LISTS = ("userStories", "user_stories", "stories", "items", "features", "tasks")
_OF_STORIES = frozenset({"userStories", "user_stories", "stories"})
"""Names that mean nothing else: their entries need no state to be stories."""
_OF_WORK = "tasks"
"""A name that lists of commands have, too: only entries with id and title are stories without a state."""
_COMMANDS = ("command", "cmd", "script", "run", "exec", "args", "shell")
GROUPS = ("phases", "epics")
DEPENDENCIES = ("dependsOn", "depends_on", "dependencies", "deps", "blockedBy", "blocked_by")
_TITLES = ("title", "name", "summary")
_CATEGORY = "category"
"""A story's name where each has another and none has a title; else it sorts them."""
_PROSE = ("description", "content", "text", "story", "feature")
_STATES = (*FLAGS, *STATUS_FIELDS, *BEGUN_FLAGS)
_NOTES = ("notes", "completionNotes", "completion_notes", "close_reason")
_ISSUES = ("blocked_reason", "blockedReason", "blocker", "issue", "failureReason", "failure_reason", "error")
_CRITERIA = ("acceptanceCriteria", "acceptance_criteria", "acceptance", "steps", "testStrategy")
_PARTS = ("subtasks", "tasks", "steps", "substeps")
_NAME_PARTS = 2
LINE_FIELD = "@line"
"""Key under which the readers of Markdown hand on the line a record was read from."""


def find(document: Any) -> list[Any] | None:
    """Return the list of stories in a document: bare, under one of `LISTS`, or spread over `GROUPS`."""
    if isinstance(document, list):
        return document
    if not isinstance(document, dict):
        return None
    lists = [entries for name in LISTS if (entries := _entries(document.get(name))) is not None]
    if lists:
        return next((entries for entries in lists if entries), [])
    for name in GROUPS:
        if groups := objects(document.get(name)):
            inner = [entry for group in groups for entry in find(_lists_of(group)) or ()]
            return inner or list(groups)
    return None


def holds_stories(entries: Sequence[Any]) -> bool:
    """Return whether a list can be stories: one entry must have a state, or criteria; an empty list can.

    Files of other tools under the same name list commands, requirements or feature flags.
    """
    records = objects(list(entries))
    return not entries or any(_is_story(record) for record in records)


def names_stories(document: Any) -> bool:
    """Return whether a document says by the name of its list that all in it are stories still to be done."""
    if not isinstance(document, dict):
        return False
    name = next((name for name in LISTS if _entries(document.get(name))), None)
    if name is None:
        groups = [_lists_of(group) for kind in GROUPS for group in objects(document.get(kind))]
        told = [group for group in groups if any(group.values())]
        return bool(told) and all(map(names_stories, told))
    entries = _entries(document[name]) or []
    if name in _OF_STORIES:
        return any(line(record, *_TITLES) or text(record, *_PROSE) for record in objects(entries))
    return name == _OF_WORK and all(isinstance(entry, dict) and _is_work(entry) for entry in entries)


def _is_work(record: JsonRecord) -> bool:
    return bool(line(record, "id") and line(record, "title")) and not any(map(record.get, _COMMANDS))


def stories(entries: Sequence[Any], legend: Legend, findings: PlanProblems) -> tuple[Story, ...]:
    """Return the stories of a list in file order, settled, with ids made unique."""
    found: list[Story] = []
    records: list[JsonRecord] = []
    taken: Counter[str] = Counter()
    gone = set()
    title_of = _category if _are_named_by_category(objects(list(entries))) else title
    for place, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            findings.problem("not an object, left out: entry", str(place))
        elif is_deleted(entry):
            gone.add(line(entry, "id"))
        else:
            records.append(entry)
            found.append(_story(entry, title_of(entry), len(found), taken, legend, findings))
    return in_order(apply_dependencies(found, findings, frozenset(gone)), records)


def unique(name: str, taken: Counter[str], findings: PlanProblems) -> str:
    """Return ``name``, numbered where an earlier story has it, and count it as taken."""
    chosen = name
    # Each round counts a name up, so that thousands of stories of one id stay linear.
    while chosen in taken:
        taken[name] += 1
        chosen = f"{name} ({taken[name]})"
    if chosen != name:
        findings.problem("the same id stands more than once, later ones are numbered", name)
    taken[chosen] = 1
    return chosen


def _are_named_by_category(records: Sequence[JsonRecord]) -> bool:
    if any(line(record, *_TITLES) for record in records):
        return False
    names = {_category(record).casefold() for record in records}
    return len(names) == len(records) > 1 and "" not in names


def _category(record: JsonRecord) -> str:
    return line(record, _CATEGORY)


def _story(  # noqa: PLR0913, PLR0917 - what a story is made of
    record: JsonRecord,
    named: str,
    position: int,
    taken: Counter[str],
    legend: Legend,
    findings: PlanProblems,
) -> Story:
    given = line(record, "id", "key", "storyId", "story_id")
    name = unique(given or str(position + 1), taken, findings)
    parts = tuple(_parts(record, name, legend))
    return Story(
        id=name,
        title=named,
        status=recorded_status(record, name, parts, _criteria(record), legend, findings),
        position=position,
        depends_on=identifiers(record, *DEPENDENCIES),
        attempts=number(record, "attempts"),
        agent=line(record, "delegatedTo", "delegated_to", "assignee", "assigned_to", "agent") or None,
        completed_at=line(record, "completedAt", "completed_at", "closed_at") or None,
        description=text(record, *_PROSE),
        notes="\n".join(note for name in _NOTES if (note := text(record, name))),
        issue=_issue(record),
        subtasks=parts,
        line=record.get(LINE_FIELD),
        positional=not given,
        criteria=tuple(each for each in _criteria(record) if isinstance(each, str) and each.strip()),
        says_pending=says_pending(record, legend),
    )


def _criteria(record: JsonRecord) -> list[object]:
    lists = (value for name in _CRITERIA if isinstance(value := record.get(name), list))
    return [criterion for each in lists for criterion in each]


def _issue(record: JsonRecord) -> str | None:
    reason = text(record, "blocked") if flag(record, "blocked") is None else ""
    return text(record, *_ISSUES) or reason or None


def title(record: JsonRecord) -> str:
    """Return the title of a story: its own, else the first line of its description, else its first texts."""
    if own := line(record, *_TITLES):
        return own
    if prose := text(record, *_PROSE):
        return raw_line(prose.splitlines()[0])
    texts = (
        raw_line(value) for name, value in record.items() if isinstance(value, str) and name not in _STATES
    )
    return ", ".join([value for value in texts if value][:_NAME_PARTS])


def _parts(record: JsonRecord, parent: str, legend: Legend) -> Iterator[Story]:
    """Yield the parts of a story that have a state of their own; plain texts are only its description."""
    parts = [part for name in _PARTS for part in objects(record.get(name))]
    for position, part in enumerate(parts):
        own = identifier(part.get("id")) or str(position + 1)
        yield Story(
            id=own if own.startswith(f"{parent}.") else f"{parent}.{own}",
            title=title(part),
            status=_part_status(part, legend),
            position=position,
            line=part.get(LINE_FIELD),
            depends_on=identifiers(part, *DEPENDENCIES),
        )


def _part_status(part: JsonRecord, legend: Legend) -> Status:
    passes, word = flag(part, *FLAGS), line(part, *STATUS_FIELDS)
    if passes is None:
        return legend.status(word) or Status.PENDING
    return Status.DONE if passes else Status.PENDING


def _is_story(record: JsonRecord) -> bool:
    return any(record.get(name) is not None for name in (*_STATES, *_CRITERIA))


def _entries(value: object) -> list[Any] | None:
    """Return a list as it is, and an object of objects as a list whose entries take their key for an id."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and value and all(isinstance(entry, dict) for entry in value.values()):
        return [{"id": key, **entry} for key, entry in value.items()]
    return None


def _lists_of(group: JsonRecord) -> JsonRecord:
    return {name: group[name] for name in LISTS if name in group}
