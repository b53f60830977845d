"""One progress document that two machines have gone on with: their changes joined, none lost.

Other than `memory.document_merge`, whose answer an agent can be asked to improve, this one has nobody to ask:
it knows what both began with, so what only one of them changed is changed, and where both did, the first that
came to the server stands and the other one's words are put beside it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from progress_plugin.memory.document_merge import loosely, value_identity
from progress_plugin.memory.team_session import OTHER_VERSIONS

_ABSENT = object()


class Difference(NamedTuple):
    """A field that both changed, each in its own way."""

    field: str
    """Its path, with dots; empty for the whole document."""
    offered: Any
    """What the second one has there."""


def join(base: Any, first: Any, second: Any) -> tuple[Any, list[Difference]]:
    """Return both versions as one, and the fields of which only the first one's stands in it.

    `base` is what both began with, None where it is not known. Of lists stays what both have or one of them
    added, the first one's items before the other's; `next_steps` loses what `completed` has.
    """
    differences: list[Difference] = []
    joined = _values("", base if base is not None else _ABSENT, first, second, differences)
    return joined, differences


def with_other_versions(document: Any, differences: list[Difference], writer: str) -> Any:
    """Return a document with what a writer has in the fields that differ; as it is where it has no room."""
    if not differences or not isinstance(document, dict):
        return document
    told = document.get(OTHER_VERSIONS, [])
    if not isinstance(told, list):
        return document
    added = [
        {"field": each.field, "by": writer, "value": None if each.offered is _ABSENT else each.offered}
        for each in differences
    ]
    known = {value_identity(each) for each in told}
    new = [each for each in added if value_identity(each) not in known]
    return {**document, OTHER_VERSIONS: [*told, *new]}


def _values(path: str, base: Any, first: Any, second: Any, differences: list[Difference]) -> Any:
    if _same(first, second) or _same(second, base):
        return first
    if _same(first, base):
        return second
    if isinstance(first, dict) and isinstance(second, dict):
        return _objects(path, base if isinstance(base, dict) else {}, first, second, differences)
    if isinstance(first, list) and isinstance(second, list):
        return _lists(base if isinstance(base, list) else [], first, second)
    if (first is _ABSENT or second is _ABSENT) and base is not _ABSENT:
        return second if first is _ABSENT else first  # changed here and taken away there: the change stays
    differences.append(Difference(path, second))
    return first


def _objects(
    path: str,
    base: dict[str, Any],
    first: dict[str, Any],
    second: dict[str, Any],
    differences: list[Difference],
) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for name in dict.fromkeys([*first, *second]):
        before, one, other = (each.get(name, _ABSENT) for each in (base, first, second))
        found = _values(f"{path}.{name}" if path else name, before, one, other, differences)
        if found is not _ABSENT:
            joined[name] = found
    steps, done = joined.get("next_steps"), joined.get("completed")
    if isinstance(steps, list) and isinstance(done, list):
        finished = set(map(loosely, done))
        joined["next_steps"] = [step for step in steps if loosely(step) not in finished]
    return joined


def _lists(base: list[Any], first: list[Any], second: list[Any]) -> list[Any]:
    before, ours, theirs = ({value_identity(item) for item in items} for items in (base, first, second))
    kept = [item for item in first if value_identity(item) in theirs or value_identity(item) not in before]
    return kept + [item for item in second if value_identity(item) not in ours | before]


def _same(one: Any, other: Any) -> bool:
    if one is _ABSENT or other is _ABSENT:
        return one is other
    return value_identity(one) == value_identity(other)
