"""Task Master's tasks.json, plain and tagged, and the tools that use the same file name and shape (S5.3).

Plain is ``{"tasks": […]}``, tagged ``{"<tag>": {"tasks": […]}, …}``. The tag that counts is named by
``state.json`` one folder up. Editors keep lists of commands under the same name: those have no states.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from progress_plugin.model.story import Plan
from progress_plugin.plans import json_stories
from progress_plugin.plans.json_fields import JsonRecord, line
from progress_plugin.plans.legend import legend_of
from progress_plugin.plans.plan_problems import PlanProblems

FORMAT = "task-master"
DEFAULT_TAG = "master"


def state_path(path: str) -> str:
    """Return where the state file of a task file is."""
    return posixpath.join(posixpath.dirname(posixpath.dirname(path)), "state.json")


def is_tagged(document: Any) -> bool:
    """Return whether a parsed document is a tagged task file."""
    return isinstance(document, dict) and "tasks" not in document and bool(_tags(document))


def read(path: str, document: Any, state: Callable[[], Any]) -> Plan | None:
    """Return the plan in a parsed tasks.json, or None where it holds no tasks.

    ``state`` gives the parsed state.json, or None; it is asked only for a tagged file.
    """
    findings = PlanProblems()
    tag, branch = None, None
    if is_tagged(document):
        settings = state()
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
        path=path,
        format=FORMAT,
        stories=json_stories.stories(entries, legend_of(about), findings),
        name=line(metadata, "projectName", "project") or (tag if tag != DEFAULT_TAG else None),
        branch=branch,
        started=line(metadata, "created", "createdAt", "generatedAt") or None,
        drift=findings.drift,
        problems=findings.problems,
    )


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
