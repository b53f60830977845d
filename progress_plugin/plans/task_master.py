"""Task Master's tasks.json, plain and tagged, and the tools that use the same file name and shape.

Plain is ``{"tasks": […]}``, tagged ``{"<tag>": {"tasks": […]}, …}``. The tag that counts is named by
``state.json`` one folder up. Editors keep lists of commands under the same name: those have no states.
"""

from __future__ import annotations

import posixpath
from typing import Any

from progress_plugin.model.story import Plan
from progress_plugin.plans import json_stories
from progress_plugin.plans.json_fields import JsonRecord, line
from progress_plugin.plans.plan_file import PlanFile
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import legend_of

FORMAT = "task-master"
DEFAULT_TAG = "master"
RECOGNISED_BY = (
    "a list as in prd, under `tasks`; one entry at least has a state or acceptance criteria; or one such "
    "object per tag"
)
_AGENT_OS = ".agent-os/"
"""There a `tasks.json` is that of a spec, unless it is tagged."""


def recognises(file: PlanFile) -> bool:
    """Return whether a file is tagged, whatever its name, or is called tasks.json and no spec's."""
    return _is_tagged(file.document) or (file.name == "tasks.json" and _AGENT_OS not in file.path)


def read(file: PlanFile) -> Plan | None:
    """Return the plan in a tasks.json, or None where it holds no tasks.

    The state file, one folder up, is read only for a tagged file.
    """
    findings = PlanProblems()
    tag, branch = None, None
    document = file.document
    if _is_tagged(document):
        settings = file.other(_state_path(file.path))
        tag = _active_tag(_tags(document), settings if isinstance(settings, dict) else {}, findings)
        branch = _branch_of(tag, settings)
        document = document[tag]
    entries = json_stories.find(document)
    if entries is None or not json_stories.holds_stories(entries):
        return None
    about = document if isinstance(document, dict) else {}
    held = about.get("metadata")
    metadata = held if isinstance(held, dict) else {}
    return Plan(
        path=file.path,
        format=FORMAT,
        stories=json_stories.stories(entries, legend_of(about), findings),
        name=line(metadata, "projectName", "project") or (tag if tag != DEFAULT_TAG else None),
        branch=branch,
        started=line(metadata, "created", "createdAt", "generatedAt") or None,
        drift=findings.drift,
        problems=findings.problems,
    )


def _state_path(path: str) -> str:
    return posixpath.join(posixpath.dirname(posixpath.dirname(path)), "state.json")


def _is_tagged(document: Any) -> bool:
    return isinstance(document, dict) and "tasks" not in document and bool(_tags(document))


def _tags(document: JsonRecord) -> list[str]:
    return [
        tag
        for tag, held in document.items()
        if isinstance(held, dict) and isinstance(held.get("tasks"), list)
    ]


def _active_tag(tags: list[str], settings: JsonRecord, findings: PlanProblems) -> str:
    wanted = line(settings, "currentTag")
    fallback = DEFAULT_TAG if DEFAULT_TAG in tags else tags[0]
    if wanted and wanted not in tags:
        findings.problem(
            f'state.json names the tag "{wanted}", which tasks.json does not have; "{fallback}" counts'
        )
    elif not wanted and len(tags) > 1:
        findings.problem(f'state.json does not say which tag is active; "{fallback}" counts')
    return wanted if wanted in tags else fallback


def _branch_of(tag: str, settings: Any) -> str | None:
    mapping = settings.get("branchTagMapping") if isinstance(settings, dict) else None
    branches = mapping.items() if isinstance(mapping, dict) else ()
    return next((branch for branch, mapped in branches if mapped == tag), None)
