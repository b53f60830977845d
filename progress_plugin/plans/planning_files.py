"""task_plan.md of planning-with-files: the phases of one piece of work, in any of its translations.

Recognised by its phases: headings (``### Phase 1: …``, ``### 阶段 1：…``), boxes (``- [x] Phase 1: …``), else
a table or numbered list under ``## Phases``. A phase named twice counts where it is first. Boxes
elsewhere are notes or success criteria.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Iterator

from progress_plugin.model.status import OPEN, Status, parse_status_phrase
from progress_plugin.model.story import Plan
from progress_plugin.plans import json_stories, markdown_plan, markdown_stories, phase_list
from progress_plugin.plans.json_fields import JsonRecord
from progress_plugin.plans.markdown_plan import PlanSection
from progress_plugin.plans.markdown_stories import box_with_parts, contradicts_itself, item_record, items
from progress_plugin.plans.plan_file import PlanFile
from progress_plugin.plans.plan_problems import PlanProblems
from progress_plugin.plans.status_legend import Legend
from progress_plugin.plans.title_status import plain, split_state
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.section_names import TEACHING, SectionKind, section_of

FORMAT = "planning-with-files"
RECOGNISED_BY = (
    "phases: headings or check-boxes `Phase 1`, `Fase 1`, `Étape 1`, `阶段 1`, `第一阶段`, `المرحلة 1` …, "
    "or else a table or numbered list under `## Phases`"
)
_PHASES_ONLY = ("task_plan.md", "roadmap.md")
"""What is called so is a plan for its phases alone: many a roadmap is a list of wishes."""
_TASKS_ONLY = "tasks.md"
_PHASE = LazyPattern(
    r"[\W_]*(?P<number>(?:phase|fase|étape|etape|этап|фаза|阶段|階段|フェーズ|المرحلة)\s*\d+(?:\.\d+)*(?:[a-z]\b)?"
    r"|第\s*[\d一二三四五六七八九十]+\s*(?:阶段|階段))"
    r"(?!\.?\d|\s*[-–~]\s*\d)[\s:：.)*–—-]*(?P<title>.*)$",
    re.IGNORECASE,
)
_ORDINAL = LazyPattern(r"[\d.一二三四五六七八九十]+[a-z]?", re.IGNORECASE)
_TITLE = LazyPattern(r"(?:task plan|plan|任务计划|任务规划)(?:\s*[:：–—-]\s*|$)", re.IGNORECASE)
_FOLDER = ".planning"
_TITLE_LEVEL = 1
_REMARKS = frozenset({*TEACHING, SectionKind.NOTES, SectionKind.NEXT, SectionKind.TASK, SectionKind.OTHER})
"""Sections beside the phases that are told as remarks of the plan."""
_ABOUT_PHASES = LazyPattern(r"phase|fase|phasen|étape|этап|фаз|阶段|階段|フェーズ|مرحلة|مراحل", re.IGNORECASE)
"""Headings of what is read as phases, and of what says which one is at work."""
_QUESTIONS = LazyPattern(r"\bquestions?\W*$|问题|問題", re.IGNORECASE)


def recognises(file: PlanFile) -> bool:
    """Return whether a Markdown file is called so, or names a phase, a surer sign than a list of boxes."""
    if file.name in _PHASES_ONLY:
        return True
    return file.name != _TASKS_ONLY and bool(_records(markdown_plan.sections(file.prose), PlanProblems()))


def read(file: PlanFile) -> Plan | None:
    """Return the plan in a Markdown text, or None where it names no phase."""
    sections = markdown_plan.sections(file.prose)
    findings = PlanProblems()
    records = _records(sections, findings)
    if not records:
        return None
    return Plan(
        path=file.path,
        format=FORMAT,
        stories=markdown_stories.stories(records, findings),
        name=_name(file.path, markdown_plan.title(sections)),
        started=markdown_plan.label(sections, "created") or None,
        drift=findings.drift,
        problems=findings.problems,
        remarks=tuple(_remarks(sections)),
    )


def _records(sections: list[PlanSection], findings: PlanProblems) -> list[JsonRecord]:
    return _phases(sections, findings) or phase_list.records(sections)


def _remarks(sections: list[PlanSection]) -> Iterator[tuple[int, int]]:
    """Yield the lines of each section that is about no phase and says what belongs to all of them."""
    ends = [section.line for section in sections[1:]] + [sys.maxsize]
    above, tells = _TITLE_LEVEL, False
    for section, end in zip(sections, ends, strict=True):
        if section.level <= above or above == _TITLE_LEVEL:
            above = max(section.level, _TITLE_LEVEL)
            tells = _is_remark(section.text)
        if tells:
            yield section.line, end


def _is_remark(heading: str) -> bool:
    known = section_of(heading) in _REMARKS or _QUESTIONS.search(heading)
    return bool(known) and not _ABOUT_PHASES.search(heading)


def _name(path: str, title: str) -> str | None:
    """Return what a plan is about by its title, else by the folder that a plan beside others has."""
    folder = posixpath.dirname(path)
    own_folder = (
        posixpath.basename(folder) if posixpath.basename(posixpath.dirname(folder)) == _FOLDER else ""
    )
    return _TITLE.sub("", title, count=1) or own_folder or None


def _phases(sections: list[PlanSection], findings: PlanProblems) -> list[JsonRecord]:
    """Return one record per phase, in file order.

    What repeats a phase is compared with it, and gives it what it does not say itself: the roadmaps of GSD
    list phases as boxes, then the parts of each below its heading, then how far each is in a table.
    """
    named = sorted(_named(sections, findings), key=lambda record: record[json_stories.LINE_FIELD])
    phases: dict[str, JsonRecord] = {}
    for record in named:
        first = phases.setdefault(_ordinal(record["id"]), record)
        if first is not record:
            _repeated(first, record, findings)
    for row in phase_list.told_again(sections) if phases else ():
        if (told := phases.get(_ordinal(row["id"]))) is not None:
            _repeated(told, row, findings)
    return list(phases.values())


def _repeated(first: JsonRecord, again: JsonRecord, findings: PlanProblems) -> None:
    if _has_state(again) and _is_done(first) != _is_done(again):
        findings.contradiction("listed twice, once as done and once not, the first counts", first["id"])
    if not first["subtasks"]:
        first["subtasks"] = again.get("subtasks", [])
    if not first["status"] and first.get("passes") is False and parse_status_phrase(again["status"]) in OPEN:
        first["status"] = again["status"]  # an open box says no more than that it is not done
        del first["passes"]


def _named(sections: list[PlanSection], findings: PlanProblems) -> Iterator[JsonRecord]:
    for item in items(sections, _PHASE):
        if contradicts_itself(item):
            findings.contradiction("heading and status line disagree, the status line counts", item.number)
        yield item_record(item)
    for box in (box for section in sections for box in section.boxes):
        if match := _PHASE.match(box.text):
            record = box_with_parts(box)
            title = plain(split_state(match["title"])[0])
            yield record | {"id": match["number"], "title": title or match["number"]}


def _ordinal(name: str) -> str:
    found = _ORDINAL.search(name)
    return found[0].casefold() if found else name


def _has_state(record: JsonRecord) -> bool:
    """Return whether a record says the state of a phase; a later heading may only report on it."""
    return bool(record["status"] or record.get("subtasks") or "passes" in record)


def _is_done(record: JsonRecord) -> bool:
    (story,) = json_stories.stories([record], Legend({}), PlanProblems())
    return story.status is Status.DONE
