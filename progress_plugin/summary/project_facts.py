"""Gather everything that a summary is made from: plans, logs, our own log, the decided state."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from progress_plugin.config.settings import Settings
from progress_plugin.core.git import Repository
from progress_plugin.core.snapshot import InputSnapshot
from progress_plugin.log.entry import text_of
from progress_plugin.model.claim import Claim
from progress_plugin.model.work import AgentLog, Learning
from progress_plugin.selection.merge import Merged, merge
from progress_plugin.selection.muted import Muted
from progress_plugin.sources.find import find_sources
from progress_plugin.sources.found import FoundFile
from progress_plugin.state.decide import decide
from progress_plugin.state.inputs import Inputs, read_inputs
from progress_plugin.state.state import Record, State
from progress_plugin.summary.claimed_items import note_claims
from progress_plugin.summary.own_log import OwnLog, newest_plan, read_own_log
from progress_plugin.summary.story_commits import read_story_commits
from progress_plugin.text.decode import decode_lenient
from progress_plugin.text.document_text import document_text
from progress_plugin.text.safe_output import one_line

DATA_SUFFIXES = (".json", ".jsonl", ".yaml", ".yml")  # cannot hold private parts or marks of a conflict
MAX_NAME_CHARS = 100
MAX_LOADED_CHARS = 200_000
LOADED_BY_CLIENTS = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")


@dataclass(frozen=True, slots=True)
class Facts:
    """What plans, logs and settings say about one project: pure data, without clock or files."""

    name: str
    branch: str | None
    files: tuple[FoundFile, ...]  # found, whether read or passed over
    inputs: Inputs
    own: OwnLog
    state: State
    loaded: tuple[str, ...] = ()  # texts that the client puts in front of the agent anyway
    problems: tuple[str, ...] = ()  # what could not be read, and what to do
    claims: tuple[Claim, ...] = ()  # who works on which story now
    evidence: Mapping[str, str] = field(default_factory=dict)  # what a check proves of an entry, by its id
    commits: tuple[Record, ...] = ()  # whose messages name an item of a plan
    unmerged: frozenset[str] = frozenset()  # other branches with entries that are not merged here

    @property
    def logs(self) -> tuple[AgentLog, ...]:
        """The agents' logs, then our own if it has entries."""
        return self.inputs.logs + ((self.own.log,) if self.own.log.entries else ())

    @property
    def started(self) -> dt.date | None:
        """The date of the oldest entry."""
        return min((entry.date for log in self.logs for entry in log.entries if entry.date), default=None)

    @property
    def learnings(self) -> list[Merged[Learning]]:
        """Every learning that is not muted, once, with all its sources."""
        muted = Muted(self.own.muted)
        learnings = [learning for log in self.logs for learning in log.learnings]
        return merge([learning for learning in learnings if not muted.hides(learning.text)])

    def date_of(self, path: str) -> dt.date | None:
        """Return the day a file was changed last."""
        return next((file.date for file in self.files if file.path == path), None)


