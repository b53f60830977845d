"""The tasks.json of an Agent OS spec: a flat list of tasks, of which some name a ``parent``.

It is at ``.agent-os/specs/<spec>/tasks.json``, beside or instead of a ``tasks.md``. Recognised by a list
of tasks of which one at least has a state.
"""

from __future__ import annotations

import posixpath
from typing import Any

from progress_plugin.model.story import Plan
from progress_plugin.plans import json_stories
from progress_plugin.plans.json_fields import JsonRecord, line, objects
from progress_plugin.plans.plan_file import PlanFile
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import legend_of
from progress_plugin.text.patterns import LazyPattern

FORMAT = "agent-os"
RECOGNISED_BY = (
    "JSON: a list as in prd; one entry at least has a state or acceptance criteria; children name a `parent`"
)
_DATE = LazyPattern(r"\d{4}-\d{2}-\d{2}-")


def spec_of(path: str) -> str:
    """Return the name of the spec a task file belongs to: its folder without the date."""
    return _DATE.sub("", posixpath.basename(posixpath.dirname(path)), count=1)


def recognises(file: PlanFile) -> bool:
    """Return whether a file is called as the tasks of a spec are."""
    return file.name == "tasks.json"


def read(file: PlanFile) -> Plan | None:
    """Return the plan in a tasks.json, or None where it holds no tasks."""
    document = file.document
    entries = json_stories.find(document)
    if entries is None or not json_stories.holds_stories(entries):
        return None
    about = document if isinstance(document, dict) else {}
    findings = PlanProblems()
    return Plan(
        path=file.path,
        format=FORMAT,
        stories=json_stories.stories(_nested(entries), legend_of(about), findings),
        name=line(about, "spec") or spec_of(file.path) or None,
        started=line(about, "created") or None,
        drift=findings.drift,
        problems=findings.problems,
    )


def _nested(entries: list[Any]) -> list[Any]:
    """Return the entries with those that name a parent among them moved below it."""
    parents = {line(record, "id"): record for record in objects(entries)}
    children: dict[str, list[JsonRecord]] = {}
    top: list[Any] = []
    for entry in entries:
        parent = line(entry, "parent", "parent_id", "parentId") if isinstance(entry, dict) else ""
        if parent in parents and parents[parent] is not entry:
            children.setdefault(parent, []).append(entry)
        else:
            top.append(_lifted(entry) if isinstance(entry, dict) else entry)
    return [_with_children(entry, children) for entry in top]


def _with_children(entry: Any, children: dict[str, list[JsonRecord]]) -> Any:
    own = children.get(line(entry, "id"), []) if isinstance(entry, dict) else []
    return entry | {"subtasks": own} if own else entry


def _lifted(record: JsonRecord) -> JsonRecord:
    """Return a task with the dependencies that its ``parallelization`` holds."""
    parallel = record.get("parallelization")
    if isinstance(parallel, dict) and "blocked_by" in parallel and "blocked_by" not in record:
        return record | {"blocked_by": parallel["blocked_by"]}
    return record
