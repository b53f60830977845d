"""Task lists of Agent OS specs: ``.agent-os/specs/<spec>/tasks.json``, and ``tasks.md`` before it (S5.3).

The JSON is a flat list of tasks of which some name a ``parent``. The Markdown has tasks as headings
(``## Task 1: …``, ``#### T1.1: …``) with boxes for steps or, where no heading is a task, as the outermost
boxes. A file with neither is something else.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

from progress_plugin.model.story import Plan
from progress_plugin.plans import checklist, listing, outline
from progress_plugin.plans.checklist import box_with_parts, contradicts_itself, item_record, items
from progress_plugin.plans.findings import Findings
from progress_plugin.plans.legend import legend_of
from progress_plugin.plans.outline import Section
from progress_plugin.plans.record import Record, line, objects

FORMAT = "agent-os"
_TASK = re.compile(
    r"\W*(?:(?:task|aufgabe|tarea|tâche|任务|任務)\s*#?(?=\d)|(?=T\d))"
    r"(?P<number>T?\d+(?:\.\d+)*)(?!\w)[\s:：.)*–—-]*(?P<title>.*)$",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}-")


def spec_of(path: str) -> str:
    """Return the name of the spec a task file belongs to: its folder without the date."""
    return _DATE.sub("", posixpath.basename(posixpath.dirname(path)), count=1)


def read_json(path: str, document: Any) -> Plan | None:
    """Return the plan in a parsed tasks.json, or None where it holds no tasks."""
    entries = listing.find(document)
    if entries is None or not listing.holds_stories(entries):
        return None
    about = document if isinstance(document, dict) else {}
    findings = Findings()
    return Plan(
        path=path,
        format=FORMAT,
        stories=listing.stories(_nested(entries), legend_of(about), findings),
        name=line(about, "spec") or spec_of(path) or None,
        started=line(about, "created") or None,
        drift=findings.drift,
        problems=findings.problems,
    )


def read_markdown(path: str, source: str) -> Plan | None:
    """Return the plan in a tasks.md, or None where it holds neither task headings nor boxes."""
    sections = outline.sections(source)
    findings = Findings()
    records = _headed(sections, findings) or [
        box_with_parts(box) for section in sections for box in section.boxes
    ]
    if not records:
        return None
    return Plan(
        path=path,
        format=FORMAT,
        stories=checklist.stories(records, findings),
        name=spec_of(path) or outline.title(sections) or None,
        started=outline.label(sections, "created") or None,
        drift=findings.drift,
        problems=findings.problems,
    )


def _headed(sections: list[Section], findings: Findings) -> list[Record]:
    tasks = items(sections, _TASK)
    for task in tasks:
        if contradicts_itself(task):
            findings.contradiction("heading and status line disagree, the status line counts", task.number)
    return [item_record(task) for task in tasks]


def _nested(entries: list[Any]) -> list[Any]:
    """Return the entries with those that name a parent among them moved below it."""
    parents = {line(record, "id"): record for record in objects(entries)}
    children: dict[str, list[Record]] = {}
    top: list[Any] = []
    for entry in entries:
        parent = line(entry, "parent", "parent_id", "parentId") if isinstance(entry, dict) else ""
        if parent in parents and parents[parent] is not entry:
            children.setdefault(parent, []).append(entry)
        else:
            top.append(_lifted(entry) if isinstance(entry, dict) else entry)
    return [_with_children(entry, children) for entry in top]


def _with_children(entry: Any, children: dict[str, list[Record]]) -> Any:
    own = children.get(line(entry, "id"), []) if isinstance(entry, dict) else []
    return entry | {"subtasks": own} if own else entry


def _lifted(record: Record) -> Record:
    """Return a task with the dependencies that its ``parallelization`` holds."""
    parallel = record.get("parallelization")
    if isinstance(parallel, dict) and "blocked_by" in parallel and "blocked_by" not in record:
        return record | {"blocked_by": parallel["blocked_by"]}
    return record
