"""Order plans and logs, the leading one first, and pass over those that others make redundant.

The order has several rules. A rule compares only files that are equal by the rules before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from progress_plugin.model.work import FoundFile, Kind, Trust
from progress_plugin.sources.recognition import Structure
from progress_plugin.text.patterns import LazyPattern

MAX_IDLE_S = 30 * 24 * 3600  # before the newest change; a file that is older is not in use
MIN_DONE = 2  # a document that may hold only requirements is a plan if so many items are finished
MAX_STATE_DOCUMENTS = 3  # also of hand-off documents, which are counted apart
MIN_SHARED_TITLES = 3  # of copies
MIN_SHARED = 0.8  # share of the titles of the shorter plan that a copy has

LOG_KINDS: tuple[Kind, ...] = ("log", "state", "handoff")
DEFAULT_BRANCHES = frozenset({"main", "master", "trunk", "develop", "dev"})

_NUMBER = LazyPattern(r"\d{1,9}")


class Candidate(NamedTuple):
    """A file that was read, with its structure."""

    file: FoundFile
    structure: Structure
    trust: Trust

    @property
    def folder(self) -> str:
        return self.file.path.rpartition("/")[0]


_Rule = tuple[str, Callable[[Candidate], Any]]  # reason to show, and sort key: the greatest is first


def order_plans(
    plans: Sequence[Candidate],
    branch: str | None,
    newest_log: Candidate | None,
    newest_s: int,
    logged: str = "",
) -> tuple[list[Candidate], str]:
    """Return the plans, the leading one first, and why it leads.

    Of plans that are equal so far, an open one comes before a finished one, unless nothing in the open one is
    begun and it is not newer. `newest_s` is the time of the newest plan or log. `logged` is the plan of the
    newest entry of our own log: its path, its file name, or the name of a folder above it.
    """
    named_s = max((plan.file.changed_s for plan in plans if plan.trust == "name"), default=0)
    finished_s = max((plan.file.changed_s for plan in plans if _is_finished(plan)), default=-1)
    rules: tuple[_Rule, ...] = (
        ("the plan of the checked-out branch", lambda plan: is_of_branch(plan, branch)),
        ("a plan that lists work", lambda plan: bool(plan.structure.items)),
        ("changed lately", lambda plan: is_in_use(plan, newest_s)),
        ("a plan by its name, or newer than all such plans", lambda plan: _is_named_or_newer(plan, named_s)),
        ("open", lambda plan: _is_open(plan, finished_s)),
        (
            "the plan of the last logged entry",
            lambda plan: logged in (plan.file.path, *plan.file.path.split("/")),
        ),
        ("a plan by its name", lambda plan: plan.trust == "name"),
        ("the newest", lambda plan: plan.file.changed_s),
        ("beside the newest log", lambda plan: newest_log is not None and plan.folder == newest_log.folder),
        ("the highest number", numbers_in_name),
    )
    return _sort_by_rules(plans, rules)


def order_logs(
    logs: Sequence[Candidate], plan: Candidate | None, newest_s: int
) -> tuple[list[Candidate], str]:
    """Return the logs, the leading one first, and why it leads, e.g. that it is beside the leading plan."""
    rules: tuple[_Rule, ...] = (
        ("changed lately", lambda log: is_in_use(log, newest_s)),
        ("the log beside the leading plan", lambda log: plan is not None and log.folder == plan.folder),
        (
            "numbered like the leading plan",  # also if neither has a number
            lambda log: plan is not None and numbers_in_name(log) == numbers_in_name(plan),
        ),
        ("a log, not a state document", lambda log: log.file.kind == "log"),
        ("the newest", lambda log: log.file.changed_s),
        ("the highest number", numbers_in_name),
    )
    return _sort_by_rules(logs, rules)


def _sort_by_rules(candidates: Sequence[Candidate], rules: Sequence[_Rule]) -> tuple[list[Candidate], str]:
    """Sort by the rules. The reason is the rule that puts the first file before the second."""
    values = {id(each): [rule(each) for _, rule in rules] for each in candidates}
    ordered = sorted(candidates, key=lambda each: values[id(each)], reverse=True)
    if len(ordered) <= 1:
        return ordered, "the only one"
    first, second = values[id(ordered[0])], values[id(ordered[1])]
    reasons = (text for (text, _), one, other in zip(rules, first, second, strict=True) if one != other)
    return ordered, next(reasons, "the first of equals")


def is_in_use(candidate: Candidate, newest_s: int) -> bool:
    """Return whether a file was changed less than 30 days before the newest plan or log."""
    return candidate.file.changed_s > newest_s - MAX_IDLE_S


def _is_finished(plan: Candidate) -> bool:
    return plan.structure.done_items > 0 and not plan.structure.open_items


def _is_open(plan: Candidate, finished_s: int) -> bool:
    is_next = plan.structure.is_begun or plan.file.changed_s > finished_s
    return plan.structure.open_items > 0 and is_next


def _is_named_or_newer(plan: Candidate, named_s: int) -> bool:
    """Return whether a file is a plan by its name, or is newer than all files that are.

    A document that is known only by its boxes or table, and is older, describes earlier work.
    """
    return plan.trust == "name" or plan.file.changed_s > named_s


def is_of_branch(plan: Candidate, branch: str | None) -> bool:
    """Return whether a plan names the branch or, if it names none, has a folder or file named after it."""
    if branch is None or plan.structure.branch:
        return branch is not None and plan.structure.branch == branch
    topic = branch.rpartition("/")[2]
    stem = plan.file.path.rpartition("/")[2].rpartition(".")[0]
    is_named = topic == plan.folder.rpartition("/")[2] or stem.endswith(f"-{topic}")
    return is_named and topic not in DEFAULT_BRANCHES


def numbers_in_name(candidate: Candidate) -> list[int]:
    """Return the numbers in the name of a file, such as 19 in `SESSION-19-SUMMARY.md`."""
    return [int(number) for number in _NUMBER.findall(candidate.file.path.rpartition("/")[2])]


class _Peers:
    """All plans and logs of a project, to compare one of them with the others."""

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
            return "there are newer documents of this kind"
        if each.trust == "beside" and each.folder not in self.folders:
            return "notes without a plan or log in their folder"
        if structure.items:
            if each.trust == "list" and structure.done_items < MIN_DONE and len(self.lists) > 1:
                return "fewer than two items in it are done, and there is another plan"
            if not structure.states_statuses and changed_s <= self.newest_stated_s:
                return "its items have no status, and a plan with statuses is as new or newer"
            if is_content and not structure.is_begun and changed_s < self.newest_list_s:
                return "nothing in it is begun, and there is a newer plan"
            if is_content and not structure.states_statuses and changed_s <= self.newest_log_s:
                return "its items have no status, and a log is as new or newer"
        if is_content and each.file.kind != "log" and not is_in_use(each, self.newest_s):
            return "not changed in the month before the newest plan or log"
        before = takewhile(lambda other: other is not each, self.plans) if each.file.kind == "plan" else ()
        original = next((other for other in before if _is_copy(each, other)), None)
        return f"a copy of {original.file.path}, in which more is done, or as much" if original else ""


def pass_over(candidates: Sequence[Candidate], branch: str | None) -> tuple[list[Candidate], list[FoundFile]]:
    """Return the candidates that count, and the others with the reason; those of the branch always count."""
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
    """Return whether two plans list the same work; those with different goals may only share a template."""
    titles, other_titles = plan.structure.titles, other.structure.titles
    goals = {each.goal for one in (plan, other) for each in one.structure.plans if each.goal}
    fewer = min(len(titles), len(other_titles))
    return len(goals) <= 1 and len(titles & other_titles) >= max(MIN_SHARED_TITLES, MIN_SHARED * fewer)


def _by_progress(candidate: Candidate) -> tuple[int, int]:
    """Return a key that puts the plan with the most finished items first, then the newest."""
    return -candidate.structure.done_items, -candidate.file.changed_s
