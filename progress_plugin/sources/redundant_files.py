"""Which of the files that were read are passed over in view of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from progress_plugin.sources.found import FoundFile
from progress_plugin.sources.ranking import LOG_KINDS, Candidate, is_in_use, is_of_branch, numbers_in_name

MAX_OF_A_MOMENT = 3  # hand-off documents, and as many state documents
MIN_SHARED_TITLES = 3
MIN_SHARED = 0.8  # of the titles of the plan with fewer items


def pass_over(candidates: Sequence[Candidate], branch: str | None) -> tuple[list[Candidate], list[FoundFile]]:
    """Return the candidates that count, and the others with the reason; the plan of the branch counts."""
    redundant = _reasons_against_copies(candidates) | _reasons_against_old_documents(candidates)
    redundant |= _reasons_against_mere_lists(candidates) | _reasons_against_lone_notes(candidates)
    redundant |= _reasons_against_earlier_states(candidates)
    kept = [each for each in candidates if each.file.path not in redundant or is_of_branch(each, branch)]
    paths = {each.file.path for each in kept}
    others = [each.file for each in candidates if each.file.path not in paths]
    return kept, [replace(file, role="passed over", reason=redundant[file.path]) for file in others]


def _reasons_against_copies(candidates: Sequence[Candidate]) -> dict[str, str]:
    originals: list[Candidate] = []
    reasons = {}
    for plan in sorted((each for each in candidates if each.file.kind == "plan"), key=_by_progress):
        original = next((other for other in originals if _is_copy(plan, other)), None)
        if original is None:
            originals.append(plan)
        else:
            reasons[plan.file.path] = f"a copy of {original.file.path}, in which more is done"
    return reasons


def _reasons_against_old_documents(candidates: Sequence[Candidate]) -> dict[str, str]:
    """Return the reasons against documents that only look like plans or logs and were not changed lately."""
    newest_s = max(
        (each.file.changed_s for each in candidates if each.file.kind in ("plan", *LOG_KINDS)), default=0
    )
    return {
        each.file.path: "not changed in the month before the newest plan or log"
        for each in candidates
        if each.trust == "content" and each.file.kind != "log" and not is_in_use(each, newest_s)
    }


def _reasons_against_mere_lists(candidates: Sequence[Candidate]) -> dict[str, str]:
    """Return the reasons against lists of which nothing is begun: requirements, and designs in tasks.

    A plan by its name counts with all its items open; a document that only looks like one must be begun.
    """
    plans = [each for each in candidates if each.file.kind == "plan" and each.structure.items]
    tracker_s = max((each.file.changed_s for each in plans if each.structure.states_statuses), default=-1)
    log_s = max((each.file.changed_s for each in candidates if each.file.kind in LOG_KINDS), default=-1)
    newest_s = max((each.file.changed_s for each in plans), default=0)
    reasons = {}
    for each in plans:
        has_statuses = each.structure.states_statuses
        if not has_statuses and each.file.changed_s <= tracker_s:
            reasons[each.file.path] = "its items have no status, and a plan that is as new has"
        elif each.trust == "content" and not each.structure.is_begun and each.file.changed_s < newest_s:
            reasons[each.file.path] = "nothing in it is begun, and a newer plan is read"
        elif each.trust == "content" and not has_statuses and each.file.changed_s <= log_s:
            reasons[each.file.path] = "its items have no status, and a log that is as new is read"
    return reasons


def _reasons_against_earlier_states(candidates: Sequence[Candidate]) -> dict[str, str]:
    """Return the reasons against all but the newest documents that describe one moment."""
    reasons = {}
    for kind in ("state", "handoff"):
        documents = [each for each in candidates if each.trust == "content" and each.file.kind == kind]
        documents.sort(key=lambda each: (each.file.changed_s, numbers_in_name(each)), reverse=True)
        for each in documents[MAX_OF_A_MOMENT:]:
            reasons[each.file.path] = "newer documents of this kind are read"
    return reasons


def _reasons_against_lone_notes(candidates: Sequence[Candidate]) -> dict[str, str]:
    folders = {"", *(each.folder for each in candidates if each.trust != "beside")}
    return {
        each.file.path: "notes without a plan or log in their folder"
        for each in candidates
        if each.trust == "beside" and each.folder not in folders
    }


def _is_copy(plan: Candidate, other: Candidate) -> bool:
    """Return whether two plans list the same work. Two goals make two plans, e.g. of one template."""
    ours, theirs = plan.structure.titles, other.structure.titles
    goals = {each.goal for one in (plan, other) for each in one.structure.plans if each.goal}
    fewer = min(len(ours), len(theirs))
    return len(goals) <= 1 and len(ours & theirs) >= max(MIN_SHARED_TITLES, MIN_SHARED * fewer)


def _by_progress(candidate: Candidate) -> tuple[int, int]:
    """Order copies of a plan: the one with the most finished items first, then the newest."""
    return -candidate.structure.done_items, -candidate.file.changed_s
