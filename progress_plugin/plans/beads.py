"""The issues of beads: ``.beads/issues.jsonl``, formerly ``beads.jsonl``, a JSON object per line.

Recognised by its lines: at least one is an object with an id and a title or a status. Epics and children
are side by side and all count; only dependencies that block hold an issue up. Of a repeated id the last
line counts, as a merge leaves it. Tombstones mark deleted issues.
"""

from __future__ import annotations

import json

from progress_plugin.core.errors import BadInput
from progress_plugin.model.story import Plan
from progress_plugin.plans import json_stories
from progress_plugin.plans.json_fields import JsonRecord, line, objects
from progress_plugin.plans.plan_file import PlanFile
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import Legend

FORMAT = "beads"
RECOGNISED_BY = "lines that are objects with an id and a state"
_PRIORITY = 2
"""Of an issue that has none: 0 is the most urgent, 4 the least."""
_BLOCKING = frozenset({"", "blocks", "conditional-blocks", "waits-for"})


def recognises(file: PlanFile) -> bool:
    """Return True: no other format is lines of JSON."""
    del file
    return True


def read(file: PlanFile) -> Plan | None:
    """Return the plan in an issue file, or None where its lines are no issues.

    Raises BadInput where no line can be read; single broken lines are named in ``problems``.
    """
    findings = PlanProblems()
    records = _records(file.path, file.text, findings)
    issues = {name: record for record in records if (name := line(record, "id"))}
    if len(issues) < len(records):
        findings.problem("an id stands more than once or is missing, the last line of each id counts")
    if not json_stories.holds_stories(list(issues.values())) or (records and not issues):
        return None
    return Plan(
        path=file.path,
        format=FORMAT,
        stories=json_stories.stories([_issue(record) for record in issues.values()], Legend({}), findings),
        drift=findings.drift,
        problems=findings.problems,
    )


def _records(path: str, source: str, findings: PlanProblems) -> list[JsonRecord]:
    records: list[JsonRecord] = []
    broken: list[int] = []
    # Only real line ends: a title may hold any of the other separators that splitlines knows.
    for number, text in enumerate(source.replace("\r\n", "\n").split("\n"), start=1):
        if not text.strip():
            continue
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            records.append(value)
        else:
            broken.append(number)
            findings.problem("not a JSON object, left out: line", str(number))
    if broken and not records:
        raise BadInput(f"{path}: line {broken[0]} is not a JSON object, nor is any other; restore the file")
    return records


def _issue(record: JsonRecord) -> JsonRecord:
    blocking = [entry for entry in objects(record.get("dependencies")) if line(entry, "type") in _BLOCKING]
    dependencies = [line(entry, "depends_on_id") for entry in blocking]
    return {"priority": _PRIORITY} | record | {"dependencies": dependencies}
