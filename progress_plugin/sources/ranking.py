"""Decide which plan and which log lead.

Each rule decides only between the files that the rules before it left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from progress_plugin.sources.found import FoundFile, Kind, Outline, Trust

_Rule = tuple[str, Callable[["Candidate"], Any]]  # the candidates with the greatest value stay

MAX_NEWEST_CHARS = 4_000
MAX_IDLE_S = 30 * 24 * 3600  # an open plan that is older than the newest change is abandoned

NAMED_BY_PATH = 1000.0  # more than the ids of any plan
LOG_KINDS: tuple[Kind, ...] = ("log", "state", "handoff")
DEFAULT_BRANCHES = frozenset({"main", "master", "trunk", "develop", "dev"})

_WORD = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")
_NUMBER = re.compile(r"\d{1,9}")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that was read, and what its structure shows."""

    file: FoundFile
    outline: Outline
    text: str
    trust: Trust

    @property
    def folder(self) -> str:
        """The folder of the file."""
        return self.file.path.rpartition("/")[0]


def leading_plan(
    plans: Sequence[Candidate], branch: str | None, newest_text: str, newest_s: int
) -> tuple[Candidate | None, str]:
    """Return the plan that leads and why; None if there is no plan.

    `newest_text` is the newest part of the newest log, `newest_s` the time of the newest plan or log.
    """
    tracker_s = max((plan.file.changed_s for plan in plans if plan.trust == "name"), default=0)
    rules: tuple[_Rule, ...] = (
        ("the plan of the checked-out branch", lambda plan: is_of_branch(plan, branch)),
        ("changed lately", lambda plan: is_in_use(plan, newest_s)),
        ("a plan by its name", lambda plan: _is_kept(plan, tracker_s)),
        ("open", lambda plan: plan.outline.open_items > 0),
        ("a plan by its name", lambda plan: plan.trust == "name"),
        ("the newest", lambda plan: plan.file.changed_s),
        ("the plan that the newest entries name", lambda plan: mentions(plan, newest_text)),
        ("the highest number", numbers_in_name),
    )
    return _choose(plans, rules)


def leading_log(
    logs: Sequence[Candidate], plan: Candidate | None, newest_s: int
) -> tuple[Candidate | None, str]:
    """Return the log that leads and why: that of the leading plan, else the newest one."""
    rules: tuple[_Rule, ...] = (
        ("changed lately", lambda log: is_in_use(log, newest_s)),
        ("the log beside the leading plan", lambda log: plan is not None and log.folder == plan.folder),
        (
            "the log with the number of the leading plan",
            lambda log: plan is not None and numbers_in_name(log) == numbers_in_name(plan),
        ),
        ("a log, not a state", lambda log: log.file.kind == "log"),
        ("the newest", lambda log: log.file.changed_s),
        ("the highest number", numbers_in_name),
    )
    return _choose(logs, rules)


def mentions(plan: Candidate, text: str) -> float:
    """Return how often a text names a plan: by its path, or by the ids of its items."""
    if plan.file.path in text:
        return NAMED_BY_PATH
    return float(len(plan.outline.ids.intersection(_WORD.findall(text))))


def newest_part(text: str) -> str:
    """Return the end of a log at which the newest entries are, by the dates at its two ends."""
    ends = [text[-MAX_NEWEST_CHARS:], text[:MAX_NEWEST_CHARS]]
    return max(ends, key=lambda end: max(_DATE.findall(end), default=""))


def _choose(candidates: Sequence[Candidate], rules: Sequence[_Rule]) -> tuple[Candidate | None, str]:
    left, reason = list(candidates), "the only one"
    for text, rule in rules:
        if len(left) <= 1:
            break
        best = max(map(rule, left))
        kept = [each for each in left if rule(each) == best]
        if len(kept) < len(left):
            left, reason = kept, text
    return (left[0] if left else None), reason


def is_in_use(candidate: Candidate, newest_s: int) -> bool:
    """Return whether a file was changed shortly before the newest plan or log."""
    return candidate.file.changed_s > newest_s - MAX_IDLE_S


def _is_kept(plan: Candidate, tracker_s: int) -> bool:
    """Return whether a plan says how far the work is.

    A document that is only recognised by its boxes or table counts if it is newer than the plans by name:
    otherwise those are kept, and it described the work before.
    """
    return plan.trust == "name" or plan.file.changed_s > tracker_s


def is_of_branch(plan: Candidate, branch: str | None) -> bool:
    """Return whether a plan names the branch, or its folder or file is called as the branch is."""
    if branch is None or plan.outline.branch:
        return branch is not None and plan.outline.branch == branch
    topic = branch.rpartition("/")[2]
    stem = plan.file.path.rpartition("/")[2].rpartition(".")[0]
    is_named = topic == plan.folder.rpartition("/")[2] or stem.endswith(f"-{topic}")
    return is_named and topic not in DEFAULT_BRANCHES


def numbers_in_name(candidate: Candidate) -> list[int]:
    """Return the numbers in the name of a file, such as 19 in `SESSION-19-SUMMARY.md`."""
    return [int(number) for number in _NUMBER.findall(candidate.file.path.rpartition("/")[2])]
