"""The content of a summary: lists of short, safe items, and the receipt for what was left out.

What somebody has written is `Cited` and says where; what we make of it, such as counts, is plain text.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from progress_plugin.model.learning import Learning
from progress_plugin.model.status import SHOWN_MARKS, Status
from progress_plugin.plans.plan_and_story_identity import normalised
from progress_plugin.summary.story_table import StoryTableRow
from progress_plugin.text.bounds import counted

OTHER_MARK = "•"
"""Of work that is no story and so has no status, where a mark has a column of its own."""
_SAID = "; last word by"
"""Between the mark of a status that nobody is the author of, and who said it."""
OTHER_WORK = "other work"
"""What is said of it in a heading, whose marks are those of the table's legend."""

_DID = dict.fromkeys((SHOWN_MARKS[Status.DONE], SHOWN_MARKS[Status.ACTIVE], OTHER_WORK), " by")


class RecentStory(NamedTuple):
    """One of the stories worked on last."""

    label: str
    title: str
    mark: str
    bullets: Sequence[str] = ()
    files: Sequence[str] = ()
    by: str = ""
    """Which other clone the newest word on it came from; empty where that was written here."""
    evidence: str = ""
    """What a transcript proves of it; empty where none was read."""
    finished: int = 0
    """How many finished stories it is about."""

    @property
    def heading_words(self) -> str:
        """What the heading says."""
        return self.title or self.label

    @property
    def heading(self) -> str:
        """`US-012: title (✓ by host-b; verified: pytest passed)`; one without an id is known by its title."""
        name = f"{self.label}: {self.title}" if self.title and self.title != self.label else self.label
        by = f"{_DID.get(self.mark, _SAID)} {self.by}" if self.by else ""
        return f"{name} ({self.mark}{by}{'; ' if self.evidence else ''}{self.evidence})"


class Statement(NamedTuple):
    """A learning as it is shown."""

    text: str
    learning: Learning
    ranks: tuple[int, ...] = ()
    """Which of the learnings found in logs it states; none for what is no learning, or what a plan states."""
    under: str = ""
    """The heading or label that it is shown under; empty where it says itself what it is about."""


class WorkState(NamedTuple):
    """The progress document, ready to show."""

    goal: str = ""
    completed: Sequence[str] = ()
    next_steps: Sequence[str] = ()
    blockers: Sequence[str] = ()
    other: str = ""
    note: str = ""
    """The one line an outdated document shrinks to, or who of a team has written it."""


class Content(NamedTuple):
    """A whole summary as the template receives it: sorted, dated, cut and escaped."""

    name: str
    branch: str = ""
    started: str = ""
    updated: str = ""
    stories: str = ""
    current: str = ""
    asks: Sequence[str] = ()
    """What the current story has to fulfil, by its plan, at length and ever shorter."""
    asked: str = ""
    """What of it fits, and what was changed of it."""
    asked_since: str = ""
    """What the user wants of it otherwise than the plan."""
    blocked: Sequence[str] = ()
    blocked_in_all: int = 0
    """How many there are, shown or not."""
    next: str = ""
    notes: Sequence[str] = ()
    """Other plans, drift, unreadable inputs: one sentence each."""
    faults: int = 0
    """How many of the notes, the last ones, are about inputs and settings that could not be read."""
    ends: Sequence[str] = ()
    """What older entries left open, and nothing newer has closed."""
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
    told: Sequence[int] = ()
    """Which of the learnings found in logs need no statement of their own: others say the same."""
    learnings_switched_off: bool = False
    """Whether the settings ask for none of them."""
    recent: Sequence[RecentStory] = ()
    receipt: Sequence[str] = ()
    """What was left out, and how to see it."""
    sources: str = ""

    @property
    def learnings_shown(self) -> int:
        """How many of the learnings found in logs are in it."""
        return len(self.ranks_told)

    @property
    def taught_besides(self) -> int:
        """How many lines stand among the learnings that were found as none: who counts lines counts them."""
        shown = [each for each in (*self.patterns, *self.gotchas, *self.dependencies) if each.learning.lines]
        unfound = sum(not each.ranks for each in shown)
        return max(unfound, len(shown) - self.learnings_shown)

    @property
    def ranks_told(self) -> list[int]:
        """Which of the learnings found in logs are in it."""
        shown = (*self.patterns, *self.gotchas, *self.dependencies)
        return sorted({rank for statement in shown for rank in statement.ranks}.union(self.told))


