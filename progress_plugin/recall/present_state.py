"""What holds today of the stories and blockers that passages speak of; it is kept in the index."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from progress_plugin.recall.index import Index, Passage, stories_in
from progress_plugin.recall.terms import terms_of

FACT = "present state"
MAX_CORRECTIONS = 400  # the newest statements that say that something has changed
MIN_SHARED_TERMS = 2  # of a statement and the one that corrects it
MAX_PLANS = 3
NEVER = 2**31  # after every entry


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


def find_later(index: Index, row: Passage, visible: Callable[[str, str], str]) -> Passage | None:
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
