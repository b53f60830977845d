"""Whether what a passage says still holds: the story it is about, its blocker, a later word.

What holds today is found out where the sources are read (`usecases.recalling.present_state`), and kept in
the index as one fact: a question reads no source.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from progress_plugin.recall.index import COLUMNS, LEARNINGS, Candidate, Index, stored_name, story_key
from progress_plugin.recall.terms import terms_of

FACT = "present state"
_STORY, _OPEN = "story", "open"
_MOST_LATER = 400
"""Statements that say that something has changed which are looked at, the newest."""
_FEWEST_TERMS = 2
"""Terms that a statement shares with the one that corrects it."""
_PLANS = 3


class StoryToday(NamedTuple):
    """What a plan, or our log where no plan has the story, says of a story today."""

    id: str
    title: str
    status: str
    """A value of `Status`; `finished by host-b` where the log has finished what the plan has open."""
    plan: str
    """Path of the plan; empty where our log says it."""


class PresentState(NamedTuple):
    """What holds today."""

    stories: tuple[StoryToday, ...] = ()
    blockers: frozenset[str] = frozenset()
    """Ids of our entries whose blockers are open; all others have been resolved."""

    def stored(self) -> bytes:
        """Return it as it is kept in an index."""
        rows = [
            *((_STORY, *each) for each in self.stories),
            *((_OPEN, name) for name in sorted(self.blockers)),
        ]
        return "\n".join("\t".join(map(stored_name, row)) for row in rows).encode("utf-8", "replace")

    @classmethod
    def of(cls, index: Index) -> PresentState:
        """Return what `stored` has kept in an index."""
        rows = [line.split("\t") for line in (index.fact(FACT) or b"").decode().split("\n")]
        return cls(
            tuple(StoryToday(*row[1:]) for row in rows if row[0] == _STORY),
            frozenset(row[1] for row in rows if row[0] == _OPEN),
        )


class Standing(NamedTuple):
    """Whether what a passage says still holds."""

    story: str = ""
    """What became of its story: `done`, or `done in prd.json, pending in TODO.md`; empty for the unknown."""
    blocker: str = ""
    """`open` or `resolved`; empty for what is no blocker, and where nobody says."""
    later: str = ""
    """A later statement that says that this has changed, with its place before it."""


class _Change(NamedTuple):
    """A statement that says that something has changed."""

    row: Candidate
    path: str
    place: int
    terms: frozenset[str]


class Standings:
    """Knows what holds today of the passages of one index, which is read when somebody asks.

    `shown` returns a text without the parts that nobody wants to see, empty where none is left.
    """

    def __init__(self, index: Index, shown: Callable[[str], str]) -> None:
        self._index = index
        self._shown = shown

    def of(self, row: Candidate, path: str, place: int, *, is_plan: bool) -> Standing:
        """Return whether a passage of the file at `path` still holds.

        `place` is that of its entry in the history of its source: the greatest is the newest.
        """
        later = "" if is_plan or row.kind not in LEARNINGS else self._later(row, place)
        return Standing(self._story(row, path if is_plan else ""), self._blocker(row), later)

    @cached_property
    def _present(self) -> PresentState:
        return PresentState.of(self._index)

    @cached_property
    def _stories(self) -> dict[str, list[StoryToday]]:
        found: dict[str, list[StoryToday]] = {}
        for each in self._present.stories:
            found.setdefault(story_key(each.id), []).append(each)
        return found

    @cached_property
    def _changes(self) -> list[_Change]:
        """What says that something has changed, the newest first."""
        rows = self._index.connection.execute(
            f"SELECT {COLUMNS}, s.path, p.entry - s.entries - s.later FROM passages p "  # noqa: S608 - of constants
            f"JOIN sources s ON s.id = p.source WHERE p.corrects AND NOT s.is_plan "
            "ORDER BY s.later - p.entry + s.entries, p.id DESC LIMIT ?",
            (_MOST_LATER,),
        )
        found = [(Candidate(*row), path, place) for *row, path, place in rows]
        return [
            _Change(*each, frozenset(each[0].terms.split())) for each in found if self._shown(each[0].text)
        ]

    def _story(self, row: Candidate, plan: str) -> str:
        names = [name for name in row.stories.split("\n") if name]
        known = self._stories.get(story_key(names[0]), []) if names else []
        own = frozenset(terms_of(row.title))
        # Ids begin again with every plan: a story of which nothing is called the same is another one.
        found = [
            each
            for each in known
            if (not plan or each.plan == plan) and _is_alike(own, frozenset(terms_of(each.title)))
        ]
        found = [each for each in found if any(name in each.plan.split("/") for name in names[1:])] or found
        states = {each.status for each in found}
        if len(states) < 2:  # noqa: PLR2004 - the plans agree
            return "".join(states)
        return ", ".join(f"{each.status} in {each.plan or 'the log'}" for each in found[:_PLANS])

    def _blocker(self, row: Candidate) -> str:
        if not (row.blocker or row.is_over):
            return ""
        return "open" if row.blocker in self._present.blockers else "resolved"

    def _later(self, row: Candidate, place: int) -> str:
        own = frozenset(row.terms.split())
        newer = [
            each
            for each in self._changes
            if len(own & each.terms) >= _FEWEST_TERMS and _is_later(each, row, place)
        ]
        if not newer:
            return ""
        from progress_plugin.model.work import Source, Statement  # noqa: PLC0415 - if something has changed
        from progress_plugin.selection.merge import find_overtaken  # noqa: PLC0415

        older = Statement(row.text, Source(""), entry=1)
        for change in newer:
            if find_overtaken([older, Statement(change.row.text, Source(""), entry=2)]):
                line = f":{change.row.line}" if change.row.line else ""
                by = f" (by {change.row.writer})" if change.row.writer else ""
                return f"{change.path}{line}: {change.row.text}{by}"
        return ""


def _is_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return not (one and other) or not one.isdisjoint(other)


def _is_later(change: _Change, row: Candidate, place: int) -> bool:
    """Return whether it was said after a passage: in a later entry, or on a later day in another log."""
    other = change.row
    if other.source == row.source or not (other.at and row.at):
        return other.source == row.source and bool(row.entry) and change.place > place
    length = min(len(other.at), len(row.at))
    return other.at[:length] > row.at[:length]
