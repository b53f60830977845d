"""From a question to the passages that answer it, best first.

The index gives the passages with the rarest terms of the question; which of them is best is found here, by
how much of the question a passage answers together with its neighbours, how worth knowing it is, and how new.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from progress_plugin.recall.file_mentions import is_same, names_file, parts_of
from progress_plugin.recall.index import COLUMNS, Candidate, Index, story_key
from progress_plugin.recall.present_state import PresentState, Validity, ValidityLookup
from progress_plugin.recall.question import Question, Term
from progress_plugin.recall.ranking import STANDING, Held, Wanted, score
from progress_plugin.recall.terms import terms_of
from progress_plugin.text.patterns import LazyPattern

_CANDIDATES = 250
"""Passages that are looked at closely."""
_COMMON = 4000
"""Passages that the terms together may occur in before the commonest are left to the second look."""
_OF_KIND, _NEWEST = 80, 80
"""Passages that are looked at beside those, for their kind and for their age."""
_OF_ABOUT = 0.4
"""What a term counts that is only above a passage."""
_PART = 0.5
"""What a part of a name counts beside the whole."""
_LONGEST = 500
"""Characters of passages beside each other that are one hit."""
_AROUND = 2
_UNDATED, _AGEING = 0.5, 0.2


class Filters(NamedTuple):
    """What a hit must be, besides an answer."""

    file: str = ""
    """A path: the passage names it, or its entry lists it, or it is in it. One outside is absolute."""
    story: str = ""
    kinds: frozenset[str] = frozenset()
    since: str = ""
    """ISO 8601, UTC."""
    without_source: str = ""
    """Path of a source that is left out."""


class Hit(NamedTuple):
    """A passage that answers a question."""

    path: str
    """Relative to the project's root."""
    line: int
    """1-based; of several short items the one that answers; 0 where only the file is known."""
    last: int
    """Where the text ends."""
    when: str
    """ISO 8601 in UTC, or a day; empty where nothing dates it."""
    stories: tuple[str, ...]
    kind: str
    text: str
    """One harmless line."""
    around: str = ""
    """What is beside it in its entry, before and after, in that order; one harmless line."""
    validity: Validity = Validity()
    """Whether it still holds."""
    writer: str = ""
    """Which other clone wrote it; empty for this one."""
    has_command: bool = False
    """Whether it names a command as code, or says what to run."""


class _Source(NamedTuple):
    path: str
    entries: int
    later: int
    passages: int
    is_plan: int


class _Group:
    """A hit with those of its neighbours that answer, too, and those that only stand beside it."""

    __slots__ = ("beside", "rows")

    def __init__(self, hit: Candidate) -> None:
        self.rows = [hit]
        self.beside: list[Candidate] = []

    @property
    def hit(self) -> Candidate:
        """The best of it."""
        return self.rows[0]


