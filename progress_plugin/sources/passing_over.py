"""Pass over the plans and logs that others make redundant."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from progress_plugin.model.work import FoundFile
from progress_plugin.sources.ranking import LOG_KINDS, Candidate, is_in_use, is_of_branch, numbers_in_name

MIN_DONE = 2  # finished items that make a plan of a document which may hold only requirements
MAX_STATE_DOCUMENTS = 3  # and as many hand-off documents
MIN_SHARED_TITLES = 3
MIN_SHARED = 0.8  # of the titles of the plan with fewer items


class _Peers:
    """The plans and logs of a project, with which each of them is compared."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        plans = sorted((each for each in candidates if each.file.kind == "plan"), key=_by_progress)
        logs = [each for each in candidates if each.file.kind in LOG_KINDS]
        self.plans, self.lists = plans, [each for each in plans if each.structure.items]
        self.newest_list_s, self.newest_log_s = _newest_s(self.lists), _newest_s(logs)
        self.newest_s = _newest_s([*plans, *logs])
        self.newest_stated_s = _newest_s([each for each in self.lists if each.structure.states_statuses])
        self.folders = {"", *(each.folder for each in candidates if each.trust != "beside")}
        self.documents = [each for each in logs if each.trust == "content" and each.file.kind != "log"]
        self.documents.sort(key=lambda each: (each.file.changed_s, numbers_in_name(each)), reverse=True)

    def reason_against(self, each: Candidate) -> str:
        """Return why a file is passed over because of the others; empty if it counts.

        A plan that is known by its name counts even if nothing in it is begun. A document that may hold only
        requirements needs two finished items, unless it is the only plan.
        """
        structure, changed_s, is_content = each.structure, each.file.changed_s, each.trust == "content"
        of_kind = [other for other in self.documents if other.file.kind == each.file.kind]
        if is_content and each in of_kind[MAX_STATE_DOCUMENTS:]:
            return "newer documents of this kind are read"
        if each.trust == "beside" and each.folder not in self.folders:
            return "notes without a plan or log in their folder"
        if structure.items:
            if each.trust == "list" and structure.done_items < MIN_DONE and len(self.lists) > 1:
                return "hardly anything in it is done, and another plan is read"
            if not structure.states_statuses and changed_s <= self.newest_stated_s:
                return "its items have no status, and a plan with statuses is as new or newer"
            if is_content and not structure.is_begun and changed_s < self.newest_list_s:
                return "nothing in it is begun, and a newer plan is read"
            if is_content and not structure.states_statuses and changed_s <= self.newest_log_s:
                return "its items have no status, and a log is as new or newer"
        if is_content and each.file.kind != "log" and not is_in_use(each, self.newest_s):
            return "not changed in the month before the newest plan or log"
        before = takewhile(lambda other: other is not each, self.plans) if each.file.kind == "plan" else ()
        original = next((other for other in before if _is_copy(each, other)), None)
        return f"a copy of {original.file.path}, in which more is done" if original else ""


def pass_over(candidates: Sequence[Candidate], branch: str | None) -> tuple[list[Candidate], list[FoundFile]]:
    """Return the candidates that count, and the others with the reason; a plan of the branch counts."""
    peers = _Peers(candidates)
    kept: list[Candidate] = []
    others: list[FoundFile] = []
    for each in candidates:
        reason = peers.reason_against(each)
        if reason and not is_of_branch(each, branch):
            others.append(each.file._replace(role="passed over", reason=reason))
        else:
            kept.append(each)
    return kept, others


def _newest_s(candidates: Sequence[Candidate]) -> int:
    return max((each.file.changed_s for each in candidates), default=-1)


def _is_copy(plan: Candidate, other: Candidate) -> bool:
    """Return whether two plans list the same work. Plans with different goals may be of one template."""
    ours, theirs = plan.structure.titles, other.structure.titles
    goals = {each.goal for one in (plan, other) for each in one.structure.plans if each.goal}
    fewer = min(len(ours), len(theirs))
    return len(goals) <= 1 and len(ours & theirs) >= max(MIN_SHARED_TITLES, MIN_SHARED * fewer)


def _by_progress(candidate: Candidate) -> tuple[int, int]:
    """Order copies of a plan: the one with the most finished items first, then the newest."""
    return -candidate.structure.done_items, -candidate.file.changed_s
