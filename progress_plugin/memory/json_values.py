"""JSON (RFC 8259) of progress documents: check it, remove its secrets, merge two versions."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from progress_plugin.core.errors import BadInput
from progress_plugin.log.entry import MAX_NESTING, canonical, is_deep
from progress_plugin.memory.observations import refuse_too_long
from progress_plugin.text.redact import redact_value
from progress_plugin.text.safe_output import one_line

_HINT = 'send an object such as {"goal": "…", "completed": […], "next_steps": […], "blockers": […]}'
_ABSENT = object()


def parse_redacted(content: object) -> tuple[str, int]:
    """Return a document as text without secrets and private parts, and the number of removed parts.

    A string is taken as JSON text. A document without secrets stays as it is, byte for byte. Raises BadInput
    if it is too large to be stored, or if `load` rejects it.
    """
    try:
        text = content if isinstance(content, str) else dump(content)
        refuse_too_long(text)
        clean, count = redact_value(load(text))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"content is no valid JSON ({error}); {_HINT}") from None
    return (dump(clean) if count else text), count


def load(text: str) -> Any:
    """Return the value of a JSON text.

    Raises ValueError for text that is not JSON, a duplicate name, NaN or an infinite number,
    and half a surrogate pair, RecursionError for nesting deeper than `MAX_NESTING`.
    """
    value = json.loads(text, object_pairs_hook=_object)
    if is_deep(value):
        raise RecursionError(f"it is nested more than {MAX_NESTING} levels deep")
    dump(value).encode()
    return value


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def merge(base: Any, first: Any, second: Any) -> tuple[Any, list[str]]:
    """Return two versions merged, and the paths (`a.b.c`) of the fields that they changed differently.

    `base` is the version that both began with, None if unknown. A change that only one version made is taken.
    A field that they changed differently keeps the value of `first`; one that one version changed and the
    other removed keeps the change. A list has all items that either added, and none that either removed.
    """
    conflicts: list[str] = []
    merged = _merge_values("", _ABSENT if base is None else base, first, second, conflicts)
    return merged, conflicts


def _merge_values(path: str, base: Any, first: Any, second: Any, conflicts: list[str]) -> Any:
    if _same(first, second) or _same(second, base):
        return first
    if _same(first, base):
        return second
    if isinstance(first, dict) and isinstance(second, dict):
        before = base if isinstance(base, dict) else {}
        prefix, merged = f"{path}." if path else "", dict[str, Any]()
        for name in dict.fromkeys([*first, *second]):
            old, one, other = (side.get(name, _ABSENT) for side in (before, first, second))
            merged[name] = _merge_values(f"{prefix}{name}", old, one, other, conflicts)
        return {name: value for name, value in merged.items() if value is not _ABSENT}
    if isinstance(first, list) and isinstance(second, list):
        items = base if isinstance(base, list) else []
        known, ours, theirs = ({canonical(item) for item in side} for side in (items, first, second))
        kept = [item for item in first if canonical(item) in theirs or canonical(item) not in known]
        return kept + [item for item in second if canonical(item) not in ours | known]
    if _ABSENT in (first, second) and base is not _ABSENT:
        return second if first is _ABSENT else first  # one changed it, one removed it: the change stays
    conflicts.append(path or "the whole document")
    return first


def _same(one: Any, other: Any) -> bool:
    return one is other if _ABSENT in (one, other) else canonical(one) == canonical(other)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        # The text is stored as it came: a value that the parser drops would slip past the redaction.
        [(repeated, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {one_line(repeated, 60)!r} occurs twice in one object")
    return members
