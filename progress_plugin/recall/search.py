"""From a question to the passages that answer it, best first.

The index gives the passages with the rarest terms of the question; which of them is best is found here, by
how much of the question a passage answers together with its neighbours, how worth knowing it is, and how new.
With a passage comes what holds today of the story, blocker or learning that it speaks of.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from progress_plugin.recall.filters import Filters
from progress_plugin.recall.index import LEARNINGS, Index, Passage, stories_in
from progress_plugin.recall.question import Question, Term
from progress_plugin.recall.ranking import STANDING, Wanted, names_command, score
from progress_plugin.recall.terms import terms_of

MAX_CANDIDATES = 250  # passages that are looked at closely
MAX_COMMON = 4000  # passages that have the looked for terms, from which on the commonest terms are left out
MAX_OF_KIND = MAX_NEWEST = 80  # passages that are looked at for their kind or age
HEADING_WEIGHT = 0.4  # of a term that is only above a passage
PART_WEIGHT = 0.5  # of a part of a name
MAX_HIT_CHARS = 500  # of passages beside each other that are one hit
AROUND = 3  # neighbours on each side
STATE_FACT = "present state"
MAX_CORRECTIONS = 400  # the newest statements that say that something has changed
MIN_SHARED_TERMS = 2  # of a statement and the one that corrects it
MAX_PLANS = 3
NEVER = 2**31  # after every entry

Visible = Callable[[str, str], str]
"""Returns a text of a kind without its muted parts, empty if nothing is left."""


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
        index.note(STATE_FACT, json.dumps(asdict(self)).encode())

    @classmethod
    def from_index(cls, index: Index) -> PresentState:
        """Return the state that an index keeps."""
        return cls(**json.loads(index.fact(STATE_FACT) or b"{}"))


class Hit(NamedTuple):
    """A passage that answers a question."""

    path: str  # relative to the project's root
    line: int  # 1-based; 0 if only the file is known
    last: int
    when: str  # ISO 8601 in UTC, or a day; empty if nothing dates it
    stories: tuple[str, ...]
    kind: str
    text: str
    around: str = ""  # what is beside it in its entry, in order
    story_status: str = ""  # of its story, today
    blocker: str = ""  # `open` or `resolved`
    later: str = ""  # a later statement that says that this has changed, with its place before it
    writer: str = ""  # the other clone that wrote it; empty for this one
    has_command: bool = False  # it names a command as code, or says what to run


class Search:
    """One question to one index."""

    def __init__(self, index: Index, question: Question, filters: Filters) -> None:
        self._index = index
        self._question = question
        (self.size,) = index.connection.execute("SELECT count(*) FROM passages").fetchone()
        passing = filters.passing(index)
        self._passing = () if passing is None else (json.dumps(passing),)
        sought = {term: self._sought(term) for term in question.terms}
        self._wanted = [wanted for wanted in sought.values() if wanted]
        self.unknown = tuple(term.id for term, wanted in sought.items() if term.id and not wanted)

    def hits(self, n: int, state: PresentState, visible: Visible, without: str = "") -> list[Hit]:
        """Return the best `n` passages with those around them, none twice, none of the source `without`."""
        found: list[Hit] = []
        shown: set[str] = set()
        for each in self._ordered():
            row = each._replace(text=visible(each.text, each.kind))
            if row.terms in shown or not row.text or row.path == without:
                continue
            if len(found) == n:
                break
            shown.add(row.terms)
            around = self._around(row, shown, visible)
            shown.update(other.terms for other in around)
            found.append(self._hit(row, around, state, visible))
        return found

    def _and(self, column: str) -> str:
        """Return the condition of SQL that a passage passes the filters."""
        return f" AND {column} IN (SELECT value FROM json_each(?))" if self._passing else ""

    def _around(self, row: Passage, shown: set[str], visible: Visible) -> list[Passage]:
        """Return what is before and after a hit in its entry and not shown elsewhere, within its length."""
        near = self._index.select(
            f"WHERE p.id BETWEEN ? AND ? AND p.path = ? AND p.entry = ?{self._and('p.id')}",
            (row.id - AROUND, row.id + AROUND, row.path, row.entry, *self._passing),
        )
        near.sort(key=lambda other: (abs(other.id - row.id), other.id < row.id))
        room, found = MAX_HIT_CHARS - len(row.text), []
        for other in near:
            text = "" if other.terms in shown else visible(other.text, other.kind)
            if text and len(text) <= room:
                room -= len(text)
                found.append(other._replace(text=text))
        return sorted(found, key=lambda other: other.id)

    def _ordered(self) -> list[Passage]:
        """Return the passages that may answer, the best first."""
        rows = self._candidates()
        near = self._neighbours(rows)
        scored = {}
        for row in rows:
            beside = [
                other
                for at in (row.id - 1, row.id + 1)
                if (other := near.get(at)) and (other.path, other.entry) == (row.path, row.entry)
            ]
            scored[row.id] = score(row, beside, self._wanted, self._question)
        return sorted(rows, key=lambda row: (-scored[row.id], -row.id))

    def _candidates(self) -> list[Passage]:
        """Return the passages that may answer, in no order."""
        if not self._question.terms:
            return self._newest("1", (), MAX_CANDIDATES)
        if not self._wanted and not all(term.is_weak for term in self._question.terms):
            return []  # what is asked about occurs nowhere
        found = self._matching()
        meant = self._question.meant
        kinds = sorted(meant & STANDING)
        if kinds:
            condition = f"p.kind IN ({','.join('?' * len(kinds))})"
            found += self._newest(condition, kinds, MAX_OF_KIND)
        if kinds or "newest" in meant:
            found += self._newest("p.age <= 1", (), MAX_NEWEST)
        return list({row.id: row for row in found}.values())

    def _sought(self, term: Term) -> Wanted | None:
        match, needle = f'"{term.text}"', f" {term.text} "
        number = self._count(match)
        if not number and not term.is_part and not term.id:
            match, needle = f"{match}*", f" {term.text}"
            number = self._count(match)
        if not number:
            return None
        weight = math.log(1 + self.size / number) * (PART_WEIGHT if term.is_part else 1.0)
        return Wanted(needle, match, weight, number, term.is_weak)

    def _count(self, match: str) -> int:
        found = self._index.connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (match,))
        return int(found.fetchone()[0])

    def _matching(self) -> list[Passage]:
        """Return the passages with the rarest terms."""
        chosen: list[Wanted] = []
        total = 0
        for each in sorted(self._wanted, key=lambda wanted: wanted.number):
            if chosen and total + each.number > MAX_COMMON:
                break
            total += each.number
            chosen.append(each)
        if not chosen:
            return []
        return self._index.select(
            # The ids first, which the full-text index alone gives: thousands may match, and few are read.
            f"WHERE p.id IN (SELECT rowid FROM words WHERE words MATCH ?{self._and('rowid')} "
            f"ORDER BY bm25(words, 1.0, {HEADING_WEIGHT}) LIMIT ?)",
            (" OR ".join(each.match for each in chosen), *self._passing, MAX_CANDIDATES),
        )

    def _newest(self, condition: str, values: Sequence[str], most: int) -> list[Passage]:
        """Return the newest passages that meet a condition."""
        # The ids first, which an index alone gives: texts fill most of the file.
        return self._index.select(
            f"WHERE p.id IN (SELECT p.id FROM passages p WHERE {condition}{self._and('p.id')} "
            "ORDER BY p.age, p.id DESC LIMIT ?)",
            (*values, *self._passing, most),
        )

    def _neighbours(self, rows: Sequence[Passage]) -> dict[int, Passage]:
        found = {row.id: row for row in rows}
        wanted = {at for row in rows for at in (row.id - 1, row.id + 1)} - found.keys()
        more = self._index.select(
            "WHERE p.id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(wanted)),)
        )
        return found | {row.id: row for row in more}

    def _hit(self, row: Passage, near: Iterable[Passage], state: PresentState, visible: Visible) -> Hit:
        around = " … ".join(each.text for each in near)
        can_be_over = row.kind in LEARNINGS and not row.is_plan
        later = find_later(self._index, row, visible) if can_be_over else None
        return Hit(
            row.path,
            row.line,
            row.last,
            row.at,
            tuple(stories_in(row.stories)),
            row.kind,
            row.text,
            around,
            story_today(state, row),
            blocker_today(state, row),
            _with_place(later) if later else "",
            row.writer,
            names_command(f"{row.text} {around}") or " run " in f" {row.terms} ",
        )


def _with_place(row: Passage) -> str:
    """Return a statement with its place before it, and its writer."""
    line = f":{row.line}" if row.line else ""
    by = f" (by {row.writer})" if row.writer else ""
    return f"{row.path}{line}: {row.text}{by}"


def story_today(state: PresentState, row: Passage) -> str:
    """Return the status of a passage's story: `done`, or `done in prd.json, pending in TODO.md`.

    A passage of a plan speaks of the story in that plan. Empty if no source says it.
    """
    names = stories_in(row.stories)
    known = state.stories.get(names[0].casefold(), ()) if names else ()
    own = frozenset(terms_of(row.title))
    # Ids begin again with every plan: a story with an entirely different title is another one.
    found = [
        (status, plan)
        for title, status, plan in known
        if (not row.is_plan or plan == row.path) and _is_alike(own, frozenset(terms_of(title)))
    ]
    found = [each for each in found if any(name in each[1].split("/") for name in names[1:])] or found
    statuses = {status for status, _ in found}
    if len(statuses) <= 1:
        return "".join(statuses)
    return ", ".join(f"{status} in {plan or 'the log'}" for status, plan in found[:MAX_PLANS])


def blocker_today(state: PresentState, row: Passage) -> str:
    """Return `open` or `resolved`; empty for what is no blocker, and if no source says it."""
    if not row.blocker:
        return ""
    return "open" if row.blocker in state.blockers else "resolved"


def find_later(index: Index, row: Passage, visible: Visible) -> Passage | None:
    """Return the newest statement that says that what a learning says has changed.

    It is of a later entry of the same source, or of a later day in another.
    """
    own = frozenset(row.terms.split())
    corrections = index.select(
        "WHERE p.corrects AND NOT p.is_plan AND "
        "CASE p.path WHEN ? THEN p.entry > ? ELSE substr(p.at, 1, 10) > ? END "
        "ORDER BY p.at DESC, p.id DESC LIMIT ?",
        (row.path, row.entry or NEVER, row.at[:10] or "never", MAX_CORRECTIONS),
    )
    likely = (each for each in corrections if len(own.intersection(each.terms.split())) >= MIN_SHARED_TERMS)
    return next(
        (each for each in likely if visible(each.text, each.kind) and _overtakes(each.text, row.text)), None
    )


def _overtakes(newer: str, older: str) -> bool:
    from progress_plugin.model.work import Source, Statement  # noqa: PLC0415 - most hits have no correction
    from progress_plugin.selection.merge import find_overtaken  # noqa: PLC0415

    statements = [Statement(text, Source(""), entry=entry) for entry, text in enumerate((older, newer), 1)]
    return bool(find_overtaken(statements))


def _is_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return not (one and other) or not one.isdisjoint(other)
