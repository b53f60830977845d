"""What a summary is made from: plain data, gathered by the caller, without clock or files."""

from typing import TYPE_CHECKING, NamedTuple

from progress_plugin.model.event import THIS_CLONE, Event
from progress_plugin.model.learning import Learning
from progress_plugin.model.origin import Cited, Origin
from progress_plugin.model.status import Status
from progress_plugin.model.story import Plan
from progress_plugin.passages.passage import Reading
from progress_plugin.plans.attribution import Attribution

if TYPE_CHECKING:
    from collections.abc import Mapping

    from progress_plugin.model.claim import Claim


class OpenBlocker(NamedTuple):
    """A task_blocked entry that is still open, or what a document of the present calls a blocker."""

    id: str
    """Of the entry; empty where a document says it."""
    label: str
    """Story id, or spec and task, or its words: what a reader knows it by."""
    issue: str
    """Empty where nobody said what is wrong."""
    when: str | None = None
    suggestion: str = ""
    """What might help."""
    title: str = ""
    """What its story is called, where that is of none here or of another plan than the leading one."""
    said_spec: str = ""
    """The spec it was logged for, where neither its label nor its plan says so."""
    story: str | None = None
    """Id of the story of the leading plan that it is about."""
    task: str | None = None
    spec: str | None = None
    plan: str | None = None
    """Which other plan it belongs to."""
    writer: str | None = None
    """Which other clone logged it; None for this one."""
    origin: Origin | None = None
    """Where an agent's own log states it; None for an entry of ours, which `id` names."""


class EndedBlocker(NamedTuple):
    """How a blocker of our log ended."""

    issue: str
    """What was wrong, by the field of that name; empty where a plan or an agent's log alone says so."""
    said: str
    """With what description it was logged, by the same rule."""
    how: str
    """What ended it, in words."""
    by: str | None
    """Id of the entry that did; None where a plan or an agent's log did."""


class LoggedCompletion(NamedTuple):
    """The completion of a story that the plan here has open: the edit of the plan is on its way."""

    story: str
    """Its id in the leading plan."""
    writer: str | None
    """Which other clone; None for this one."""
    when: str | None = None
    branch: str | None = None
    """The other branch that it was finished on; None where it is the one checked out here."""
    entry: str | None = None

    @property
    def by(self) -> str:
        """Who finished it, in words."""
        return self.writer or THIS_CLONE

    @property
    def is_here(self) -> bool:
        """Whether what was done is in this working tree: others' work may still be on its way."""
        return self.writer is None and self.branch is None


class LoggedStep(NamedTuple):
    """What an entry calls the next step; of another clone it is told as theirs, and no work of this one."""

    text: str
    writer: str | None
    """Which other clone; None for this one."""
    since: str | None = None
    """When it was logged, ISO 8601 in UTC."""


class EntryStep(NamedTuple):
    """What the newest entry of an agent's log calls next, beside a plan with open stories."""

    text: Cited
    source: str
    position: int
    """That of the entry in its log (`Event.position`)."""
    statements: tuple[str, ...]
    """What the text is made of, as it is in the log."""


WORK_ITEMS = 6
"""Next steps and blockers of a progress document that a summary shows."""


class WorkDocument(NamedTuple):
    """The progress document of this project, as far as a summary shows it."""

    updated: str
    goal: str | None = None
    completed: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    other: str | None = None
    """What waits to be settled, and JSON of members without a meaning of their own, shortened."""
    outdated: bool = False
    """Log or plan have moved on since: it shrinks to one line."""
    foreign_plan: str | None = None
    """Name of another plan it speaks of: it is only counted."""
    by: str | None = None
    """Who wrote it last, in words: a colleague's clone, or this one and it; None for this one alone."""


class Facts(NamedTuple):
    """Everything that plans, logs and settings say about one project."""

    name: str
    branch: str | None = None
    """What is checked out; outside of git what plan or log name."""
    named_branch: Cited | None = None
    """What the plan, else an agent's own log, calls the branch of the work."""
    started: str | None = None
    """ISO 8601 or `YYYY-MM-DD`, as a plan or log states it."""
    lead: Plan | None = None
    other_plans: tuple[Plan, ...] = ()
    events: tuple[Event, ...] = ()
    """All logs in one, oldest first."""
    attribution: Attribution | None = None
    """Which story of the leading plan an event is about, where the caller has found that out already."""
    earlier: tuple[tuple[Status, int], ...] = ()
    """Of the archive's stories that none of the events is about: how many have which status."""
    readings: tuple[Reading, ...] = ()
    """The passages of every log; their entries are the positions of its events."""
    loaded: tuple[str, ...] = ()
    """Texts that the client puts in front of the agent anyway."""
    learnings: tuple[Learning, ...] = ()
    """Deduplicated, in no particular order."""
    archive_only: int = 0
    """Learnings of archived entries beyond those that the archive's index holds."""
    dependencies: tuple[Learning, ...] = ()
    """Those the plan states and that still bind; shown while there is room, not counted."""
    blockers: tuple[OpenBlocker, ...] = ()
    ended: "Mapping[str, EndedBlocker]" = {}  # noqa: RUF012 - nobody changes it
    """By the ids of their entries, the blockers that were resolved."""
    next_step: LoggedStep | None = None
    """What the newest entry calls the next step."""
    stated_next: str | None = None
    """What an agent's own log calls next, where no plan has an open story: second to `next_step`."""
    entry_step: EntryStep | None = None
    """What its newest entry calls next where one has: told if the entry is about the current story."""
    counted: Cited | None = None
    """How many stories of how many are done by an agent's own count, if no plan says it: `3/4 tasks`."""
    focus: Cited | None = None
    """What an agent's own log says it is at."""
    waits: Cited | None = None
    """What an agent's own log says in a sentence to be in the way, where nothing is called a blocker."""
    stated: tuple[str, ...] = ()
    """The statements shown as focus, next step or blocker: they need not be shown again."""
    muted: tuple[str, ...] = ()
    """Learnings that nobody wants to see, in whichever words."""
    updated: tuple[str, ...] = ()
    """Further dates of the data (our log's and the document's), ISO 8601."""
    work: WorkDocument | None = None
    drift: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    """What other branches have finished of the leading plan, one sentence each."""
    at_work: frozenset[str] = frozenset()
    """Ids of the leading plan's stories that recorded sessions were asked for, or worked at."""
    evidence: tuple[tuple[str, str], ...] = ()
    """What transcripts prove of completions: the entry's id, and words such as `verified: pytest passed`."""
    finished_in_log: tuple[LoggedCompletion, ...] = ()
    """In a team the stories that the plan has open, and the log has finished."""
    claims: "tuple[Claim, ...]" = ()
    """Stories that somebody works on, this clone or others."""
    problems: tuple[str, ...] = ()
    broken_plans: tuple[str, ...] = ()
    """Paths of plans that cannot be read: nobody knows what is left to do in them."""
    sources: tuple[str, ...] = ()
    """Paths of the files read, relative to the root."""
    source_tokens: int = 0
    """Estimate for everything an agent would have to read instead."""
