"""From a question to the passages that answer it, best first.

The index gives the passages with the rarest terms of the question. `recall.ranking` orders them by how much
of the question a passage and its neighbours answer, by its worth, and by its age.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from progress_plugin.recall.filters import Filters
from progress_plugin.recall.index import LEARNINGS, MEMORY, SESSION, Index, Passage, stories_in
from progress_plugin.recall.ranking import STATUS_KINDS, SearchTerm, score
from progress_plugin.text.search_terms import Question, Term

MAX_CANDIDATES = 250  # passages that are scored
MAX_COMMON = 4000  # matching passages; above this number the commonest terms are dropped
MAX_OF_KIND = MAX_NEWEST = 80  # passages that are scored for their kind or age alone
HEADING_WEIGHT = 0.4  # of a term above a passage, relative to a term in it
PART_WEIGHT = 0.5  # of a part of a name
MAX_HIT_CHARS = 500  # of adjacent passages that form one hit
AROUND = 3  # neighbours on each side
MAX_CORRECTIONS = 400  # the newest statements that say that something has changed
MIN_SHARED_TERMS = 2  # terms that a statement shares with its correction, at least
NEVER = 2**31  # greater than the number of any entry

Hit = dict[str, Any]
"""A passage that answers a question, as the JSON object that docs/commands.md describes.

