"""Read projects together with labelled facts: what the next agent needs to know about each project."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from progress_plugin.config.settings import Settings
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.model.work import Statement
from progress_plugin.sources.find import find_sources
from progress_plugin.state.inputs import read_inputs, read_redacted
from progress_plugin.summary.make_summary import find_candidates
from progress_plugin.summary.newest_entries import find_recent
from progress_plugin.summary.own_log import OwnLog
from progress_plugin.summary.project_facts import Facts, with_decision

TODAY = dt.date(2026, 6, 1)
MARKS = re.compile(r"[`*_\\]|<[^>]{0,8}>|\s+")


@dataclass(frozen=True)
class Need:
    """Something the next agent needs to know: a passage states it if it has an alternative of every group."""

    kind: str
    lines: frozenset[int]
    keys: tuple[tuple[str, ...], ...]

    def share_in(self, passage: str) -> float:
        """Return the share of groups of which a plain passage has an alternative."""
        return sum(any(key in passage for key in group) for group in self.keys) / len(self.keys)


@dataclass(frozen=True)
class Case:
    """One project, with what the next agent needs to know about it."""

    name: str
    log: str  # the file to which the lines of a need refer
    facts: Facts
    statements: tuple[Statement, ...]  # the candidates for the summary
    needs: tuple[Need, ...]


def read_cases(logs: Path, labels: Path) -> list[Case]:
    """Return a case for every file of labels whose project exists, by name."""
    files = sorted(labels.glob("*.json"))
    return [_read_case(logs / file.stem, file) for file in files if (logs / file.stem).is_dir()]


def _read_case(folder: Path, labels: Path) -> Case:
    log = max((file for file in folder.iterdir() if file.suffix in {".md", ".txt"}), key=_size).name
    settings = Settings(log_files=[log])  # whatever its name, which is not measured here
    snapshot = InputSnapshot(str(folder))
    files = find_sources(snapshot, None, settings=settings).files
    documents = read_inputs(files, partial(read_redacted, snapshot, {}))
    name = documents.plans[0].name if documents.plans else folder.name
    facts = with_decision(Facts(name, None, files, documents, OwnLog()), TODAY)
    return Case(
        folder.name,
        log,
        facts,
        tuple(find_candidates(facts, find_recent(facts, settings.recent_stories_count))),
        tuple(map(need_of, json.loads(labels.read_text("utf-8"))["facts"])),
    )


def need_of(raw: Mapping[str, Any]) -> Need:
    """Return the need that a fact of a file of labels describes."""
    keys = tuple(tuple(map(plain, group)) for group in raw["keys"])
    return Need(raw["kind"], frozenset(raw["lines"]), keys)


def _size(file: Path) -> tuple[int, str]:
    return file.stat().st_size, file.name


def plain(text: str) -> str:
    """Return text in lower case, without marks, with single spaces."""
    return MARKS.sub(lambda found: " " if found.group().isspace() else "", text.casefold()).strip()


def stated_needs(needs: Sequence[Need], context: str) -> list[bool]:
    """Return for each need whether a line of a context, with the lines before and after, states it."""
    passages = passages_of(context)
    return [any(need.share_in(passage) == 1 for passage in passages) for need in needs]


def passages_of(text: str) -> list[str]:
    """Return each line as plain text, together with the lines before and after it."""
    lines = [plain(line) for line in text.splitlines() if line.strip()]
    return [" ".join(lines[max(0, number - 1) : number + 2]) for number in range(len(lines))]
