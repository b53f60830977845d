"""An event of the history: one entry of a log, ours or an agent's own.

Entries of ours become events in `log.events`, those of agents' logs in `authored.reader`; the types an entry
of ours can have are in `log.entry` (`ENTRY_TYPES`).
"""

from typing import NamedTuple

from progress_plugin.model.origin import Origin
from progress_plugin.model.status import Status

STATUS_OF_TYPE = {"task_completed": Status.DONE, "task_blocked": Status.BLOCKED}
"""What an entry of ours makes of its story; every other type means work that goes on."""
TYPE_OF_STATUS = {status: kind for kind, status in STATUS_OF_TYPE.items()}
AUTHORED = "authored"
"""The type of an entry of an agent's own log."""
STORY_TYPES = (AUTHORED, *STATUS_OF_TYPE)
"""Types of events that say the status of a story; the others only add to what is known of it."""
SCOPE_CHANGE = "scope_override"
"""The type of an entry by which the user wants something else than the plan says."""

THIS_CLONE = "this clone"
"""What the clone at hand is called among writers."""


def is_elsewhere(written_on: str | None, branch: str | None) -> bool:
    """Return whether an entry was written on another branch, where both are known."""
    return branch is not None and written_on is not None and written_on != branch


class PlannedAs(NamedTuple):
    """Which story of which plan an entry of ours was about when it was written."""

    path: str
    """Of the plan, relative to the root."""
    plan_id: str
    """Distinguishes the plan from others that were, or will be, at the same path."""
    branch: str | None
    """The branch that the plan named."""
    title: str
    """What the plan called the story."""
    near: tuple[tuple[str, str], ...] = ()
    """Ids of stories around it, each with a digest of its title: by them the plan is known again."""


class Event(NamedTuple):
    """Something that happened, as one entry of one log states it."""

    stories: tuple[str, ...]
    """Ids of the stories it is about, in the order of its heading; empty where none is named."""
    title: str | None
    """What the story is called; of an entry of ours that no plan names, what was said of it first."""
    status: Status
    type: str
    """An entry type for our entries, `authored` for an entry of an agent's own log."""
    source: str
    """Path of the log, relative to the project root."""
    position: int
    """True order within the source, 1 = oldest; ids and file order need not agree with it."""
    when: str | None = None
    """ISO 8601 in UTC, or a bare `YYYY-MM-DD`, or None where the log gives no usable date."""
    line: int | None = None
    """Line of its heading, 1-based; None for our own log."""
    spec: str | None = None
    details: tuple[str, ...] = ()
    """What was done, one item each, unshortened, the words of who did it first."""
    said: int = 0
    """How many of the details are the very sentences with which somebody logged it."""
    files: tuple[str, ...] = ()
    label: str = ""
    """What to call an entry without id and title: the line it begins with."""
    entry: str | None = None
    """Id of an entry of ours."""
    branch: str | None = None
    """What was checked out when an entry of ours was written."""
    writer: str | None = None
    """Which other clone an entry of ours came from; None where it was written here."""
    planned: PlannedAs | None = None
    """None for entries that name no story of a plan, and for authored ones."""
    trouble: tuple[str, ...] = ()
    """Of a blocker what is wrong and what might help: shown for as long as it is open."""
    is_inferred: bool = False
    """Whether its status is not stated, but made of what an agent's entry says of blockers and open parts."""
    is_name: bool = True
    """Whether the title is what the story is called; a note, or what is wrong with it, is not."""
    has_plans_title: bool = False
    """Whether an authored entry has its title from a plan, by its id alone: that does not prove the plan."""
    is_committed: bool = False
    """Whether its files are those of a commit, too: made of all that lay about, it names others' as well."""
    apart: tuple[tuple[str, Status], ...] = ()
    """Those of its stories of which it says a status of their own."""

    also_on: tuple[str, ...] = ()
    """Other branches on which somebody said the same later."""

    def is_elsewhere(self, branch: str | None) -> bool:
        """Return whether nobody said it on this branch, but somebody on another one."""
        return branch not in self.also_on and is_elsewhere(self.branch, branch)

    def status_of(self, story: str) -> Status:
        """Return what it says of one of its stories."""
        return dict(self.apart).get(story, self.status) if self.apart else self.status

    @property
    def origin(self) -> Origin:
        """Where it is stated: the whole entry."""
        story = (
            None if self.position else next(iter(self.stories), None)
        )  # the archive's table knows no entry
        return Origin(self.source, self.line or 0, 0, self.position, self.entry, story)
