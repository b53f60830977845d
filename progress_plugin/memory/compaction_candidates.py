"""Which observations have not been touched for long: the first phase of a compaction.

What is offered here is not all that may be taken: ids that a caller names are judged by
`memory.compaction`, which also takes summaries of earlier compactions, so that they can be united.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from progress_plugin.core.errors import BadInput
from progress_plugin.memory.database import Store
from progress_plugin.memory.observation import PROGRESS_TYPE, SUMMARY_TYPE, stamp
from progress_plugin.text.bounds import shortened

AGES = ((30, "up to 30 days"), (90, "31 to 90 days"), (365, "91 days to a year"), (math.inf, "over a year"))
"""Upper bounds, in days, of the groups in which ages are counted."""

SNIPPET = 100
"""Characters of the content that a candidate shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which rows a compaction is about; None does not restrict."""

    project: str | None
    scope: str | None
    namespace: str | None

    def condition(self, store: Store) -> tuple[str, tuple[str, ...]]:
        """Return an SQL condition for live rows that pass, and its values.

        Raises BadInput for a namespace in a database that knows none.
        """
        if self.namespace is not None and "namespace" not in store.columns:
            raise BadInput(f"{store.path} has no namespaces; leave namespace out")
        named = {"project": self.project, "scope": self.scope, "namespace": self.namespace}
        used = {column: value for column, value in named.items() if value is not None}
        return " AND ".join(["deleted_at IS NULL", *(f"{column} = ?" for column in used)]), tuple(
            used.values()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionCandidate:
    """A row that may be compacted."""

    id: int
    type: str
    title: str
    project: str | None
    scope: str
    created_at: str
    snippet: str
    age_days: int
    """Whole days since it was created, touched or seen, whichever was last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """What identify found: the oldest candidates, and how many there are in all."""

    candidates: list[CompactionCandidate]
    total: int


def threshold(older_than_days: float, now: datetime) -> str:
    """Return the stamp before which a row is old; further back than any calendar goes, nothing is."""
    try:
        return stamp(now - timedelta(days=older_than_days))
    except OverflowError:
        return ""


def identify(store: Store, rows: Filter, older_than_days: float, limit: int, now: datetime) -> Stale:
    """Return the oldest rows last touched before the threshold, live documents and summaries left out."""
    condition, values = rows.condition(store)
    touched = store.last_touched
    old = f"FROM observations WHERE {condition} AND {touched} < ? AND {touched} > '' AND type NOT IN (?, ?)"
    given = (*values, threshold(older_than_days, now), PROGRESS_TYPE, SUMMARY_TYPE)
    total = store.connection.execute(f"SELECT count(*) {old}", given).fetchone()[0]
    listed = store.connection.execute(
        f"SELECT id, type, title, project, scope, created_at, substr(content, 1, 1000), {touched} "
        f"{old} ORDER BY {touched}, id LIMIT ?",
        (*given, limit),
    )
    return Stale(candidates=[_candidate(row, now) for row in listed], total=total)


def ages(candidates: list[CompactionCandidate]) -> dict[str, int]:
    """Count candidates by age, in the order of `AGES`, without empty groups."""
    counts = dict.fromkeys((name for _, name in AGES), 0)
    for candidate in candidates:
        counts[next(name for bound, name in AGES if candidate.age_days <= bound)] += 1
    return {name: count for name, count in counts.items() if count}


def _candidate(
    row: tuple[int, str, str, str | None, str, str, str, str], now: datetime
) -> CompactionCandidate:
    touched = datetime.fromisoformat(row[7][:19]).replace(tzinfo=UTC)
    return CompactionCandidate(
        id=row[0], type=row[1], title=row[2], project=row[3], scope=row[4], created_at=row[5],
        snippet=shortened(" ".join(row[6].split()), SNIPPET), age_days=(now - touched).days,
    )  # fmt: skip
