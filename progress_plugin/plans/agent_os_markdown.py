"""The tasks.md of an Agent OS spec (S5.3).

Tasks are headings (``## Task 1: …``, ``#### T1.1: …``) with boxes for steps or, where no heading is a task,
the outermost boxes. A file with neither is something else.
"""

from __future__ import annotations

import re

from progress_plugin.model.story import Plan
from progress_plugin.plans import checklist, outline
from progress_plugin.plans.agent_os import FORMAT, spec_of
from progress_plugin.plans.checklist import box_with_parts, contradicts_itself, item_record, items
from progress_plugin.plans.findings import Findings
from progress_plugin.plans.outline import Section
from progress_plugin.plans.record import Record

_TASK = re.compile(
    r"\W*(?:(?:task|aufgabe|tarea|tâche|任务|任務)\s*#?(?=\d)|(?=T\d))"
    r"(?P<number>T?\d+(?:\.\d+)*)(?![a-z\d_])[\s:：.)*–—-]*(?P<title>.*)$",
    re.IGNORECASE,
)


def read(path: str, source: str) -> Plan | None:
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
