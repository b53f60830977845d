"""Order plans and logs, the leading one first.

A rule of the order compares only files that are equal by the rules before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from progress_plugin.model.work import FoundFile, Kind, Trust
from progress_plugin.sources.recognition import Structure
from progress_plugin.text.patterns import LazyPattern

MAX_IDLE_S = 30 * 24 * 3600  # before the newest change; a file that is older is not in use

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
        """The folder of the file."""
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

    An open plan comes before a finished one, unless the open one is older and nothing in it is begun.
    `newest_s` is the time of the newest plan or log.
    `logged` is the plan of the newest entry of our own log: its path, or the name of its folder.
    """
    named_s = max((plan.file.changed_s for plan in plans if plan.trust == "name"), default=0)
    finished_s = max((plan.file.changed_s for plan in plans if _is_finished(plan)), default=-1)
    rules: tuple[_Rule, ...] = (
        ("the plan of the checked-out branch", lambda plan: is_of_branch(plan, branch)),
        ("a plan that lists work", lambda plan: bool(plan.structure.items)),
        ("changed lately", lambda plan: is_in_use(plan, newest_s)),
        ("a plan by its name, or newer than all such plans", lambda plan: _is_named_or_newer(plan, named_s)),
        ("open", lambda plan: _is_open(plan, finished_s)),
        ("the plan of the last logged entry", lambda plan: _is_named(plan, logged)),
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
            "the log with the number of the leading plan",
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


def _is_named(plan: Candidate, name: str) -> bool:
    return bool(name) and name in {plan.file.path, *plan.file.path.split("/")}


def is_in_use(candidate: Candidate, newest_s: int) -> bool:
    """Return whether a file was changed shortly before the newest plan or log."""
    return candidate.file.changed_s > newest_s - MAX_IDLE_S


def _is_finished(plan: Candidate) -> bool:
    return plan.structure.done_items > 0 and not plan.structure.open_items


def _is_open(plan: Candidate, finished_s: int) -> bool:
    is_next = plan.structure.is_begun or plan.file.changed_s > finished_s
    return plan.structure.open_items > 0 and is_next


def _is_named_or_newer(plan: Candidate, named_s: int) -> bool:
    """Return whether a file is known as a plan by its name, or is newer than all plans that are.

    A document that is known only by its boxes or table, and is older, describes earlier work.
    """
    return plan.trust == "name" or plan.file.changed_s > named_s


def is_of_branch(plan: Candidate, branch: str | None) -> bool:
    """Return whether a plan names the branch, or its folder or file is named after the branch."""
    if branch is None or plan.structure.branch:
        return branch is not None and plan.structure.branch == branch
    topic = branch.rpartition("/")[2]
    stem = plan.file.path.rpartition("/")[2].rpartition(".")[0]
    is_named = topic == plan.folder.rpartition("/")[2] or stem.endswith(f"-{topic}")
    return is_named and topic not in DEFAULT_BRANCHES


def numbers_in_name(candidate: Candidate) -> list[int]:
    """Return the numbers in the name of a file, such as 19 in `SESSION-19-SUMMARY.md`."""
    return [int(number) for number in _NUMBER.findall(candidate.file.path.rpartition("/")[2])]
