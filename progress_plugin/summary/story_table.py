"""The story table of a summary: a row per story, and which rows are shown as ranges."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from progress_plugin.core.memo import Memo
from progress_plugin.model.origin import Cited, Origin, origins_of
from progress_plugin.model.status import FINISHED, SHOWN_MARKS, Status
from progress_plugin.model.story import Story
from progress_plugin.plans.plan_and_story_identity import brief
from progress_plugin.summary.merged_story_status import StoryHistory, StoryState
from progress_plugin.text.bounds import counted
from progress_plugin.text.patterns import LazyPattern
from progress_plugin.text.safe_output import cell

_TITLE = 90
_NEAR = 8
"""Pending stories in a row that are named one by one; those after them come as a range."""
_NUMBERED = LazyPattern(r"(.*?)(\d{1,9})")
_FEW = 1
"""So many rows in a run are shown one by one."""
_MOST_RANGES = 8
_LONGEST_LABEL = 120
"""Characters of the ranges: stories without ids have their titles there."""

FRAME = "## Story Status\n| ID | Title | Status |\n|---|---|---|\n✓ complete, ○ pending"
"""What stands around the rows, for counting what it takes."""


class StoryTableRow(NamedTuple):
    """One line of the story table: a story, or a range of them that are alike."""

    id: str
    title: str
    mark: str
    agent: str = ""
    attempts: str = ""
    finished: bool = False
    waits: bool = False
    """Whether its title says what the story waits for."""
    stories: int = 1
    more: str = ""
    """Agent and attempts as cells, where any row of the table has them."""
    is_counted_only: bool = False
    """It stands for stories of which only the archive has the names."""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where it is stated; the id says so, and the title of a row without one."""
        return origins_of(self.id) or origins_of(self.title)


def earlier_rows(history: StoryHistory) -> list[StoryTableRow]:
    """Return a row for all the stories that are alike and of which only the number is known."""
    return [
        StoryTableRow(
            id="earlier",
            title=counted(number, "story"),
            mark=SHOWN_MARKS[status.value],
            finished=status is Status.DONE,
            stories=number,
            is_counted_only=True,
        )
        for status, number in history.earlier
    ]


def rows_of(history: StoryHistory, memo: Memo | None) -> Iterator[StoryTableRow]:
    """Yield a row for each story that has a name: hundreds, of which few are new since the last time."""
    remembered = (memo or Memo()).of(cell)
    for story in history.named:
        yield _row(story, remembered)


def _row(story: StoryState, cell_of: Callable[[str, int], str]) -> StoryTableRow:
    planned: Story | None = story.planned
    title = cell_of(story.title, _TITLE)
    waits = story.waits_for if story.status is Status.PENDING and not story.finished_by else ()
    title += " " + cell_of(f"(waits for {', '.join(waits)})", _TITLE) if waits else ""
    origins = story.origins()
    mark = story.shown_mark
    if story.finished_by is not None:  # the plan here has it open yet: theirs, and not done here
        mark += f" by {cell_of(story.finished_by.by, _TITLE)}"
    return StoryTableRow(
        id=Cited(cell_of(story.id or "", _TITLE), *origins),
        title=title if story.id else Cited(title, *origins),
        mark=mark,
        agent=cell_of((planned.agent if planned else None) or "", 40),
        attempts=str(planned.attempts) if planned and planned.attempts else "",
        finished=story.status in FINISHED,
        waits=bool(waits),
    )


def ranges(rows: Sequence[StoryTableRow]) -> list[StoryTableRow]:
    """Return the table with runs of finished and of far pending stories as one row each."""
    result: list[StoryTableRow] = []
    for mark, group in groupby(rows, key=lambda row: row.mark):
        run = list(group)
        if run[0].finished:
            result += _in_ranges(run)
        elif mark == SHOWN_MARKS["pending"]:
            result += [*run[:_NEAR], *_in_ranges(run[_NEAR:])]
        else:
            result += run
    return result


def _in_ranges(run: Sequence[StoryTableRow]) -> list[StoryTableRow]:
    """Return rows that are alike as one, its ids as ranges where they run on: none is hidden in between."""
    if len(run) <= _FEW:
        return list(run)
    found: list[list[str]] = []
    for row in run:
        name = brief(row.id) or row.title
        if found and _runs_on(found[-1][-1], name):
            found[-1].append(name)
        else:
            found.append([name])
    names = [_range(ids) for ids in found[:_MOST_RANGES]]
    lengths = accumulate(len(name) + len(", ") for name in names)
    fitting = sum(length <= _LONGEST_LABEL for length in lengths)
    shown = names[: max(fitting, 1)]
    more = sum(map(len, found[len(shown) :]))
    told = (origin for row in run for origin in row.origins)
    label = Cited(", ".join(shown) + (f" and {more} more" if more else ""), *told)
    number = sum(row.stories for row in run)
    return [run[0]._replace(id=label, title=counted(number, "story"), agent="", attempts="", stories=number)]


def _range(ids: Sequence[str]) -> str:
    return f"{ids[0]} – {ids[-1]}" if len(ids) > _FEW else ", ".join(ids)


def _runs_on(before: str, after: str) -> bool:
    first, second = _NUMBERED.fullmatch(before), _NUMBERED.fullmatch(after)
    return bool(first and second and first[1] == second[1] and int(second[2]) == int(first[2]) + 1)


def line_of(row: StoryTableRow) -> str:
    """Return a row as it is written, for counting what it takes."""
    worked = f" {row.agent} | {row.attempts} |" if row.agent or row.attempts else ""
    return f"| {row.id} | {row.title} | {row.mark} |{worked}"
