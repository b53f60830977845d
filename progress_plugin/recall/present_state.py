"""What holds today of the stories and blockers that passages speak of; it is kept in the index."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property

from progress_plugin.recall.index import LEARNINGS, Index, Passage, stories_in
from progress_plugin.recall.terms import terms_of

FACT = "present state"
MAX_CORRECTIONS = 400  # the newest statements that say that something has changed
MIN_SHARED_TERMS = 2  # of a statement and the one that corrects it
MAX_PLANS = 3


@dataclass(frozen=True, slots=True)
class PresentState:
    """The state of the work when the index was made, as it is kept in the index as JSON."""

    stories: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    """By folded id: title, status and path of each plan that has the story; no path if our log says it."""
    blockers: Collection[str] = ()  # ids of our entries whose blockers are open
    muted: Sequence[str] = ()  # learnings that the user does not want to see
    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by topic, one line each

    def keep_in(self, index: Index) -> None:
        """Keep the state in an index."""
        index.note(FACT, json.dumps(asdict(self)).encode())

    @classmethod
    def from_index(cls, index: Index) -> PresentState:
        """Return the state that an index keeps."""
        return cls(**json.loads(index.fact(FACT) or b"{}"))


@dataclass(frozen=True, slots=True)
class Validity:
    """Whether what a passage says still holds."""

    story: str = ""  # status of its story: `done`, or `done in prd.json, pending in TODO.md`
    blocker: str = ""  # `open` or `resolved`; empty for other passages, and if no source says it
    later: str = ""  # a later statement that says that this has changed, with its place before it


class ValidityLookup:
    """Looks up what holds today of the passages of one index."""

    def __init__(self, index: Index, state: PresentState, visible: Callable[[str, str], str]) -> None:
        self._index = index
        self._state = state
        self._visible = visible  # returns a text of a kind without its muted parts

    def validity(self, row: Passage, path: str, place: int, *, is_plan: bool) -> Validity:
        """Return whether a passage of the file at `path` still holds.

        `place` is that of its entry in the history of its source: the greatest is the newest.
        """
        later = "" if is_plan or row.kind not in LEARNINGS else self._later(row, place)
        return Validity(self._story(row, path if is_plan else ""), self._blocker(row), later)

    @cached_property
    def _corrections(self) -> list[tuple[Passage, str, int, frozenset[str]]]:
        """The newest corrections with their path, their place and their terms."""
        sources = {
            number: (path, entries + later)
            for number, path, entries, later in self._index.connection.execute(
                "SELECT id, path, entries, later FROM sources WHERE NOT is_plan"
            )
        }
        rows = self._index.select(
            "JOIN sources s ON s.id = p.source WHERE p.corrects AND NOT s.is_plan "
            "ORDER BY s.later - p.entry + s.entries, p.id DESC LIMIT ?",
            (MAX_CORRECTIONS,),
        )
        return [
            (row, path, row.entry - newest, frozenset(row.terms.split()))
            for row in rows
            for path, newest in [sources[row.source]]
            if self._visible(row.text, row.kind)
        ]

    def _story(self, row: Passage, own_plan: str) -> str:
        names = stories_in(row.stories)
        known = self._state.stories.get(names[0].casefold(), ()) if names else ()
        own = frozenset(terms_of(row.title))
        # Ids begin again with every plan: a story with an entirely different title is another one.
        found = [
            (status, plan)
            for title, status, plan in known
            if own_plan in {"", plan} and _is_alike(own, frozenset(terms_of(title)))
        ]
        found = [each for each in found if any(name in each[1].split("/") for name in names[1:])] or found
        statuses = {status for status, _ in found}
        if len(statuses) <= 1:
            return "".join(statuses)
        return ", ".join(f"{status} in {plan or 'the log'}" for status, plan in found[:MAX_PLANS])

    def _blocker(self, row: Passage) -> str:
        if not row.blocker:
            return ""
        return "open" if row.blocker in self._state.blockers else "resolved"

    def _later(self, row: Passage, place: int) -> str:
        own = frozenset(row.terms.split())
        for other, path, other_place, terms in self._corrections:
            if (
                len(own & terms) >= MIN_SHARED_TERMS
                and _is_later(other, other_place, row, place)
                and _overtakes(other.text, row.text)
            ):
                line = f":{other.line}" if other.line else ""
                by = f" (by {other.writer})" if other.writer else ""
                return f"{path}{line}: {other.text}{by}"
        return ""


def _overtakes(newer: str, older: str) -> bool:
    from progress_plugin.model.work import Source, Statement  # noqa: PLC0415 - most hits have no correction
    from progress_plugin.selection.merge import find_overtaken  # noqa: PLC0415

    statements = [Statement(text, Source(""), entry=entry) for entry, text in enumerate((older, newer), 1)]
    return bool(find_overtaken(statements))


def _is_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return not (one and other) or not one.isdisjoint(other)


def _is_later(other: Passage, other_place: int, row: Passage, place: int) -> bool:
    """Return whether a correction is of a later entry, or of a later day in another log."""
    if other.source == row.source or not (other.at and row.at):
        return other.source == row.source and bool(row.entry) and other_place > place
    length = min(len(other.at), len(row.at))
    return other.at[:length] > row.at[:length]