class Search:
    """One question to one index."""

    def __init__(self, index: Index, question: Question, filters: Filters) -> None:
        self._ask = index.connection.execute
        self._index = index
        self._question = question
        self._sources = {
            number: _Source(*row)
            for number, *row in self._ask("SELECT id, path, entries, later, passages, is_plan FROM sources")
        }
        self.size = sum(source.passages for source in self._sources.values())
        self._conditions, self._values = self._narrowed(filters)
        self._is_of_story = bool(filters.story)
        self._has_id = any(term.id for term in question.terms)
        sought = {term: self._sought(term) for term in question.terms}
        self._wanted = [wanted for wanted in sought.values() if wanted]
        self.unknown = tuple(term.id for term, wanted in sought.items() if term.id and not wanted)
        """Ids of the question that nothing in the history names."""

    def hits(self, n: int, state: PresentState, visible: Callable[[str, str], str]) -> list[Hit]:
        """Return the best `n` passages with those around them, none twice.

        `visible` returns a text of a kind without its muted parts, empty if nothing is left.
        """
        found: list[_Group] = []
        shown: set[str] = set()
        at: dict[int, _Group] = {}
        for each in self.ordered():
            row = each._replace(text=visible(each.text, each.kind))
            if row.terms in shown or not row.text:
                continue
            near = next((at[number] for number in _near(row) if number in at), None)
            if near is not None and _are_one(near.rows, row):
                near.rows.append(row)
            elif len(found) < n:
                near = _Group(row)
                found.append(near)
            else:
                continue
            at[row.id] = near
            shown.add(row.terms)
        known = set(at)
        for group in found:
            group.beside = self._beside(group, known, shown, visible)
            known.update(row.id for row in group.beside)
        lookup = ValidityLookup(self._index, state, visible)
        return [self._hit(group, lookup) for group in found]

    def _beside(
        self, group: _Group, known: set[int], shown: set[str], visible: Callable[[str, str], str]
    ) -> list[Candidate]:
        """Return what is before and after a hit in its entry, as far as all is not too long.

        What is shown elsewhere in the answer, by its id in `known` or its terms in `shown`, is left out.
        """
        first, last = min(group.rows).id, max(group.rows).id
        around = self._ask(
            f"SELECT {COLUMNS} FROM passages p WHERE p.id BETWEEN ? AND ? AND p.source = ? AND p.entry = ?"
            + self._conditions,
            (first - _AROUND, last + _AROUND, group.hit.source, group.hit.entry, *self._values),
        )
        others = [
            row for each in around if (row := Candidate(*each)).id not in known and row.terms not in shown
        ]
        found: list[Candidate] = []
        for row in sorted(
            others, key=lambda row: (min(abs(row.id - first), abs(row.id - last)), row.id < first)
        ):
            text = visible(row.text, row.kind)
            if text and _are_one([*group.rows, *found], row):
                found.append(row._replace(text=text))
        return found

    def ordered(self) -> list[Candidate]:
        """Return the passages that may answer, the best first."""
        rows = self.candidates()
        near = self._neighbours(rows)
        meant = self._question.meant
        named = frozenset(term.text for term in self._question.terms if term.is_name)
        scored = {row.id: score(self._held(row, near), self._wanted, meant, named) for row in rows}
        return sorted(rows, key=lambda row: (-scored[row.id], -row.id))

    def _held(self, row: Candidate, near: Mapping[int, Candidate]) -> Held:
        source = self._sources[row.source]
        others = [
            other
            for at in (row.id - 1, row.id + 1)
            if (other := near.get(at)) and (other.source, other.entry) == (row.source, row.entry)
        ]
        # An id in a heading names what is below it.
        only_names = row.is_heading and self._has_id and any(other.id > row.id for other in others)
        own, above = ("", f"{row.about} {row.terms}") if only_names else (row.terms, row.about)
        return Held(
            terms=f" {own} ",
            about=f" {above} ",
            beside="".join(f" {other.terms} " for other in others),
            stories=frozenset(" ".join(terms_of(story)) for story in _stories(row)),
            kind=row.kind,
            worth=row.worth,
            newness=_newness(row, source),
            is_plan=bool(source.is_plan),
            has_command=bool(_COMMAND.search(row.text)),
        )

    def candidates(self) -> list[Candidate]:
        """Return the passages that may answer, in no order."""
        if not self._question.terms:
            return self._some("1", (), _CANDIDATES, "by_stories" if self._is_of_story else "by_source")
        if not self._wanted and not all(term.is_weak for term in self._question.terms):
            return []  # what is asked about occurs nowhere
        found = {row.id: row for row in self._matching()}
        meant = self._question.meant
        kinds = sorted(meant & STANDING)
        if kinds:
            marks = ",".join("?" * len(kinds))
            found |= {row.id: row for row in self._some(f"p.kind IN ({marks})", kinds, _OF_KIND, "by_kind")}
        if kinds or "newest" in meant:
            newest = self._some("p.entry >= s.entries - 1", (), _NEWEST, "by_source")
            found |= {row.id: row for row in newest}
        return list(found.values())

    def _sought(self, term: Term) -> Wanted | None:
        match, needle = f'"{term.text}"', f" {term.text} "
        number = self._count(match)
        if not number and not term.is_part and not term.id:
            match, needle = f"{match}*", f" {term.text}"
            number = self._count(match)
        if not number:
            return None
        weight = math.log(1 + self.size / number) * (_PART if term.is_part else 1.0)
        return Wanted(needle, match, weight, number, term.is_weak)

    def _count(self, match: str) -> int:
        (count,) = self._ask("SELECT count(*) FROM words WHERE words MATCH ?", (match,)).fetchone()
        return int(count)

    def _matching(self) -> Iterator[Candidate]:
        """Yield the passages with the rarest terms."""
        chosen: list[Wanted] = []
        total = 0
        for each in sorted(self._wanted, key=lambda wanted: wanted.number):
            if chosen and total + each.number > _COMMON:
                break
            total += each.number
            chosen.append(each)
        if not chosen:
            return
        narrowed = f"CROSS JOIN passages p ON p.id = words.rowid WHERE 1{self._conditions} AND"
        rows = self._ask(
            # The ids first, which the full-text index alone gives: thousands may match, and few are read.
            f"SELECT {COLUMNS} FROM passages p WHERE p.id IN (SELECT words.rowid FROM words "
            f"{narrowed if self._conditions else 'WHERE'} words MATCH ? "
            f"ORDER BY bm25(words, 1.0, {_OF_ABOUT}) LIMIT ?)",
            (*self._values, " OR ".join(each.match for each in chosen), _CANDIDATES),
        )
        yield from (Candidate(*row) for row in rows)

    def _some(self, condition: str, values: Sequence[object], most: int, index: str) -> list[Candidate]:
        """Return the newest passages that meet a condition, found source by source in an index of SQLite."""
        rows = self._ask(
            # The ids first, which an index alone gives: texts fill most of the file. SQLite, without figures
            # of the tables, would look at every passage: it is made to begin with the few sources.
            f"SELECT {COLUMNS} FROM passages p WHERE p.id IN (SELECT p.id FROM sources s "
            f"CROSS JOIN passages p INDEXED BY {index} ON p.source = s.id "
            f"WHERE {condition}{self._conditions} ORDER BY s.later - p.entry + s.entries, p.id DESC LIMIT ?)",
            (*values, *self._values, most),
        )
        return [Candidate(*row) for row in rows]

    def _narrowed(self, filters: Filters) -> tuple[str, list[object]]:
        """Return the conditions of SQL that a passage must meet, and their values.

        What SQL cannot tell is found here and passed as JSON: several searches may share one connection.
        """
        conditions, values = "", list[object]()
        if filters.story:
            conditions += " AND p.stories IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(self._lists_of_story(story_key(filters.story))))
        if filters.kinds:
            conditions += f" AND p.kind IN ({','.join('?' * len(filters.kinds))})"
            values += sorted(filters.kinds)
        if filters.since:
            conditions += " AND p.at != '' AND p.at >= substr(?, 1, length(p.at))"
            values.append(filters.since)
        if filters.without_source:
            conditions += " AND p.source NOT IN (SELECT id FROM sources WHERE path = ?)"
            values.append(filters.without_source)
        if filters.file:
            asked, whole = parts_of(filters.file), os.path.isabs(filters.file)
            sources = [
                number
                for number, source in self._sources.items()
                if is_same(parts_of(source.path), asked, whole=whole)
            ]
            passages, entries = self._passages_naming(asked, whole=whole)
            conditions += (
                " AND (p.id IN (SELECT value FROM json_each(?)) "
                "OR p.source IN (SELECT value FROM json_each(?)) OR (p.source, p.entry) IN "
                "(SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)))"
            )
            values += [json.dumps(passages), json.dumps(sources), json.dumps(entries)]
        return conditions, values

    def _lists_of_story(self, asked: str) -> list[str]:
        """Return the lists of stories that have one or a part of it (`2.1`): SQLite folds only ASCII."""
        found = []
        for (stories,) in self._ask("SELECT DISTINCT stories FROM passages"):
            known = story_key(stories)
            if f"\n{asked}\n" in known or f"\n{asked}." in known:
                found.append(stories)
        return found

    def _passages_naming(self, asked: tuple[str, ...], *, whole: bool) -> tuple[list[int], list[list[int]]]:
        """Return the ids of passages that name a file, and source and entry of those that list it."""
        passages: list[int] = []
        entries: list[list[int]] = []
        name = " ".join(terms_of(asked[-1])) if asked else ""
        if not name:
            return passages, entries
        rows = self._ask(
            "SELECT p.id, p.source, p.entry, p.kind, p.text FROM words JOIN passages p ON p.id = words.rowid "
            "WHERE words MATCH ?",
            (f'"{name}"',),
        )
        for number, source, entry, kind, text in rows:
            if names_file(text, asked, whole=whole):
                passages.append(number)
                if kind == "files" and entry:
                    entries.append([source, entry])
        return passages, entries

    def _neighbours(self, rows: Sequence[Candidate]) -> dict[int, Candidate]:
        found = {row.id: row for row in rows}
        wanted = sorted({at for row in rows for at in (row.id - 1, row.id + 1)} - found.keys())
        marks = ",".join("?" * len(wanted))
        more = self._ask(f"SELECT {COLUMNS} FROM passages p WHERE p.id IN ({marks})", wanted)
        return found | {row[0]: Candidate(*row) for row in more}

    def _hit(self, group: _Group, lookup: ValidityLookup) -> Hit:
        row = group.hit
        around = sorted([*group.rows[1:], *group.beside])
        beside = " … ".join(each.text for each in around)
        source = self._sources[row.source]
        place = row.entry - source.entries - source.later
        validity = lookup.validity(row, source.path, place, is_plan=bool(source.is_plan))
        stories = tuple(_stories(row))
        return Hit(
            source.path,
            self._line(row),
            row.last,
            row.at,
            stories,
            row.kind,
            row.text,
            beside,
            validity,
            row.writer,
            bool(_COMMAND.search(f"{row.text} {beside}")) or " run " in f" {row.terms} ",
        )

    def _line(self, row: Candidate) -> int:
        """Return the line that answers: short items of one list are one passage, one on each of its lines."""
        items = row.text.split("; ")
        if len(items) == 1 or len(items) != row.last - row.line + 1:
            return row.line
        folded = [f" {' '.join(terms_of(item))} " for item in items]
        weights = [sum(each.weight for each in self._wanted if each.needle in terms) for terms in folded]
        return row.line + weights.index(max(weights))


_COMMAND = LazyPattern(r"`[a-z./][\w./-]* [^`]+`")


def _stories(row: Candidate) -> list[str]:
    return [story for story in row.stories.split("\n") if story]


def _near(row: Candidate) -> Iterator[int]:
    """Yield the ids beside a passage, the nearest first."""
    for away in range(1, _AROUND + 1):
        yield from (row.id - away, row.id + away)


def _are_one(rows: Sequence[Candidate], row: Candidate) -> bool:
    """Return whether a passage is shown with those beside it: of one entry, and together not too long."""
    return (row.source, row.entry) == (rows[0].source, rows[0].entry) and sum(
        len(each.text) for each in (*rows, row)
    ) <= _LONGEST


def _newness(row: Candidate, source: _Source) -> float:
    """Return how new a passage is, from 1 for the newest entry downward."""
    if not row.entry or source.is_plan:
        return _UNDATED
    return 1 / (1 + _AGEING * (source.entries - row.entry + source.later))
