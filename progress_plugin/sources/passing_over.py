"""Which of the files that were read are passed over in view of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from progress_plugin.sources.found import FoundFile
from progress_plugin.sources.ranking import Candidate, is_in_use

MIN_SHARED_TITLES = 3
MIN_SHARED = 0.8  # of the titles of the plan with fewer items


def pass_over(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[FoundFile]]:
    """Return the candidates that count, and the other files with the reason."""
    kept: list[Candidate] = []
    passed_over: list[FoundFile] = []
    folders = {"", *(each.folder for each in candidates if each.trust != "beside")}
    newest_s = max((each.file.changed_s for each in candidates if each.file.kind != "notes"), default=0)
    newest_plan_s = max((each.file.changed_s for each in candidates if each.file.kind == "plan"), default=0)
    for each in sorted(candidates, key=_by_progress):
        reason = ""
        if each.trust == "beside" and each.folder not in folders:
            reason = "notes without a plan or log in their folder"
        elif each.trust == "content" and each.file.kind != "log" and not is_in_use(each, newest_s):
            reason = "not changed in the month before the newest plan or log"
        elif each.file.kind == "plan":
            reason = _reason_against_plan(each, kept, newest_plan_s)
        if reason:
            passed_over.append(replace(each.file, role="passed over", reason=reason))
        else:
            kept.append(each)
    counting = {id(each) for each in kept}
    return [each for each in candidates if id(each) in counting], passed_over


def _reason_against_plan(plan: Candidate, kept: Sequence[Candidate], newest_plan_s: int) -> str:
    has_statuses = plan.outline.open_items + plan.outline.done_items > 0
    if plan.trust == "content" and not has_statuses and plan.file.changed_s < newest_plan_s:
        return "its items have no status, and a newer plan is read"
    copied = next((other for other in kept if _is_copy(plan, other)), None)
    return f"a copy of {copied.file.path}, in which more is done" if copied else ""


def _is_copy(plan: Candidate, other: Candidate) -> bool:
    ours, theirs = plan.outline.titles, other.outline.titles
    fewer = min(len(ours), len(theirs))
    return len(ours & theirs) >= max(MIN_SHARED_TITLES, MIN_SHARED * fewer)


def _by_progress(candidate: Candidate) -> tuple[int, int]:
    """Order copies of a plan: the one with the most finished items first, then the newest."""
    return -candidate.outline.done_items, -candidate.file.changed_s