def unsaid_dependencies(dependencies: Iterable[Statement], rows: Sequence[StoryTableRow]) -> list[Statement]:
    """Return the dependencies but those of stories whose row says it; all that logs teach."""
    said = {str(row.id) for row in rows if row.waits}
    return [each for each in dependencies if each.ranks or each.learning.story not in said]


def unsaid_titles(earlier: Iterable[Statement], rows: Sequence[StoryTableRow]) -> list[Statement]:
    """Return the statements of earlier work but those that only repeat the title in a row of the table."""
    said = {normalised(text) for row in rows for text in (row.title, f"{row.id}: {row.title}")}
    return [each for each in earlier if normalised(each.text) not in said]


_CUT = "…"
"""What a title ends in that was too long."""
_FIND = "`agent-progress recall WORDS`"


def _open_rows(content: Content) -> int:
    return sum(row.stories for row in content.rows if not row.finished)


def _finished_rows(content: Content) -> int:
    return sum(row.stories for row in content.rows if row.finished)


def receipt_of(content: Content, kept: Content, archive_only: int) -> list[str]:
    """Say what was left out, and how to see it."""
    besides = kept.taught_besides
    shown, known = kept.learnings_shown + besides, content.learnings_in_all + besides
    lines = []
    if shown < known:
        lines.append(f"{shown} of {counted(known, 'learning')} shown; the others: {_FIND}.")
    if archive_only:
        older = counted(archive_only, "older learning stands", "older learnings stand")
        where = "" if lines else f": {_FIND}"
        lines.append(f"{older} in archive/ alone{where}.")
    if len(kept.blocked) < len(content.blocked):
        lines.append(
            f"{len(kept.blocked)} of {len(content.blocked)} blocked shown; all: `agent-progress status`."
        )
    if len(kept.recent) < len(content.recent):
        lines.append(f"{len(kept.recent)} of {counted(len(content.recent), 'recent story')} shown.")
    if len(kept.notes) < len(content.notes):
        notes = counted(len(content.notes), "note")
        lines.append(f"{len(kept.notes)} of {notes} shown; all: `agent-progress status`.")
    open_shown, open_rows = _open_rows(kept), _open_rows(content)
    if not kept.rows:
        open_shown = sum(is_told_above(row, content) for row in content.rows if not row.finished)
    if open_shown < open_rows:
        rows = counted(open_rows, "open story")
        lines.append(f"{open_shown} of {rows} shown; all: `agent-progress status`.")
    named = _finished_rows(kept) or sum(story.finished for story in kept.recent) + _titles_told(content, kept)
    if (hidden := _finished_rows(content) - named) > 0:
        lines.append(f"{counted(hidden, 'finished story')} not listed: {_where(hidden, content, kept)}.")
    return lines


def _titles_told(content: Content, kept: Content) -> int:
    """Return how many finished stories without an id stand above as a statement that is their title."""
    told = {str(each.text) for each in kept.earlier}
    above = {story.heading_words for story in kept.recent}
    return sum(
        row.finished and not row.id and str(row.title) not in above and _is_stated(str(row.title), told)
        for row in (content.rows if told else ())
    )


def _is_stated(title: str, told: Collection[str]) -> bool:
    cut = title.removesuffix(_CUT)
    return title in told if cut == title else any(text.startswith(cut) for text in told)


def _where(hidden: int, content: Content, kept: Content) -> str:
    """Say which command lists the finished stories that are left out: the oldest no status names."""
    nameless = _nameless(content) - _nameless(kept)
    if not nameless:
        return "`agent-progress status`"
    if nameless >= hidden:
        return "`agent-progress context --whole`"
    return f"`agent-progress status`, the oldest {nameless}: `agent-progress context --whole`"


def _nameless(content: Content) -> int:
    return sum(row.stories for row in content.rows if row.finished and row.is_counted_only)


def is_told_above(row: StoryTableRow, content: Content) -> bool:
    """Return whether the lines on the current and the next story say all that a row says."""
    lines = (content.current, content.next)
    return row.stories == 1 and any(row.id in line and row.title in line for line in lines)
