"""The facts that a summary is made from: plans, logs, our own log, the decided state."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from progress_plugin.model.status import Status
from progress_plugin.model.work import (
    AgentLog,
    Claim,
    FoundFile,
    Learning,
    PlanDocument,
    Report,
    Statement,
    all_items,
)
from progress_plugin.selection.merge import Merged, merge
from progress_plugin.selection.similarity import Muted
from progress_plugin.state.decide import decide
from progress_plugin.state.inputs import Inputs
from progress_plugin.state.state import Record, State
from progress_plugin.summary.own_log import OwnLog

MAX_COMMITS = 100  # the newest
MAX_LISTED_DECISIONS = 12  # of one document


@dataclass(frozen=True)
class Facts:
    """The facts about one project from plans, logs and settings: pure data, without clock or files."""

    name: str
    branch: str | None
    files: tuple[FoundFile, ...]  # found, whether read or passed over
    inputs: Inputs
    own: OwnLog
    state: State = State()  # noqa: RUF009 - it is frozen; see `with_decision`
    shown_by_client: tuple[str, ...] = ()  # texts that the client puts in front of the agent anyway
    problems: tuple[str, ...] = ()  # what could not be read, and what to do
    claims: tuple[Claim, ...] = ()  # who works on which story now
    evidence: Mapping[str, str] = field(default_factory=dict)  # the check that proves an entry, by entry id
    commits: tuple[Record, ...] = ()  # whose messages name an item of a plan
    later_commits: tuple[str, ...] = ()  # subjects since plans and logs changed, the newest first

    @property
    def logs(self) -> tuple[AgentLog, ...]:
        """The agents' logs, then our own if it has entries."""
        return self.inputs.logs + ((self.own.log,) if self.own.log.entries else ())

    @property
    def started(self) -> dt.date | None:
        """The date of the oldest entry in the leading log or our own: other logs may be about other work."""
        logs = [*self.inputs.logs[:1], self.own.log]
        return min((entry.date for log in logs for entry in log.entries if entry.date), default=None)

    @cached_property
    def learnings(self) -> list[Merged[Learning]]:
        """Every learning that is not muted; one that several places state is there once, with all sources."""
        muted = Muted(self.own.muted)
        learnings = [learning for log in self.logs for learning in log.learnings]
        return merge([learning for learning in learnings if not muted.hides(learning.text)])

    @cached_property
    def learning_places(self) -> frozenset[tuple[str, int]]:
        """Path and line of every learning in agents' logs, and of the decisions that still hold."""
        logs = self.inputs.logs
        learnings = frozenset(each.source[:2] for log in logs for each in log.learnings)
        return learnings.union(each.source[:2] for log in logs for each in _decisions_in_force(log))

    def date_of(self, path: str) -> dt.date | None:
        return next((file.date for file in self.files if file.path == path), None)


def _decisions_in_force(log: AgentLog) -> list[Statement]:
    """Return the decisions in entries, and the last 12 decisions of a list outside of entries.

    Such a list grows at its end and has no dates: its first decisions may no longer hold.
    """
    decisions = [each for each in log.statements if each.section == "decision"]
    listed = [each for each in decisions if not each.entry and each.form in {"item", "row"}]
    return [each for each in decisions if each.entry] + listed[-MAX_LISTED_DECISIONS:]


def with_decision(facts: Facts, today: dt.date) -> Facts:
    """Return the facts with the decided state. If a plan cannot be read, the work is not complete."""
    own, inputs = facts.own, facts.inputs
    logs, records = (*inputs.logs, own.stated), [*own.records, *facts.commits]
    state = decide(inputs.plans, logs, records, today, len(facts.later_commits))
    if any(file.is_unreadable and file.kind == "plan" for file in facts.files):
        state = state._replace(is_complete=False)
    return replace(facts, state=state)


def source_paths(facts: Facts) -> list[str]:
    """Return the paths of everything that was read, the leading plan first."""
    paths = [plan.path for plan in facts.inputs.plans] + [log.path for log in facts.logs]
    return list(dict.fromkeys(paths))


def note_claims(plans: Sequence[PlanDocument], claims: Sequence[Claim]) -> None:
    """Report each claim on its item of the leading plan; do not offer an item that another clone claims."""
    claim_of = {claim.key: claim for claim in claims}
    for item in (item for plan in plans[:1] for item in all_items(plan.items)):
        claim = claim_of.get((item.id or item.title).casefold())
        if claim is None:
            continue
        item.reports.append(Report(Status.ACTIVE, f"claimed by {claim.by}", item.source))
        if claim.writer:
            item.agent, item.is_offered = claim.writer, False
