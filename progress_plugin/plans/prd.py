"""prd.json in its many dialects, and feature_list.json, which is one of them.

Recognised by its content: a list of stories, bare or under ``userStories``, ``stories``, ``items``,
``features``, ``tasks`` or inside ``phases``, of which at least one has a state or acceptance
criteria, or which the name of the list calls stories. Anything else under the name is a requirements document
or a list of feature flags.
"""

from __future__ import annotations

from typing import Any

from progress_plugin.model.story import Plan
from progress_plugin.plans import json_stories
from progress_plugin.plans.json_fields import JsonRecord, line
from progress_plugin.plans.plan_file import PlanFile
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import legend_of

PRD = "prd"
FEATURE_LIST = "feature-list"
RECOGNISED_BY = (
    "a list, bare or under `userStories`, `stories`, `items`, `features`, `tasks`, or spread over `phases[]` "
    "or `epics[]`; one entry at least has a state or acceptance criteria, or the list's name says it: "
    "`userStories`, `user_stories`, `stories` with a title or a text each, `tasks` with id and title each "
    "and no commands; these are all pending. An object of objects counts as a list. "
    "A plan in `feature_list.json` is reported as feature-list"
)
_NAMES = ("project", "projectName", "project_name", "name", "productName", "title", "epicTitle")
_STARTED = ("startedAt", "started_at", "createdAt", "created_at", "created", "generatedAt", "generated_at")


def recognises(file: PlanFile) -> bool:
    """Return True: what no other format of JSON recognises is read by what is in it."""
    del file
    return True


def read(file: PlanFile) -> Plan | None:
    """Return the plan in a JSON file, or None where it holds no stories."""
    document = file.document
    entries = json_stories.find(document)
    if entries is None or not (json_stories.holds_stories(entries) or json_stories.names_stories(document)):
        return None
    about = document if isinstance(document, dict) else {}
    findings = PlanProblems()
    return Plan(
        path=file.path,
        format=FEATURE_LIST if file.name.startswith("feature_list") else PRD,
        stories=json_stories.stories(entries, legend_of(about), findings),
        name=line(about, *_NAMES) or None,
        branch=line(about, "branchName", "branch_name", "branch") or None,
        started=line(about, *_STARTED) or None,
        settings=_settings(about),
        drift=findings.drift,
        problems=findings.problems,
    )


def _settings(about: JsonRecord) -> dict[str, Any]:
    settings = about.get("optimization")
    return settings if isinstance(settings, dict) else {}
