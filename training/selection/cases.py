"""Read logs with what the next agent needs to know of them, as labelled facts."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.core.errors import AgentProgressError
from progress_plugin.model.work import AgentLog, PlanDocument, Statement
from progress_plugin.plans.documents import read_plans
from progress_plugin.selection.choose import prepare
from progress_plugin.state.decide import decide
from progress_plugin.state.state import State

TODAY = dt.date(2026, 6, 1)
MARKS = re.compile(r"[`*_\\]|<[^>]{0,8}>|\s+")


@dataclass(frozen=True)
class Fact:
    """Something the next agent needs to know: a passage states it if it has an alternative of every group."""

    kind: str
    lines: frozenset[int]
    keys: tuple[tuple[str, ...], ...]

    def share_in(self, passage: str) -> float:
        """Return the share of groups of which a plain passage has an alternative."""
        return sum(any(key in passage for key in group) for group in self.keys) / len(self.keys)


@dataclass(frozen=True)
class Case:
    """One project, read, with its facts. The first log is the one that the lines of facts refer to."""

    name: str
    logs: tuple[AgentLog, ...]
    state: State
    statements: tuple[Statement, ...]
    facts: tuple[Fact, ...]


def read_cases(logs: Path, labels: Path) -> list[Case]:
    """Return a case for every file of facts whose log exists, by name."""
    files = sorted(labels.glob("*.json"))
    return [_read_case(logs / file.stem, file) for file in files if (logs / file.stem).is_dir()]


def read_project(folder: Path) -> tuple[list[PlanDocument], list[AgentLog]]:
    """Read every plan and log directly in a folder, the largest log first."""
    plans: list[PlanDocument] = []
    for file in sorted(folder.glob("*.json")):
        try:
            plans += read_plans(file.name, file.read_text("utf-8"), TODAY)
        except AgentProgressError:
            continue
    ids = [item.id for plan in plans for item in plan.items if item.id]
    texts = [file for file in folder.iterdir() if file.suffix in {".md", ".txt"}]
    texts.sort(key=lambda file: (-file.stat().st_size, file.name))
    return plans, [read_agent_log(file.name, file.read_text("utf-8", "replace"), ids) for file in texts]


def _read_case(folder: Path, labels: Path) -> Case:
    plans, logs = read_project(folder)
    facts = json.loads(labels.read_text("utf-8"))["facts"]
    return Case(
        folder.name,
        tuple(logs),
        decide(plans, logs, (), TODAY),
        tuple(prepare([statement for log in logs for statement in log.statements])),
        tuple(map(fact_of, facts)),
    )


def fact_of(raw: Mapping[str, Any]) -> Fact:
    """Return a fact as its file states it."""
    keys = tuple(tuple(map(plain, group)) for group in raw["keys"])
    return Fact(raw["kind"], frozenset(raw["lines"]), keys)


def plain(text: str) -> str:
    """Return text in lower case, without marks, with single spaces."""
    return MARKS.sub(lambda found: " " if found.group().isspace() else "", text.casefold()).strip()


def stated_facts(facts: Sequence[Fact], context: str) -> list[bool]:
    """Return for each fact whether a line of a context, with the two around it, states it."""
    passages = passages_of(context)
    return [any(fact.share_in(passage) == 1 for passage in passages) for fact in facts]


def passages_of(text: str) -> list[str]:
    """Return every line with the two around it, plain."""
    lines = [plain(line) for line in text.splitlines() if line.strip()]
    return [" ".join(lines[max(0, number - 1) : number + 2]) for number in range(len(lines))]
