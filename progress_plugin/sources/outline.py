"""Recognise plans and logs by their structure: boxes, tables with statuses, dated entries, lists of objects.

This counts, it does not read: what an item is and how it ended is the matter of the readers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from progress_plugin.sources.found import Kind, Outline
from progress_plugin.sources.names import read_table

MAX_DEPTH = 6  # of lists within objects
MAX_IDS = 500
MAX_CHARS = 400_000  # of a Markdown document: its beginning and its end
MIN_ENTRIES = MIN_ITEMS = 2

_ID_KEYS = ("id", "title", "name", "description", "content", "task", "story", "key")
_STATUS_KEYS = ("status", "state", "passes", "passed", "done", "completed", "complete", "finished")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_BOX = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(.*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(.*)|\*\*(.{3,})\*\*:?\s*$")
_DATED_ITEM = re.compile(r"\s{0,3}(?:[-*+]\s+)?\W{0,3}(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4})\b")
_ID = re.compile(r"\b[A-Z][A-Z0-9]{0,9}-\d+(?:\.\d+)*\b")
_ITEM = re.compile(_ID.pattern + r"|^\W*(?i:task|step|story|phase|milestone|feature|issue) \d")
_ENTRY = re.compile(
    r"\d{4}[-/]\d\d?[-/]\d\d?|\d{4}年|\d{1,2}\.\d{1,2}\.\d{4}|"
    r"(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2},? \d{4}|"
    r"\b(?:session|iteration|entry|run|round|day|turn|attempt|loop)\b[ #:]*\d",
    re.IGNORECASE,
)
_STATUS_FIELD = re.compile(r"\W{0,6}(?:status|state|状态|статус)\W{0,4}[:：]\W{0,4}(.*)", re.IGNORECASE)
_BRANCH_FIELD = re.compile(
    r"\W{0,6}(?:feature |git )?branch(?: ?name)?\W{0,4}:[\s*`]*([\w./-]+)", re.IGNORECASE
)
_STATE_HEADING = re.compile(
    r"\b(?:current|next|status|focus|blockers?|remaining|pending|now|state|todo|open|done|completed|resume|"
    r"handoff|hand-off|summary)\b|下一步|当前|次の|дальше|сейчас|следующ",
    re.IGNORECASE,
)
_YAML_VALUE = re.compile(r"\s*(?:- )?[\w./-]+:\s*[\"']?([\w-]+)[\"']?\s*(?:#.*)?$")


def recognise(path: str, text: str) -> Outline:
    """Return what the structure of a file shows; `kind` is None if it is neither plan nor log."""
    lowered = path.lower()
    if lowered.endswith(".json"):
        return _outline_json(path, text)
    if lowered.endswith(".jsonl"):
        return _outline_json_lines(path, text)
    if lowered.endswith((".yaml", ".yml")):
        return _outline_yaml(text)
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS // 2]}\n{text[-MAX_CHARS // 2 :]}"
    return _outline_markdown(text)


@cache
def _words(group: str) -> frozenset[str]:
    return frozenset(
        word for name, words in read_table("words.tsv") if name == group for word in words.split()
    )


def _outline_json(path: str, text: str) -> Outline:
    try:
        data = json.loads(text)
    except ValueError as error:
        line = getattr(error, "lineno", 0)
        return Outline(problem=f"broken JSON at line {line}; correct {path} and it is read again")
    except RecursionError:
        return Outline(problem=f"JSON that is nested too deep; correct {path} and it is read again")
    branch = next(
        (data[key] for key in ("branchName", "branch") if isinstance(data, dict) and key in data), None
    )
    return _outline_objects(list(_leaves(data)), branch if isinstance(branch, str) else None)


def _outline_json_lines(path: str, text: str) -> Outline:
    objects, broken = [], 0
    for line in filter(str.strip, text.splitlines()):
        try:
            objects.append(json.loads(line))
        except (ValueError, RecursionError):
            broken += 1
    if broken and not objects:
        return Outline(problem=f"no line is valid JSON; correct {path} and it is read again")
    return _outline_objects([item for item in objects if _is_item(item)], None)


def _outline_objects(items: Sequence[dict[str, Any]], branch: str | None) -> Outline:
    words = [_first_word(next(item[key] for key in _STATUS_KEYS if key in item)) for item in items]
    ids = [str(item["id"]) for item in items if isinstance(item.get("id"), (str, int))]
    titles = [str(next((item[key] for key in _ID_KEYS[1:] if key in item), "")) for item in items]
    return _outline_plan(words, ids, branch, titles, minimum=1)


def _leaves(data: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """Yield the objects with a name and a status that hold no such objects themselves."""
    if depth > MAX_DEPTH:
        return
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    inner = [leaf for value in values for leaf in _leaves(value, depth + 1)]
    if inner:
        yield from inner
    elif depth and _is_item(data):
        yield data


def _is_item(data: Any) -> bool:
    return (
        isinstance(data, dict)
        and any(key in data for key in _ID_KEYS)
        and any(isinstance(data.get(key), (str, bool)) for key in _STATUS_KEYS)
    )


def _outline_yaml(text: str) -> Outline:
    values = [found[1].casefold() for line in text.splitlines() if (found := _YAML_VALUE.match(line))]
    boxes = [found[1].strip() for line in text.splitlines() if (found := _BOX.match(line))]
    known = _words("done") | _words("not-begun") | _words("under-way")
    words = [value for value in values if value in known] + boxes
    return _outline_plan(words, _ID.findall(text), None)


def _outline_markdown(text: str) -> Outline:
    lines = list(_lines_outside_fences(text))
    boxes = [found for line in lines if (found := _BOX.match(line))]
    headings = [found[1] or found[2] for line in lines if (found := _HEADING.match(line))]
    fields = [_first_word(found[1]) for line in lines if (found := _STATUS_FIELD.match(line))]
    cells = list(_status_cells(lines))
    words = [found[1].strip().casefold() for found in boxes] + cells + fields
    sections = [heading for heading in headings if _ITEM.search(heading)]
    branch = next((found[1] for line in lines if (found := _BRANCH_FIELD.match(line))), None)
    ids = _ID.findall("\n".join((*headings, *(found[2] for found in boxes))))
    entries = sum(bool(_ENTRY.search(heading)) for heading in headings)
    entries += sum(bool(_DATED_ITEM.match(line)) for line in lines)
    plan = _outline_plan(words, ids, branch, [found[2] for found in boxes])
    if entries >= MIN_ENTRIES and entries > len(boxes) + len(cells):
        return replace(plan, kind="log")
    if plan.kind is None and len(sections) >= MIN_ITEMS:
        return replace(plan, kind="plan", open_items=0, done_items=0)
    is_state = any(_STATE_HEADING.search(heading) for heading in headings)
    return plan if plan.kind else replace(plan, kind="state" if is_state else None)


def _outline_plan(
    words: Sequence[str],
    ids: Sequence[str],
    branch: str | None,
    titles: Sequence[str] = (),
    minimum: int = MIN_ITEMS,
) -> Outline:
    """Return the outline of a list of items with these statuses; a word that is not known counts as open."""
    done = sum(word in _words("done") for word in words)
    kind: Kind | None = "plan" if len(words) >= minimum else None
    few_ids, few_titles = frozenset(ids[:MAX_IDS]), frozenset(titles[:MAX_IDS])
    return Outline(kind, branch, len(words) - done, done, few_ids, few_titles)


def _status_cells(lines: Sequence[str]) -> Iterator[str]:
    """Yield the first word of each cell below a column that is headed as a status."""
    titles = _words("status-title")
    column = -1
    for line in lines:
        cells = [cell.strip(" *`_").casefold() for cell in line.strip().strip("|").split("|")]
        if "|" not in line:
            column = -1
        elif column < 0:
            column = next((place for place, cell in enumerate(cells) if cell in titles), -1)
        elif column < len(cells) and set(cells[column]) - set("-: "):
            yield _first_word(cells[column])


def _first_word(value: Any) -> str:
    words = re.sub(r"[*`_()\[\]:,.!]", " ", str(value).replace("_", "-")).casefold().split()
    return words[0] if words else ""


def _lines_outside_fences(text: str) -> Iterator[str]:
    is_code = False
    for line in text.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            yield line
