"""Gather everything that a summary is made from: plans, logs, our own log, the decided state."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from progress_plugin.model.claim import Claim
from progress_plugin.model.work import AgentLog, Learning
from progress_plugin.selection.merge import Merged, merge
from progress_plugin.selection.muted import Muted
from progress_plugin.sources.found import FoundFile
from progress_plugin.state.decide import decide
from progress_plugin.state.inputs import Inputs
from progress_plugin.state.state import Record, State
from progress_plugin.summary.own_log import OwnLog


@dataclass(frozen=True)
class Facts:
    """What plans, logs and settings say about one project: pure data, without clock or files."""

    name: str
    branch: str | None
    files: tuple[FoundFile, ...]  # found, whether read or passed over
    inputs: Inputs
    own: OwnLog
    state: State = State()  # noqa: RUF009 - it is frozen; see `with_decision`
    loaded: tuple[str, ...] = ()  # texts that the client puts in front of the agent anyway
    problems: tuple[str, ...] = ()  # what could not be read, and what to do
    claims: tuple[Claim, ...] = ()  # who works on which story now
    evidence: Mapping[str, str] = field(default_factory=dict)  # what a check proves of an entry, by its id
    commits: tuple[Record, ...] = ()  # whose messages name an item of a plan
    merge_times: Mapping[str, int] | None = None  # until when the work on each branch is part of HEAD

    @property
    def logs(self) -> tuple[AgentLog, ...]:
        """The agents' logs, then our own if it has entries."""
        return self.inputs.logs + ((self.own.log,) if self.own.log.entries else ())

    @property
    def started(self) -> dt.date | None:
        """The date of the oldest entry."""
        return min((entry.date for log in self.logs for entry in log.entries if entry.date), default=None)

    @cached_property
    def learnings(self) -> list[Merged[Learning]]:
        """Every learning that is not muted, once, with all its sources."""
        muted = Muted(self.own.muted)
        learnings = [learning for log in self.logs for learning in log.learnings]
        return merge([learning for learning in learnings if not muted.hides(learning.text)])

    def date_of(self, path: str) -> dt.date | None:
        """Return the day a file was changed last."""
        return next((file.date for file in self.files if file.path == path), None)


def with_decision(facts: Facts, today: dt.date) -> Facts:
    """Return the facts with the state that is decided from them; it is not complete beside an unread plan."""
    own, inputs = facts.own, facts.inputs
    state = decide(inputs.plans, (*inputs.logs, own.stated), [*own.records, *facts.commits], today)
    if any(file.is_unreadable and file.kind == "plan" for file in facts.files):
        state = state._replace(is_complete=False)
    return replace(facts, state=state)


def source_paths(facts: Facts) -> list[str]:
    """Return the paths of everything that was read, the leading plan first."""
    paths = [plan.path for plan in facts.inputs.plans] + [log.path for log in facts.logs]
    return list(dict.fromkeys(paths))
