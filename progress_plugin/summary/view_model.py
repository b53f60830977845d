"""The content of a summary: lists of short, safe items, before anything is left out (S6.1).

What somebody has written is `Cited` and says where; what we make of it, such as counts, is plain text.
"""

from collections.abc import Sequence
from typing import NamedTuple

from progress_plugin.model.learning import Learning
from progress_plugin.model.origin import Origin, origins_of

OTHER_MARK = "•"
"""Of work that is no story: it stands nowhere."""


class StoryTableRow(NamedTuple):
    """One line of the story table: a story, or a range of them that stand alike."""

    id: str
    title: str
    mark: str
    agent: str = ""
    attempts: str = ""
    finished: bool = False
    stories: int = 1
    more: str = ""
    """Agent and attempts as cells, where any row of the table has them."""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where it is told; the id says so, and the title of a row without one."""
        return origins_of(self.id) or origins_of(self.title)


class RecentStory(NamedTuple):
    """One of the stories worked on last."""

    label: str
    title: str
    mark: str
    bullets: Sequence[str] = ()
    files: Sequence[str] = ()

    @property
    def heading_words(self) -> str:
        """What the heading says."""
        return self.title or self.label

    @property
    def heading(self) -> str:
        """`US-012: title (✓)`; a story without an id is known by its title."""
        name = f"{self.label}: {self.title}" if self.title and self.title != self.label else self.label
        return f"{name} ({self.mark})"


class Statement(NamedTuple):
    """A learning as it is shown."""

    text: str
    learning: Learning
    ranks: tuple[int, ...] = ()
    """Which of the learnings found in logs it states; none for what is no learning, or what a plan states."""


class WorkState(NamedTuple):
    """The progress document, ready to show."""

    goal: str = ""
    completed: Sequence[str] = ()
    next_steps: Sequence[str] = ()
    blockers: Sequence[str] = ()
    other: str = ""
    note: str = ""
    """The one line an outdated document shrinks to."""


class Content(NamedTuple):
    """A whole summary as the template receives it: sorted, dated, cut and escaped."""

    name: str
    branch: str = ""
    started: str = ""
    updated: str = ""
    stories: str = ""
    current: str = ""
    blocked: Sequence[str] = ()
    blocked_in_all: int = 0
    """How many there are, shown or not."""
    next: str = ""
    notes: Sequence[str] = ()
    """Other plans, drift, unreadable inputs: one sentence each."""
    work: WorkState | None = None
    rows: Sequence[StoryTableRow] = ()
    patterns: Sequence[Statement] = ()
    gotchas: Sequence[Statement] = ()
    dependencies: Sequence[Statement] = ()
    """Learnings of each kind."""
    earlier: Sequence[Statement] = ()
    """What earlier entries say besides: of older stories, without being a learning."""
    learnings_in_all: int = 0
    """How many there are, shown or not."""
    recent: Sequence[RecentStory] = ()
    receipt: Sequence[str] = ()
    """What was left out, and how to see it."""
    sources: str = ""

    @property
    def learnings_shown(self) -> int:
        """How many of the learnings found in logs stand in it."""
        shown = (*self.patterns, *self.gotchas, *self.dependencies)
        return len({rank for statement in shown for rank in statement.ranks})
