"""The tasks.md of an Agent OS spec.

Tasks are headings (``## Task 1: …``, ``#### T1.1: …``) with boxes for steps or, where no heading is a task,
the outermost boxes. A file with neither is something else.
"""

from __future__ import annotations

import re

from progress_plugin.model.story import Plan
from progress_plugin.plans import markdown_plan, markdown_stories
from progress_plugin.plans.agent_os import FORMAT, spec_of
from progress_plugin.plans.json_fields import JsonRecord
from progress_plugin.plans.markdown_plan import PlanSection
from progress_plugin.plans.markdown_stories import box_with_parts, contradicts_itself, item_record, items
from progress_plugin.plans.plan_file import PlanFile
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.text.patterns import LazyPattern

RECOGNISED_BY = "Markdown: headings `Task 1:`, `Task 1.1:`, `T1.1:`, or else check-boxes"
_TASK = LazyPattern(
    r"\W*(?:(?:task|aufgabe|tarea|tâche|任务|任務)\s*#?(?=\d)|(?=T\d))"
    r"(?P<number>T?\d+(?:\.\d+)*)(?![a-z\d_])[\s:：.)*–—-]*(?P<title>.*)$",
    re.IGNORECASE,
)


def recognises(file: PlanFile) -> bool:
    """Return True: what names no phase is a plan by its tasks or boxes."""
    del file
    return True


def read(file: PlanFile) -> Plan | None:
    """Return the plan in a tasks.md, or None where it holds neither task headings nor boxes."""
    sections = markdown_plan.sections(file.prose)
    findings = PlanProblems()
    records = _headed(sections, findings) or [
        box_with_parts(box) for section in sections for box in section.boxes
    ]
    if not records:
        return None
    return Plan(
        path=file.path,
        format=FORMAT,
        stories=markdown_stories.stories(records, findings),
        name=spec_of(file.path) or markdown_plan.title(sections) or None,
        started=markdown_plan.label(sections, "created") or None,
        drift=findings.drift,
        problems=findings.problems,
    )


def _headed(sections: list[PlanSection], findings: PlanProblems) -> list[JsonRecord]:
    tasks = items(sections, _TASK)
    for task in tasks:
        if contradicts_itself(task):
            findings.contradiction("heading and status line disagree, the status line counts", task.number)
    return [item_record(task) for task in tasks]