It has a `file`, or else a `session` or a `memory`. `around` has the passages near it in its entry, `later` a
newer statement, with file and line, that corrects the passage. Unknown values are None.
"""


class Search:
    """One question to one index."""

    def __init__(self, index: Index, question: Question, filters: Filters) -> None:
        self._index = index
        self._question = question
        (self.size,) = index.connection.execute("SELECT count(*) FROM passages").fetchone()
        self._passes, self._values = filters.condition(index)
        found = {term: self._search_term(term) for term in question.terms}
        self._terms = [indexed for indexed in found.values() if indexed]
        self.unknown_ids = tuple(term.id for term, indexed in found.items() if term.id and not indexed)

    def hits(self, n: int) -> list[Hit]:
        """Return the best `n` passages with those around them; no text is given twice."""
        found: list[Hit] = []
        shown: set[str] = set()
        for row in self._ordered():
            if row.terms in shown:
                continue
            if len(found) == n:
                break
            shown.add(row.terms)
            around = self._around(row, shown)
            shown.update(other.terms for other in around)
            found.append(self._hit(row, around))
        return found

    def _around(self, row: Passage, shown: set[str]) -> list[Passage]:
        """Return the passages around a hit in its entry that are not shown yet, as far as there is room."""
        near = self._index.select(
            f"WHERE p.id BETWEEN ? AND ? AND p.path = ? AND p.entry = ? AND {self._passes}",
            (row.id - AROUND, row.id + AROUND, row.path, row.entry, *self._values),
        )
        near.sort(key=lambda other: (abs(other.id - row.id), other.id < row.id))
        room, found = MAX_HIT_CHARS - len(row.text), []
        for other in near:
            if other.terms not in shown and len(other.text) <= room:
                room -= len(other.text)
                found.append(other)
        return sorted(found, key=lambda other: other.id)

    def _ordered(self) -> list[Passage]:
        """Return the passages that may answer, the best first."""
        rows = self._candidates()
        near = self._neighbours(rows)
        scored = {}
        for row in rows:
            adjacent = [
                other
                for at in (row.id - 1, row.id + 1)
                if (other := near.get(at)) and (other.path, other.entry) == (row.path, row.entry)
            ]
            scored[row.id] = score(row, adjacent, self._terms, self._question)
        return sorted(rows, key=lambda row: (-scored[row.id], -row.id))

    def _candidates(self) -> list[Passage]:
        """Return the passages that may answer, in no order."""
        if not self._question.terms:
            return self._newest("1", (), MAX_CANDIDATES)
        if not self._terms and not all(term.is_weak for term in self._question.terms):
            return []  # the subject of the question occurs nowhere
        found = self._matching()
        answer_kinds = self._question.answer_kinds
        if kinds := sorted(answer_kinds & STATUS_KINDS):
            condition = f"p.kind IN ({','.join('?' * len(kinds))})"
            found += self._newest(condition, kinds, MAX_OF_KIND)
        if kinds or "newest" in answer_kinds:
            found += self._newest("p.age <= 1", (), MAX_NEWEST)
        return list({row.id: row for row in found}.values())

    def _search_term(self, term: Term) -> SearchTerm | None:
        match, needle = f'"{term.text}"', f" {term.text} "
        number = self._count(match)
        if not number and not term.is_part and not term.id:
            match, needle = f"{match}*", f" {term.text}"
            number = self._count(match)
        if not number:
            return None
        weight = math.log(1 + self.size / number) * (PART_WEIGHT if term.is_part else 1.0)
        return SearchTerm(needle, match, weight, number, term.is_weak)

    def _count(self, match: str) -> int:
        found = self._index.connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (match,))
        return int(found.fetchone()[0])

    def _matching(self) -> list[Passage]:
        """Return the passages with the rarest terms."""
        chosen: list[SearchTerm] = []
        total = 0
        for each in sorted(self._terms, key=lambda term: term.number):
            if chosen and total + each.number > MAX_COMMON:
                break
            total += each.number
            chosen.append(each)
        if not chosen:
            return []
        return self._index.select(
            # Select the ids first: thousands match, few are read. CROSS JOIN makes SQLite begin with `words`.
            "WHERE p.id IN (SELECT p.id FROM words CROSS JOIN passages p ON p.id = words.rowid "
            f"WHERE words MATCH ? AND {self._passes} "
            f"ORDER BY bm25(words, 1.0, {HEADING_WEIGHT}) LIMIT ?)",
            (" OR ".join(each.match for each in chosen), *self._values, MAX_CANDIDATES),
        )

    def _newest(self, condition: str, values: Sequence[str], most: int) -> list[Passage]:
        # Select the ids first, from an index, without reading the texts, which fill most of the file.
        return self._index.select(
            f"WHERE p.id IN (SELECT p.id FROM passages p WHERE {condition} AND {self._passes} "
            "ORDER BY p.age, p.id DESC LIMIT ?)",
            (*values, *self._values, most),
        )

    def _neighbours(self, rows: Sequence[Passage]) -> dict[int, Passage]:
        found = {row.id: row for row in rows}
        wanted = {at for row in rows for at in (row.id - 1, row.id + 1)} - found.keys()
        more = self._index.select(
            "WHERE p.id IN (SELECT value FROM json_each(?))", (json.dumps(sorted(wanted)),)
        )
        return found | {row.id: row for row in more}

    def _hit(self, row: Passage, near: Iterable[Passage]) -> Hit:
        unit = MEMORY if row.path == MEMORY else SESSION if row.kind == SESSION else ""
        later = self._find_later(row) if row.kind in LEARNINGS and not row.is_plan else ""
        return {
            "file": None if unit else row.path,
            "line": row.line or None,
            "last_line": row.last or row.line or None,
            "when": row.at or None,
            "stories": stories_in(row.stories),
            "story_status": row.story_status or None,
            "kind": row.kind,
            "blocker": row.blocker or None,
            "writer": row.writer or None,
            "text": row.text,
            "later": later or None,
            "around": " … ".join(each.text for each in near) or None,
            **({unit: row.path.removeprefix(f"{unit} ")} if unit else {}),
        }

    def _find_later(self, row: Passage) -> str:
        """Return the newest statement that says that a learning has changed, with file and line.

        It must be in a later entry of the same source, or of a later day in another source.
        """
        own = frozenset(row.terms.split())
        corrections = self._index.select(
            "WHERE p.corrects AND NOT p.is_plan AND "
            "CASE p.path WHEN ? THEN p.entry > ? ELSE substr(p.at, 1, 10) > ? END "
            "ORDER BY p.at DESC, p.id DESC LIMIT ?",
            (row.path, row.entry or NEVER, row.at[:10] or "never", MAX_CORRECTIONS),
        )
        for each in corrections:
            is_likely = len(own.intersection(each.terms.split())) >= MIN_SHARED_TERMS
            if is_likely and _overtakes(each.text, row.text):
                place = f"{each.path}:{each.line}" if each.line else each.path
                return f"{place}: {each.text}{f' (by {each.writer})' if each.writer else ''}"
        return ""


def _overtakes(newer: str, older: str) -> bool:
    from progress_plugin.model.work import Source, Statement  # noqa: PLC0415 - most hits have no correction
    from progress_plugin.selection.merge import find_overtaken  # noqa: PLC0415

    statements = [Statement(text, Source(""), entry=entry) for entry, text in enumerate((older, newer), 1)]
    return bool(find_overtaken(statements))
