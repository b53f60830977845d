"""Logs with what the next agent needs to know of them, as labelled facts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from progress_plugin.authored.reader import AuthoredLog, read_log
from progress_plugin.config.settings import Settings
from progress_plugin.core.known_paths import UNMISTAKABLE_PLANS
from progress_plugin.model.story import Plan
from progress_plugin.passages.passage import Reading
from progress_plugin.passages.reader import read_passages
from progress_plugin.plans.reader import read_plan
from progress_plugin.summary.budget import limit
from progress_plugin.summary.start_context import CAP
from progress_plugin.summary.tokens import estimate

KINDS = ("standing", "pitfall", "convention", "recent")
_MARKS = re.compile(r"[`*_\\]|<[^>]{0,8}>|\s+")
UNITS = CAP
"""UTF-16 code units that a context has at most."""


class Fact(NamedTuple):
    """One thing that the next agent needs to know."""

    kind: str
    lines: frozenset[int]
    keys: tuple[tuple[str, ...], ...]
    """Groups of alternatives, plain; a passage tells the fact if it holds one of every group."""

    def told_in(self, passage: str) -> bool:
        """Return whether a plain passage holds an alternative of every group."""
        return all(any(one in passage for one in group) for group in self.keys)

    def share_in(self, passage: str) -> float:
        """Return the share of groups of which a plain passage holds an alternative."""
        return sum(any(one in passage for one in group) for group in self.keys) / len(self.keys)


class Case(NamedTuple):
    """One log, read, with its facts."""

    name: str
    text: str
    log: AuthoredLog
    plan: Plan | None
    reading: Reading
    facts: tuple[Fact, ...]
    limit: int
    """Tokens that its context may have."""


def plain(text: str) -> str:
    """Return text in lower case, without marks, with single spaces, as the scorer compares it."""
    return _MARKS.sub(lambda found: " " if found.group().isspace() else "", text.casefold()).strip()


def windows(text: str) -> list[str]:
    """Return every line with its neighbours, plain: what the scorer calls a passage."""
    lines = [plain(line) for line in text.splitlines() if line.strip()]
    return [" ".join(lines[max(0, at - 1) : at + 2]) for at in range(len(lines))]


def read_cases(logs: Path, labels: Iterable[Path]) -> list[Case]:
    """Return a case for every file of facts whose log is there, sorted by name."""
    files = sorted((file for folder in labels for file in folder.glob("*.json")), key=lambda file: file.stem)
    return [
        _read_case(logs / file.stem, json.loads(file.read_bytes()))
        for file in files
        if (logs / file.stem).is_dir()
    ]


def told(facts: Sequence[Fact], context: str) -> list[bool]:
    """Return for each fact whether a context tells it."""
    passages = windows(context)
    return [any(fact.told_in(passage) for passage in passages) for fact in facts]


def _read_case(folder: Path, labelled: dict[str, list[dict[str, object]]]) -> Case:
    texts = [file for file in folder.iterdir() if file.suffix in {".md", ".txt"}]
    text = max(texts, key=lambda file: file.stat().st_size).read_bytes().decode("utf-8", "replace")
    plan, tokens = None, estimate(text)
    for file in sorted(folder.iterdir()):
        if file.name in UNMISTAKABLE_PLANS and plan is None:
            data = file.read_bytes()
            plan = read_plan(file.name, data, lambda _: None)
            tokens += estimate(data.decode("utf-8", "replace")) if plan else 0
    titles = {story.id: story.title for story in plan.stories} if plan else {}
    log = read_log(text, "progress.md", titles)
    return Case(
        name=folder.name,
        text=text,
        log=log,
        plan=plan,
        reading=read_passages(log),
        facts=tuple(fact_of(raw) for raw in labelled["facts"]),
        limit=limit(tokens, Settings().max_context_tokens),
    )


def fact_of(raw: dict[str, object]) -> Fact:
    """Return a fact as its file states it."""
    keys, lines = raw["keys"], raw["lines"]
    assert isinstance(keys, list)  # noqa: S101 - a file of labels that is none must not pass
    assert isinstance(lines, list)  # noqa: S101
    return Fact(str(raw["kind"]), frozenset(lines), tuple(tuple(map(plain, group)) for group in keys))
