"""The ten rules by examples: files and records of a project, and what the head then says. One file for each rule."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from progress_plugin.agent_logs.reader import read_agent_log
from progress_plugin.model.status import Status
from progress_plugin.model.work import AgentLog, PlanDocument
from progress_plugin.plans.documents import read_plans, read_work_list
from progress_plugin.state.decide import decide
from progress_plugin.state.state import Record, State, Work

TODAY = dt.date(2026, 6, 1)
LOG_NAMES = {"progress.md", "HANDOFF.md", "STATE.md"}


def _examples() -> Iterator[object]:
    for path in sorted((Path(__file__).parent / "rules").glob("*.txt")):
        for case in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, _, body = case.partition("\n")
            yield pytest.param(*body.split("\n==>\n"), id=f"{path.stem}: {name}")


@pytest.mark.parametrize(("sources", "expected"), list(_examples()))
def test_rule(sources: str, expected: str) -> None:
    lines = expected.strip().splitlines()
    keys = {_key(line) for line in lines}
    assert sorted(line for line in _describe(_state_of(sources)) if _key(line) in keys) == sorted(lines)


def _key(line: str) -> str:
    """Return what a line is about: its first word, and of an item also its name."""
    return line.rpartition(" ")[0] if line.startswith("item ") else line.partition(" ")[0]


def _state_of(sources: str) -> State:
    plans: list[PlanDocument] = []
    texts: list[tuple[str, str]] = []
    records: list[Record] = []
    later_commits = 0
    for name, text in re.findall(r"^--- (\S.*)\n?((?:(?!--- ).*\n?)*)", sources, re.MULTILINE):
        path, _, stated = name.partition(" ")
        if path == "later-commits":
            later_commits = int(stated)
        elif path in {"record", "commit"}:
            records.append(_record(stated)._replace(path="git" if path == "commit" else "progress.json"))
        elif path.rpartition("/")[2] in LOG_NAMES:
            texts.append((path, text))
        else:
            plans += read_plans(path, text, dt.date.fromisoformat(stated) if stated else None)
    ids = {item.id for plan in plans for item in plan.items if item.id}
    logs = [(read_agent_log(path, text, ids), text) for path, text in texts]
    if not plans:
        plans = [plan for log, text in logs if (plan := _work_list(log, text))]
    return decide(plans, [log for log, _ in logs], records, TODAY, later_commits)


def _work_list(log: AgentLog, text: str) -> PlanDocument | None:
    return read_work_list(log.path, text, log.entries)


def _record(text: str) -> Record:
    date, story, status, words = text.split(" ", 3)
    words, _, plan = words.partition(" @")
    plan, _, title = plan.partition(" = ")
    stated = None if status == "-" else Status(status)
    return Record("id", story, words, dt.date.fromisoformat(date), stated, plan, title=title)


def _describe(state: State) -> Iterator[str]:
    yield f"stories {state.done}/{state.total}" if state.total else f"stories none of {state.entries} entries"
    yield f"complete {'yes' if state.is_complete else 'no'}"
    yield f"current {_shown(state.current)}"
    yield f"next {_shown(state.next)}"
    yield from [f"blocked {_shown(work)}" for work in state.blocked] or ["blocked none"]
    for plan in state.plans:
        for item in (*plan.items, *plan.groups):
            yield f"item {item.item.id} {item.status}"
            yield f"item {item.item.title} {item.status}"
            yield f"item {plan.plan.path} {item.item.id} {item.status}"
    yield from (f"conflict {line}" for line in state.conflicts)
    yield from (f"unknown {line}" for line in state.unknown)
    yield from (f"problem {line}" for line in state.problems)


def _shown(work: Work | None) -> str:
    if work is None:
        return "none"
    if work.item is None:
        return f"{work.text} ({work.source.path}{', outdated' if work.is_outdated else ''})"
    name = f"{work.item.id} " if work.item.id else ""
    return f"{name}{work.text}{f': {work.reason}' if work.reason else ''}"
