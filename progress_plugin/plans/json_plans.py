"""Read a plan from JSON or JSON lines by its structure: a list of objects, at least half with a status.

The list may have any key, up to eight levels deep. Under a known key such as `tasks` objects with an id or
title are enough. Instead of a list, it may be an object of items keyed by id, or a map from id to status.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator
from json import JSONDecodeError, loads
from typing import NamedTuple

from progress_plugin.core.errors import BadInput
from progress_plugin.model.work import PlanDocument
from progress_plugin.plans.json_items import MAX_QUOTED_CHARS, ParseState, make_items, normalise_priorities
from progress_plugin.plans.json_records import (
    Json,
    Record,
    are_named,
    children_of,
    fields,
    first_text,
    have_statuses,
    records_of,
)
from progress_plugin.text.patterns import LazyPattern

MAX_DEPTH = 8
SETTINGS_KEY = "optimization"  # of the settings of agent-progress in a plan
MAX_LINE_CHARS = 2_000  # so much of each line is searched for quoted texts
_QUOTED = LazyPattern(r'"((?:[^"\\]|\\.)+)"')


def read_json_plans(
    path: str, text: str, date: dt.date | None = None, active_tag: str | None = None
) -> list[PlanDocument]:
    """Read the plans of a JSON document: one, or one for each tag of Task Master, the active tag first.

    Raises BadInput if the text is not JSON; of JSON lines one object is enough.
    """
    if path.lower().endswith(".jsonl"):
        records, problems = _parse_lines(path, text)
        plan = read_document(path, text, date, {"issues": records})
        return [plan._replace(problems=(*problems, *plan.problems))] if plan else []
    document = _parse(path, text)
    tags = _tags(document)
    if len(tags) <= 1:
        plan = read_document(path, text, date, document)
        return [plan] if plan else []
    first = active_tag if active_tag in tags else "master" if "master" in tags else next(iter(tags))
    names = sorted(tags, key=lambda tag: tag != first)
    return [plan for tag in names if (plan := read_document(path, text, date, tags[tag], tag))]


def _parse(path: str, text: str) -> Json:
    try:
        return loads(text)
    except JSONDecodeError as error:
        reason = f"line {error.lineno}: {error.msg}"
    except (RecursionError, ValueError):
        reason = "nested too deeply, or a number is too long"
    raise BadInput(f"{path}: not valid JSON ({reason}); repair the file")


def _parse_lines(path: str, text: str) -> tuple[list[Record], list[str]]:
    """Parse JSON lines into records and problems; a later line with the same id replaces the earlier one."""
    records: dict[str, Record] = {}
    broken = []
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            record = loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            broken.append(number)
            continue
        if isinstance(record, dict):
            records[first_text(record, "id") or f"line {number}"] = record
    if broken and not records:
        raise BadInput(f"{path}: no line is a JSON object, e.g. line {broken[0]}; restore the file")
    shown = ", ".join(map(str, broken[:5]))
    return list(records.values()), [f"{path}: not JSON, left out: line {shown}"] if broken else []


def _tags(document: Json) -> dict[str, Json]:
    """Return the tags of a Task Master file by name: a tag is an object with a list below the key `tasks`."""
    if not isinstance(document, dict) or (
        isinstance(document.get("tasks"), list) and not _is_tag(document.get("master"))
    ):
        return {}
    tags = {name: value for name, value in document.items() if _is_tag(value)}
    if tags and isinstance(document.get("tasks"), list):
        tags["tasks"] = {"tasks": document["tasks"]}
    return tags


def _is_tag(value: Json) -> bool:
    return isinstance(value, dict) and isinstance(value.get("tasks"), list)


def read_document(
    path: str, text: str, date: dt.date | None, document: Json, tag: str = ""
) -> PlanDocument | None:
    """Read the parsed document of a file, e.g. of YAML, as a plan; None if it does not list work."""
    chosen = max(_item_lists(document), key=lambda each: each.rank, default=None)
    if chosen is None:
        return None
    state = ParseState(path, date, _lines_of_texts(text))
    items = make_items(state, chosen.records, (path, tag) if tag else (path,))
    top = document if isinstance(document, dict) else {}
    settings = top.get(SETTINGS_KEY)
    about = next((value for value in (top, *chosen.above) if first_text(value, "name")), top)
    return PlanDocument(
        path=path,
        name=tag or first_text(about, "name") or path,
        format="json",
        items=tuple(normalise_priorities(items)),
        branch=first_text(top, "branch") or first_text(about, "branch") or None,
        goal=first_text(about, "goal"),
        problems=tuple(state.problems),
        unknown_statuses=tuple(state.unknown.items()),
        has_statuses=any(item.states_status for item in items),
        settings=settings if isinstance(settings, dict) else {},
    )


def _lines_of_texts(text: str) -> dict[str, list[int]]:
    lines: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(text.split("\n"), start=1):
        for quoted in _QUOTED.findall(line[:MAX_LINE_CHARS]):
            lines[quoted.replace('\\"', '"')[:MAX_QUOTED_CHARS]].append(number)
    return lines


class _ItemList(NamedTuple):
    """A list of items in a document."""

    rank: tuple[int, int, int]  # greatest for a known key and children, then the outermost, then the longest
    records: list[Record]
    above: tuple[Record, ...]  # the objects around the list, the innermost first


def _item_lists(
    value: Json, keys: tuple[str, ...] = (), above: tuple[Record, ...] = ()
) -> Iterator[_ItemList]:
    if len(keys) > MAX_DEPTH:
        return
    records = records_of(value)
    is_known = bool(keys) and keys[-1] in fields()["lists"]
    if records and (have_statuses(records) or (is_known and are_named(records) and isinstance(value, list))):
        structure = int(is_known and have_statuses(records)) + int(any(map(children_of, records)))
        yield _ItemList((structure, -len(keys), len(records)), records, above)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _item_lists(inner, (*keys, str(key)), (value, *above))
    elif isinstance(value, list) and value:
        yield from _item_lists(value[0], (*keys, "0"), above)