def read_facts(  # noqa: PLR0913 - the inputs of a project, each by name
    root: str,
    *,
    snapshot: InputSnapshot,
    settings: Settings,
    repository: Repository | None,
    entries: Sequence[dict[str, Any]] = (),
    archived: Sequence[dict[str, Any]] = (),
    muted: Sequence[str] = (),
    name: str = "",
    today: dt.date,
    known: Sequence[FoundFile] = (),
    read_documents: Callable[[str], Sequence[AgentLog]] = lambda _plan_name: (),
    claims: Sequence[Claim] = (),
) -> Facts:
    """Read a project.

    `entries` are those of our own log, `archived` what older ones teach. `known` are the files found earlier.
    `name` is the directory's or repository's; the settings and the leading plan come before it.
    `read_documents` takes the plan's name and returns what states something about the work without being a
    file. What others claim is not offered as next.
    """
    branch = repository.head()[0] if repository else None
    found = find_sources(snapshot, repository, branch=branch, known=known, logged=newest_plan(entries))
    files = _with_named_files(found.files, settings)

    faults: dict[str, str] = {}

    def read_text(path: str) -> str | None:
        data = snapshot.read(path)
        if data is None:
            return None
        text, fault = (
            decode_lenient(data, path) if path.endswith(DATA_SUFFIXES) else document_text(data, path)
        )
        if fault:
            faults[path] = fault
        return text

    inputs = read_inputs(files, read_text)
    plan_name = inputs.plans[0].name if inputs.plans else ""
    inputs = replace(inputs, logs=(*inputs.logs, *read_documents(plan_name)))
    note_claims(inputs.plans, claims)
    unmerged = _branches_elsewhere(repository, branch, entries)
    own = read_own_log(entries, unmerged, archived, muted)
    commits = read_story_commits(repository, inputs.plans) if repository else []
    logs = (*inputs.logs, own.stated)
    state = decide(inputs.plans, logs, [*own.records, *commits], today)
    state = _with_unreadable(state, files)
    others = [*found.related, *snapshot.problems, *describe_missing(snapshot, settings)]
    unread = [f"{file.path}: {file.reason}" for file in files if file.is_unreadable]
    return Facts(
        name=one_line(settings.project or plan_name or name or os.path.basename(root), MAX_NAME_CHARS),
        branch=branch,
        files=tuple(files),
        inputs=inputs,
        own=own,
        state=state,
        loaded=tuple(text[:MAX_LOADED_CHARS] for path in LOADED_BY_CLIENTS if (text := read_text(path))),
        problems=tuple(dict.fromkeys([*inputs.problems, *faults.values(), *unread, *others])),
        claims=tuple(claims),
        commits=tuple(commits),
        unmerged=unmerged,
    )


def with_own_log(facts: Facts, own: OwnLog, today: dt.date) -> Facts:
    """Return the facts with another state of our own log; no file is read."""
    inputs = facts.inputs
    state = decide(inputs.plans, (*inputs.logs, own.stated), [*own.records, *facts.commits], today)
    return replace(facts, own=own, state=_with_unreadable(state, facts.files))


def _with_unreadable(state: State, files: Sequence[FoundFile]) -> State:
    """Return the state, which is not complete if a plan cannot be read: what is open in it is unknown."""
    has_unreadable = any(file.is_unreadable and file.kind == "plan" for file in files)
    return replace(state, is_complete=False) if has_unreadable else state


def _branches_elsewhere(
    repository: Repository | None, branch: str | None, entries: Sequence[dict[str, Any]]
) -> frozenset[str]:
    """Return the branches that entries were written on and that are not merged into the one checked out."""
    named = {name for entry in entries if (name := text_of(entry, "branch")) and name != branch}
    if not named or repository is None or branch is None:
        return frozenset()
    return frozenset(named - repository.merged_branches(branch).keys())


def _with_named_files(files: Sequence[FoundFile], settings: Settings) -> list[FoundFile]:
    """Return the files with those that the settings name, the named plan first."""
    known = {file.path: file for file in files}
    logs = [_named(path, "log", known) for path in settings.log_files]
    plans = [_named(settings.plan, "plan", known)] if settings.plan else []
    named = {file.path for file in (*plans, *logs)}
    return [*plans, *(file for file in files if file.path not in named), *logs]


def _named(path: str, kind: str, known: dict[str, FoundFile]) -> FoundFile:
    file = known.get(path)
    changed_s = file.changed_s if file else 0
    role = "leads" if kind == "plan" else "read"
    return FoundFile(path, kind, "", role, "named in the settings", changed_s)  # type: ignore[arg-type]


def describe_missing(snapshot: InputSnapshot, settings: Settings) -> list[str]:
    """Return a sentence for each file that the settings name and that is not there."""
    named = [(path, "log_files") for path in settings.log_files]
    named += [(settings.plan, "plan")] if settings.plan else []
    return [
        f"{path}: the file that is set (`{key}`) is not there; write it, or set another: "
        f"`agent-progress config set {key} PATH`"
        for path, key in named
        if snapshot.read(path) is None and not any(path in problem for problem in snapshot.problems)
    ]


def source_paths(facts: Facts) -> list[str]:
    """Return the paths of everything that was read, the leading plan first."""
    paths = [plan.path for plan in facts.inputs.plans] + [log.path for log in facts.logs]
    return list(dict.fromkeys(paths))
